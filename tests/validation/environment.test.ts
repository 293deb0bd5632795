/** Compares every published number of the environment with ours. */
import { describe, expect, it } from "vitest";
import { environmentRows } from "./environment.ts";
import { isWithin } from "./row.ts";

const rows = environmentRows();
const areas = [...new Set(rows.map((row) => row.area))];

describe("published numbers of the environment", () => {
  it("are more than 800, with unique names and finite values", () => {
    expect(rows.length).toBeGreaterThan(800);
    expect(new Set(rows.map((row) => `${row.area} ${row.quantity}`)).size).toBe(rows.length);
    for (const row of rows) expect([row.published, row.ours, row.tolerance].every(Number.isFinite)).toBe(true);
  });

  it.each(areas)("%s: all within tolerance", (area) => {
    const outside = rows.filter((row) => row.area === area && !isWithin(row));
    expect(outside).toEqual([]);
  });
});
