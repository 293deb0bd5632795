/**
 * Reconstructs the flights that a search requested. A search is deterministic, so its state depends only on its rows.
 */
import type { Branching, Row, Search } from "../contracts.ts";

interface AskedFlight {
  readonly k: number;
  /** Unit coordinates of the varied keys. */
  readonly point: readonly number[];
  readonly branch?: Branching;
}

/** Returns flight k, which the search must already have requested. */
export function orderOf(search: Search, k: number): AskedFlight {
  const point = new Float64Array(search.dimension);
  search.pointInto(k, point);
  const branch = search.branchOf?.(k);
  return { k, point: [...point], ...(branch === undefined ? {} : { branch }) };
}

/** Yields the flights of a search in ascending order, up to and including the first incomplete generation. */
export function* askedFlights(search: Search, rowOf: (k: number) => Row | undefined): Generator<AskedFlight> {
  for (let asked = search.ask(); asked !== undefined; asked = search.ask()) {
    for (const k of asked) yield orderOf(search, k);
    const rows = asked.map(rowOf);
    if (rows.includes(undefined)) return;
    search.tell(rows as readonly Row[]);
  }
}

/** Passes rows to a search in ascending order. Stops at the first incomplete generation. */
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
