/** The flights that a search asked for, found again from its rows: its state follows from them. */
import type { Row, Search } from "../contracts.ts";

interface AskedFlight {
  readonly k: number;
  /** Unit coordinates of the varied keys. */
  readonly point: readonly number[];
}

/** In the order of their numbers, up to and including the first generation that is not complete. */
export function* askedFlights(search: Search, rowOf: (k: number) => Row | undefined): Generator<AskedFlight> {
  const point = new Float64Array(search.dimension);
  for (let asked = search.ask(); asked !== undefined; asked = search.ask()) {
    for (const k of asked) {
      search.pointInto(k, point);
      yield { k, point: [...point] };
    }
    const rows = asked.map(rowOf);
    if (rows.includes(undefined)) return;
    search.tell(rows as readonly Row[]);
  }
}
