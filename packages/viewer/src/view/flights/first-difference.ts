/** Finds the first difference between the log rows of two flights. */
import type { RowsStore } from "../data/rows-store.ts";

interface Difference {
  readonly tUs: number;
  /** The writer of the first differing column, in the order in which writers run. */
  readonly writer: string;
  readonly column: string;
}

/** Returns undefined if the rows and columns that both flights have are equal. */
export function firstDifference(a: RowsStore, b: RowsStore): Difference | undefined {
  const pairs = a.columns.flatMap(({ name, signal = name, component = 0, writer = "log" }, place) => {
    const other = b.place(signal, component);
    return a.has(place) && b.has(other) ? [{ name, writer, place, other }] : [];
  });
  // Compare the state last: it is first in a row, but it changes only after the signals that act on it.
  pairs.sort((x, y) => Number(x.writer === "plant") - Number(y.writer === "plant"));
  const count = Math.min(a.count, b.count);
  for (let row = 0; row < count; row += 1) {
    for (const { name, writer, place, other } of pairs) {
      if (!Object.is(a.value(place, row), b.value(other, row))) {
        return { tUs: a.timeUs(row), writer: writer === "plant" ? "state" : writer, column: name };
      }
    }
  }
  return undefined;
}
