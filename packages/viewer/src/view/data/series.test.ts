/** Compares quantities and plot lines with plain loops over the rows. */
import { describe, expect, it } from "vitest";
import { FlightSession } from "@escapement/core";
import { Pyramid } from "./pyramid.ts";
import { findQuantity } from "./quantities.ts";
import { RowsStore } from "./rows-store.ts";
import { FlightSeries, plotTimes } from "./series.ts";

function flySpec(spec: object): RowsStore {
  const times: number[] = [];
  const copied: Float32Array[] = [];
  const session = FlightSession.open(spec, {
    onRow: (tUs, row) => {
      times.push(tUs);
      copied.push(Float32Array.from(row as ArrayLike<number>));
    },
  });
  session.advance();
  const { columns } = session.flight;
  const rows = new RowsStore(columns);
  const values = Float32Array.from(
    { length: columns.length * times.length },
    (_, i) => copied[i % times.length]![Math.floor(i / times.length)]!,
  );
  rows.add(0, { timesUs: Float64Array.from(times), values });
  return rows;
}

describe("the pyramid of extremes", () => {
  it("agrees with a plain loop over any range, even while the column grows", () => {
    const values = Float32Array.from({ length: 5000 }, (_, i) => ((i * 7919) % 1009) - (i % 97 === 0 ? 5000 : 0));
    values[777] = Number.NaN;
    const column = { values, count: 1000 };
    const pyramid = new Pyramid(column);
    const out = new Float32Array(2);
    for (const count of [1000, 1003, 5000]) {
      column.count = count;
      for (const [from, to] of [
        [0, count],
        [3, 19],
        [15, 700],
        [777, 778],
        [640, count - 1],
      ] as const) {
        pyramid.rangeInto(out, 0, from, to);
        const part = [...values.subarray(from, Math.min(to, count))].filter((value) => !Number.isNaN(value));
        const expected = part.length === 0 ? [Number.NaN, Number.NaN] : [Math.min(...part), Math.max(...part)];
        expect([...out]).toEqual(expected);
      }
    }
  });
});

describe("the lines of a plot", () => {
  const rows = flySpec({ extends: "mission", timeline: { endS: 20 } });
  const series = new FlightSeries(rows);

  it("show a spike of one row at every zoom", () => {
    const store = new RowsStore([{ name: "x", unit: "m", about: "", signal: "x", component: 0 }]);
    const values = new Float32Array(100_000);
    values[54_321] = 9;
    store.add(0, { timesUs: Float64Array.from(values, (_, i) => i * 1000), values });
    const line = new FlightSeries(store).get("x[0]")!;
    for (const width of [1e8, 1e7, 1e6, 1e5]) {
      const span = { fromUs: 54_321_000 - width / 3, toUs: 54_321_000 + width / 2 };
      const points = [...line.valuesAt(plotTimes(store, span, 600))].filter((value) => !Number.isNaN(value));
      expect(Math.max(...points)).toBe(9);
    }
  });

  it("have one point per row if there are few rows", () => {
    const times = plotTimes(rows, { fromUs: 5_000_000, toUs: 5_200_000 }, 600);
    expect(times.bucketUs).toBeUndefined();
    const altitude = series.get("altitude")!.valuesAt(times);
    times.timesUs.forEach((tUs, i) => {
      expect(altitude[i]).toBe(-rows.value(rows.place("posNed", 2), rows.rowAt(tUs)));
    });
  });

  it("for setpoints have no points while the setpoint is inactive", () => {
    expect(series.get("setAltitude")!.at(0)).toBeNaN();
    expect(series.get("setAltitude")!.at(rows.rowAt(15e6))).toBeGreaterThan(5);
  });

  it("for derived quantities follow the definition of the quantity", () => {
    const row = rows.rowAt(8e6);
    const slope = (series.get("altitude")!.at(row) - series.get("altitude")!.at(row - 1)) / 0.02;
    expect(series.get("d/dt altitude")!.at(row)).toBeCloseTo(slope, 3);
    expect(series.get("climb")!.at(row)).toBeCloseTo(slope, 1);
    const speed = Math.hypot(...[0, 1, 2].map((i) => rows.value(rows.place("velNed", i), row)));
    expect(series.get("norm velNed")!.at(row)).toBeCloseTo(speed, 5);
    const error = series.get("altitude")!.at(row) - series.get("setAltitude")!.at(row);
    expect(series.get("altitude - setAltitude")!.at(row)).toBeCloseTo(error, 4);
    expect(findQuantity(series.quantities, "d/dt nothing")).toBeUndefined();
  });

  it("for yaw and its setpoint do not jump by whole turns", () => {
    const store = new RowsStore(
      ["qBodyToNed", "setQBodyToNed"].flatMap((signal) =>
        [0, 1, 2, 3].map((component) => ({ name: "q", unit: "1", about: "", signal, component })),
      ),
    );
    const count = 400;
    const angles = Array.from({ length: count }, (_, i) => (i * 5 * Math.PI) / 180);
    const zeros = angles.map(() => 0);
    const turning = [angles.map((a) => Math.cos(a / 2)), zeros, zeros, angles.map((a) => Math.sin(a / 2))].flat();
    const values = Float32Array.from([...turning, ...turning]);
    store.add(0, { timesUs: Float64Array.from(angles, (_, i) => i), values });
    for (const name of ["att2", "setAtt2"]) {
      expect(new FlightSeries(store).get(name)!.at(count - 1)).toBeCloseTo(5 * (count - 1), 2);
    }
  });
});

describe("values of many rows", () => {
  it("are the same whether they are computed in slices or in one call", () => {
    const count = 2000;
    const rows = new RowsStore([{ name: "x", unit: "m", about: "" }]);
    const values = Float32Array.from({ length: count }, (_, i) => Math.sin(i));
    rows.add(0, { timesUs: Float64Array.from(values, (_, i) => i * 1000), values });
    const series = new FlightSeries(rows).get("x[0]")!;
    expect(series.prepare(0)).toBe(false);
    expect(series.peek(3)).toBeNaN();
    expect(series.prepare(Infinity)).toBe(true);
    expect([3, 1999].map((row) => series.peek(row))).toEqual([values[3], values[1999]]);
  });
});
