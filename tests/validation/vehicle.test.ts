/** Compares every published number of the vehicle with ours. */
import { describe, expect, it } from "vitest";
import { isWithin } from "./row.ts";
import { vehicleRows } from "./vehicle.ts";

const rows = vehicleRows();
const areas = [...new Set(rows.map((row) => row.area))];

describe("published numbers of the vehicle", () => {
  it("are more than 70, with unique names and finite values", () => {
    expect(rows.length).toBeGreaterThan(70);
    expect(new Set(rows.map((row) => `${row.area} ${row.quantity}`)).size).toBe(rows.length);
    for (const row of rows) expect([row.published, row.ours, row.tolerance].every(Number.isFinite)).toBe(true);
  });

  it.each(areas)("%s: all within tolerance", (area) => {
    const outside = rows.filter((row) => row.area === area && !isWithin(row));
    expect(outside).toEqual([]);
  });
});
