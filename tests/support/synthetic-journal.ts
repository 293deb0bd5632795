/** Appends synthetic rows to the journal of a campaign, to test the coordinator with many rows. */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { decodeLine, encodeLine, type Row } from "@escapement/formats";

const BATCH_CHARACTERS = 1 << 20;

/** Returns a number from 0 to 1 that differs from flight to flight. */
const scattered = (k: number, factor: number) => ((k * factor) % 2 ** 32) / 2 ** 32;

/** Returns a row like the first one, with other values and another margin of the first requirement. */
function rowLike(first: Row, k: number): Row {
  const [u, v] = [scattered(k, 2_654_435_761), scattered(k, 1_013_904_223)];
  const [verdict, ...others] = first.verdicts;
  const margin = 0.65 - 0.7 * u * v;
  const judged = {
    ...verdict!,
    verdict: margin > 0 ? ("holds" as const) : ("violated" as const),
    low: margin,
    high: margin,
    scaledLow: margin,
    scaledHigh: margin,
    binding: { ...verdict!.binding!, margin },
  };
  return {
    ...first,
    k,
    varied: first.varied.map((value, i) => (i === 0 ? u : v) * Number(value)),
    measures: first.measures.map((value, i) => (value === null ? null : value + u * i)),
    verdicts: [judged, ...others],
  };
}

/** Appends the rows of flights 1 to `end` − 1 to a journal that contains only the row of flight 0. */
export function appendRows(path: string, end: number): void {
  const first = decodeLine(readFileSync(path, "utf8").split("\n")[1]!) as Row;
  const fd = openSync(path, "a");
  try {
    let text = "";
    for (let k = 1; k < end; k += 1) {
      text += encodeLine(rowLike(first, k));
      if (text.length < BATCH_CHARACTERS && k < end - 1) continue;
      writeSync(fd, text);
      text = "";
    }
  } finally {
    closeSync(fd);
  }
}
