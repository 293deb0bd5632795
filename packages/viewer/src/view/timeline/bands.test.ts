/** Spans of modes, gusts and faults are the same whether rows are read all at once or as they arrive. */
import { describe, expect, it } from "vitest";
import { RowsStore } from "../data/rows-store.ts";
import { ViewFlight } from "../store/view-flight.ts";
import { bandsOf } from "./bands.ts";

const COLUMNS = [
  { name: "nav_state", unit: "enum", about: "", signal: "navState", component: 0 },
  { name: "wind_gust_ned_n_mps", unit: "m/s", about: "", signal: "windGustNed", component: 0 },
];
const MODES = [3, 3, 4, 4, 4, 5];
const GUSTS = [0, 2, 2, 0, 0, 1];

function flightWith(batches: readonly number[]): ViewFlight {
  const flight = new ViewFlight(1, 0);
  const rows = new RowsStore(COLUMNS);
  flight.rows.value = rows;
  let at = 0;
  for (const length of batches) {
    const timesUs = Float64Array.from({ length }, (_, i) => (at + i) * 1000);
    const values = Float32Array.from([...MODES.slice(at, at + length), ...GUSTS.slice(at, at + length)]);
    rows.add(at, { timesUs, values });
    at += length;
    bandsOf(flight);
  }
  return flight;
}

const EXPECTED = {
  modes: [
    { mode: 3, fromUs: 0, toUs: 2000 },
    { mode: 4, fromUs: 2000, toUs: 5000 },
    { mode: 5, fromUs: 5000, toUs: 5000 },
  ],
  bands: [
    { kind: "gust", fromUs: 1000, toUs: 3000 },
    { kind: "gust", fromUs: 5000, toUs: 5000 },
  ],
  isComplete: true,
};

describe("bands", () => {
  it.each([[[6]], [[1, 1, 1, 1, 1, 1]], [[2, 3, 1]]])("are read from batches of %j rows", (batches) => {
    expect(bandsOf(flightWith(batches))).toEqual(EXPECTED);
  });

  it("are read again if rows are replaced", () => {
    const flight = flightWith([6]);
    flight.rows.value.add(2, { timesUs: Float64Array.of(2000), values: Float32Array.of(3, 0) });
    expect(bandsOf(flight)).toEqual({
      modes: [{ mode: 3, fromUs: 0, toUs: 2000 }],
      bands: [{ kind: "gust", fromUs: 1000, toUs: 2000 }],
      isComplete: true,
    });
  });

  it("are read in slices if there are many rows", () => {
    const flight = new ViewFlight(1, 0);
    const rows = new RowsStore(COLUMNS);
    flight.rows.value = rows;
    const count = 2000;
    const timesUs = Float64Array.from({ length: count }, (_, i) => i * 1000);
    rows.add(0, { timesUs, values: Float32Array.from({ length: 2 * count }, (_, i) => (i < count ? i >> 9 : 0)) });
    expect(bandsOf(flight, 0)).toEqual({ modes: [], bands: [], isComplete: false });
    // Each slice reads at least the rows up to the next reading of the clock.
    const all = bandsOf(flight);
    expect(all.isComplete).toBe(true);
    expect(all.modes.map(({ mode, fromUs }) => [mode, fromUs])).toEqual([0, 1, 2, 3].map((i) => [i, i * 512_000]));
  });
});
