/** Tests the lowest and highest value over a time span, including spans with empty rows. */
import { describe, expect, it } from "vitest";
import { Table } from "./table.ts";

const nothing = Number.NaN;

describe("the range over a time span", () => {
  const columns = { t: [0, 0.5, 1, 1.5, 2], error: [nothing, 3, 1, nothing, nothing] };
  const table = new Table({ rows: 5, columns: Object.keys(columns) }, Float32Array.from(Object.values(columns).flat()));

  it("skips empty rows", () => {
    expect(table.range("error", 0, 1)).toEqual([3, 3]);
    expect(table.range("error", 0, 2)).toEqual([1, 3]);
  });

  it("is undefined if every row is empty", () => {
    expect(table.range("error", 2, 3)).toBeUndefined();
  });
});
