/** The flights that a search asked for, found again from its rows: its state follows from them. */
import type { Branching, Row, Search } from "../contracts.ts";

interface AskedFlight {
  readonly k: number;
  /** Unit coordinates of the varied keys. */
  readonly point: readonly number[];
  readonly branch?: Branching;
}

/** Flight k of a search that has asked for it. */
export function orderOf(search: Search, k: number): AskedFlight {
  const point = new Float64Array(search.dimension);
  search.pointInto(k, point);
  const branch = search.branchOf?.(k);
  return { k, point: [...point], ...(branch === undefined ? {} : { branch }) };
}

/** In the order of their numbers, up to and including the first generation that is not complete. */
export function* askedFlights(search: Search, rowOf: (k: number) => Row | undefined): Generator<AskedFlight> {
  for (let asked = search.ask(); asked !== undefined; asked = search.ask()) {
    for (const k of asked) yield orderOf(search, k);
    const rows = asked.map(rowOf);
    if (rows.includes(undefined)) return;
    search.tell(rows as readonly Row[]);
  }
}

/** Tells a search its rows, in the order of their numbers, as far as they make whole generations. */
export function tellRows(search: Search, rows: Iterable<Row>): void {
  const iterator = rows[Symbol.iterator]();
  for (let asked = search.ask(); asked !== undefined; asked = search.ask()) {
    const generation: Row[] = [];
    for (const k of asked) {
      const { value, done } = iterator.next();
      if (done === true || value.k !== k) return;
      generation.push(value);
    }
    search.tell(generation);
  }
}
