/** Tests streams of all rows, streams of changes, and truncation, with more rows than one block holds. */
import { describe, expect, it } from "vitest";
import { RowBlocks } from "./row-blocks.ts";

/** More rows than a block holds. */
const COUNT = 30_000;

function filled(count = COUNT): RowBlocks {
  const rows = new RowBlocks(3);
  for (let i = 0; i < count; i += 1) rows.push(Float64Array.of(10 * i), Float64Array.of(i, Math.floor(i / 1000), -0));
  return rows;
}

const words = (...values: number[]) => new Int32Array(Float64Array.from(values).buffer);

describe("rows in blocks", () => {
  it("are returned in order, with their times", () => {
    const { name, size, timesUs, values } = filled().stream("a", 0, 2);
    expect([name, size, timesUs.length, values.length]).toEqual(["a", 2, COUNT, 2 * COUNT]);
    expect(timesUs.every((tUs, i) => tUs === 10 * i)).toBe(true);
    expect(values.every((value, i) => value === (i % 2 === 0 ? i / 2 : Math.floor((i - 1) / 2000)))).toBe(true);
  });

  it("can be reduced to the rows in which the bits of a column changed", () => {
    const rows = filled();
    rows.push(Float64Array.of(10 * COUNT), Float64Array.of(0, 29, 0));
    const { timesUs, values } = rows.changes("b", 1, 1);
    expect([...values]).toEqual(Array.from({ length: 30 }, (_, i) => i));
    expect([...timesUs]).toEqual(Array.from({ length: 30 }, (_, i) => 10_000 * i));
    expect([...rows.changes("c", 2, 1).values]).toEqual([-0, 0]);
    expect(rows.changes("a", 0, 1).timesUs).toHaveLength(COUNT + 1);
  });

  it.each([0, 1, 8192, 10_000, 29_999, COUNT])("can be truncated to %i rows and continued", (count) => {
    const rows = filled();
    rows.truncate(10 * count);
    expect(rows.endsWith(words(count - 1, Math.floor((count - 1) / 1000), -0))).toBe(count > 0);
    expect(rows.endsWith(words(count - 1, Math.floor((count - 1) / 1000), 0))).toBe(false);
    for (let i = count; i < COUNT; i += 1)
      rows.push(Float64Array.of(10 * i), Float64Array.of(i, Math.floor(i / 1000), -0));
    expect(rows.stream("all", 0, 3)).toEqual(filled().stream("all", 0, 3));
  });

  it("may be wider than a block, or have no values", () => {
    const wide = new RowBlocks(40_000);
    const values = Float64Array.from({ length: 40_000 }, (_, i) => i);
    for (let i = 0; i < 3; i += 1) wide.push(Float64Array.of(i), values);
    expect([...wide.stream("last", 39_999, 1).values]).toEqual([39_999, 39_999, 39_999]);
    const none = new RowBlocks(0);
    none.push(Float64Array.of(5), new Float64Array(0));
    expect(none.stream("none", 0, 0).timesUs).toEqual(Float64Array.of(5));
  });
});
