// Lookup tables: exact on their points, straight between them, held beyond, and refused when they are no function.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SimError } from "../errors/index.ts";
import { LookupTable } from "./lookup.ts";

describe("LookupTable", () => {
  const table = new LookupTable({ grid: [0, 0.1, 0.5, 1], values: [3, 3.5, 3.7, 4.2] });

  it("is exact on grid points, straight between them and held at the ends", () => {
    expect([0, 0.1, 0.5, 1].map((x) => table.at(x))).toEqual([3, 3.5, 3.7, 4.2]);
    expect(table.at(0.05)).toBeCloseTo(3.25, 15);
    expect(table.at(0.75)).toBeCloseTo(3.95, 15);
    expect([table.at(-1), table.at(-Infinity), table.at(2), table.at(Infinity)]).toEqual([3, 3, 4.2, 4.2]);
    expect(table.at(NaN)).toBeNaN();
  });

  it("is constant with one point", () => {
    const one = new LookupTable({ grid: [5], values: [7] });
    expect([one.at(-9), one.at(5), one.at(9)]).toEqual([7, 7, 7]);
    expect(one.at(NaN)).toBeNaN();
  });

  it("keeps its own copy of the points", () => {
    const values = [1, 2];
    const copy = new LookupTable({ grid: [0, 1], values });
    values[1] = 99;
    expect(copy.at(1)).toBe(2);
  });

  it.each([
    { grid: [], values: [] },
    { grid: [0, 1], values: [1] },
    { grid: [0, 0], values: [1, 2] },
    { grid: [1, 0], values: [1, 2] },
    { grid: [0, NaN], values: [1, 2] },
    { grid: [0, Infinity], values: [1, 2] },
    { grid: [0, 1], values: [1, NaN] },
    { grid: [0, 1e-300], values: [-1e300, 1e300] },
  ])("refuses $grid → $values with a typed error", (points) => {
    expect(() => new LookupTable(points)).toThrow(SimError);
    expect(() => new LookupTable(points)).toThrow(/MATH-001/);
  });

  it("finds the right segment of any table, and stays between its neighbours", () => {
    const point = fc.tuple(
      fc.double({ min: 1e-3, max: 10, noNaN: true }),
      fc.double({ min: -50, max: 50, noNaN: true }),
    );
    fc.assert(
      fc.property(
        fc.array(point, { minLength: 2, maxLength: 40 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (points, part) => {
          let x = -20;
          const grid = points.map(([step]) => (x += step));
          const values = points.map(([, value]) => value);
          const made = new LookupTable({ grid, values });
          grid.forEach((g, i) => expect(made.at(g) === values[i]).toBe(true));
          for (let i = 0; i + 1 < grid.length; i++) {
            const at = grid[i] + part * (grid[i + 1] - grid[i]);
            const exact = values[i] + part * (values[i + 1] - values[i]);
            expect(Math.abs(made.at(at) - exact)).toBeLessThan(1e-9);
          }
        },
      ),
    );
  });
});
