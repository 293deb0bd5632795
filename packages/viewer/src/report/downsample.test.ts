/** Downsampling keeps every visible extreme, at any length. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { downsample, Downsampling } from "./downsample.ts";

const one = (values: ArrayLike<number>, sample = false) => ({ name: "x", values: Float64Array.from(values), sample });

describe("downsampling", () => {
  it("leaves short columns unchanged", () => {
    const { columns, rows, rowsPerBucket } = downsample([one([1, -0, 3])], 3);
    expect([...columns[0]!.values]).toEqual([1, -0, 3]);
    expect([rows, rowsPerBucket]).toEqual([3, 1]);
  });

  it("returns at most one bucket more than requested, and keeps the minimum and maximum", () => {
    fc.assert(
      fc.property(
        fc.float64Array({ minLength: 1, maxLength: 500, noNaN: true, min: -1e6, max: 1e6 }),
        fc.integer({ min: 4, max: 60 }),
        (values, maxRows) => {
          const { columns, rows } = downsample([one(values)], maxRows);
          const kept = columns[0]!.values;
          // The last bucket may be short, but has two rows like the others.
          expect(rows).toBeLessThanOrEqual(maxRows + 2);
          expect(Math.min(...kept)).toBe(Math.fround(Math.min(...values)));
          expect(Math.max(...kept)).toBe(Math.fround(Math.max(...values)));
        },
      ),
    );
  });

  it("keeps a spike of one row in a million", () => {
    const values = new Float64Array(1_000_000);
    values[765_432] = 9;
    const { columns, rows } = downsample([one(values)], 12_000);
    expect(rows).toBeLessThanOrEqual(12_000);
    expect(columns[0]!.values.filter((value) => value === 9)).toHaveLength(1);
  });

  it("keeps sampled rows of columns with `sample` set, including the last row", () => {
    const values = Float64Array.from({ length: 1001 }, (_, i) => i);
    const { columns } = downsample([one(values, true)], 100);
    const kept = [...columns[0]!.values];
    expect(kept.every((value, i) => Number.isInteger(value) && (i === 0 || value >= kept[i - 1]!))).toBe(true);
    expect([kept[0], kept.at(-1)]).toEqual([0, 1000]);
  });

  it("skips gaps in intermittent setpoints", () => {
    const values = Float64Array.from({ length: 400 }, (_, i) => (i % 4 === 0 ? i : Number.NaN));
    const { columns } = downsample([one(values)], 40);
    expect(columns[0]!.values.every((value) => !Number.isNaN(value))).toBe(true);
  });

  it.each([5000, 12_289, 30_000])("gives the same rows for %i rows that are added piece by piece", (count) => {
    const values = Float64Array.from({ length: count }, (_, i) => Math.sin(i * i));
    const sampled = { ...one(values, true), name: "sampled" };
    const downsampling = new Downsampling(count, 6000);
    for (let start = 0; start < count; start += downsampling.rowsPerPiece) {
      const piece = values.subarray(start, start + downsampling.rowsPerPiece);
      downsampling.add([one(piece), { ...sampled, values: piece }]);
    }
    expect(downsampling.result()).toEqual(downsample([one(values), sampled], 6000));
  });
});
