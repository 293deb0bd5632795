/** Tests rows in chunks, rows that a branch shares with its parents, and values between rows. */
import { describe, expect, it } from "vitest";
import type { Column } from "@escapement/core";
import { RowsStore } from "./rows-store.ts";
import { attitudeAt, placeAt, signalAt } from "./sample.ts";

const column = (signal: string, component: number, unit = "m"): Column => ({
  name: `${signal}_${component}`,
  unit,
  about: "",
  signal,
  component,
});
const COLUMNS = [column("posNed", 0), column("posNed", 1), column("navState", 0, "enum")];

/** Makes rows every 20 ms; the values of column c are `start + 10 000 c + row`. */
function batch(first: number, rows: number, start = 0) {
  const timesUs = Float64Array.from({ length: rows }, (_, i) => (first + i) * 20_000);
  const values = Float32Array.from(
    { length: 3 * rows },
    (_, i) => start + 10_000 * Math.floor(i / rows) + first + (i % rows),
  );
  return { timesUs, values };
}

describe("rows", () => {
  it("keep every value across the borders of chunks, in batches of any size", () => {
    const rows = new RowsStore(COLUMNS);
    for (const [first, count] of [
      [0, 3],
      [3, 5000],
      [5003, 1],
      [5004, 9000],
    ] as const)
      rows.add(first, batch(first, count));
    expect(rows.count).toBe(14_004);
    for (const row of [0, 4095, 4096, 5003, 8192, 14_003]) {
      expect([rows.timeUs(row), rows.value(1, row), rows.rowAt(row * 20_000)]).toEqual([
        row * 20_000,
        10_000 + row,
        row,
      ]);
    }
    expect([3000, 4095, 4096, 8999].map((row) => rows.value(2, row))).toEqual([23_000, 24_095, 24_096, 28_999]);
  });

  it("replace rows that are sent again, and drop later ones", () => {
    const rows = new RowsStore(COLUMNS);
    rows.add(0, batch(0, 10));
    rows.add(4, batch(4, 2, 100));
    expect([rows.count, rows.value(0, 3), rows.value(0, 4)]).toEqual([6, 3, 104]);
  });

  it("store one number for a column while it is constant, and return the same values", () => {
    const rows = new RowsStore(COLUMNS);
    const constant = (first: number, count: number, value: number) => ({
      timesUs: Float64Array.from({ length: count }, (_, i) => (first + i) * 20_000),
      values: Float32Array.from({ length: 3 * count }, (_, i) => (i < count ? first + i : i < 2 * count ? value : NaN)),
    });
    rows.add(0, constant(0, 600, 7));
    const before = rows.ownBytes;
    rows.add(600, constant(600, 300, 7));
    expect(rows.ownBytes).toBe(before);
    rows.add(900, constant(900, 10, -0));
    expect(rows.ownBytes).toBeGreaterThan(before);
    expect([0, 899, 900, 909].map((row) => rows.value(1, row))).toEqual([7, 7, -0, -0]);
    expect([0, 909].map((row) => rows.value(2, row))).toEqual([NaN, NaN]);
    expect(rows.value(0, 905)).toBe(905);
    // Rows that are sent again also replace the rows of a constant column.
    rows.add(100, constant(100, 5, 8));
    expect([99, 100, 104].map((row) => rows.value(1, row))).toEqual([7, 8, 8]);
    expect(rows.count).toBe(105);
  });

  it("count the memory of columns that are sent, dropped, filled and dropped again", () => {
    const rows = new RowsStore(COLUMNS);
    const timesOnly = 8 * 1024;
    rows.add(0, batch(0, 100));
    const held = rows.ownBytes;
    expect((held - timesOnly) % 4096).toBe(0);
    expect(held).toBeGreaterThan(timesOnly);
    rows.drop(0);
    expect(rows.ownBytes).toBe(held - 4096);
    rows.fill(0, new Float32Array(100));
    rows.fill(0, new Float32Array(50));
    expect(rows.ownBytes).toBe(held - 4096 + 200);
    rows.drop(0);
    expect(rows.ownBytes).toBe(held - 4096);
  });

  it("of a branch of a branch begin with the rows of its parents", () => {
    const root = new RowsStore(COLUMNS);
    root.add(0, batch(0, 100));
    const child = new RowsStore(COLUMNS, { parent: root, sharedUs: 50 * 20_000 });
    child.add(0, batch(50, 50, 1000));
    const grandchild = new RowsStore(COLUMNS, { parent: child, sharedUs: 60 * 20_000 });
    grandchild.add(0, batch(60, 10, 2000));
    expect(grandchild.count).toBe(70);
    expect([49, 50, 59, 60, 69].map((row) => grandchild.value(0, row))).toEqual([49, 1050, 1059, 2060, 2069]);
  });
});

describe("values between rows", () => {
  it("are interpolated, except codes, and never across a fork", () => {
    const rows = new RowsStore(COLUMNS);
    rows.add(0, batch(0, 10));
    const out = new Float64Array(1);
    expect(signalAt(rows, "posNed", placeAt(rows, 30_000), out)[0]).toBe(1.5);
    expect(signalAt(rows, "navState", placeAt(rows, 30_000), out)[0]).toBe(20_001);
    const child = new RowsStore(COLUMNS, { parent: rows, sharedUs: 100_000 });
    child.add(0, batch(5, 5, 1000));
    expect(signalAt(child, "posNed", placeAt(child, 90_000), out)[0]).toBe(4);
  });

  it("of an attitude lie on the shorter arc", () => {
    const quaternion = [0, 1, 2, 3].map((i) => column("qBodyToNed", i, "1"));
    const rows = new RowsStore(quaternion);
    // A quarter turn about z. The second quaternion has the opposite sign, which is the same attitude.
    rows.add(0, {
      timesUs: Float64Array.of(0, 100),
      values: Float32Array.of(1, -Math.SQRT1_2, 0, 0, 0, 0, 0, -Math.SQRT1_2),
    });
    const half = attitudeAt(rows, "qBodyToNed", placeAt(rows, 50), new Float64Array(4));
    expect(half[0]).toBeCloseTo(Math.cos(Math.PI / 8), 6);
    expect(half[3]).toBeCloseTo(Math.sin(Math.PI / 8), 6);
  });
});
