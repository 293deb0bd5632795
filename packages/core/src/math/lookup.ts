// A function given by points: straight lines between them, the end values held beyond. Checked once, when it is built, so
// that the look-up itself cannot fail and allocates nothing: it is called from right-hand sides (battery voltage, propeller data).

import { mathErrors } from "./errors.ts";

export interface LookupPoints {
  /** Where the values stand; strictly increasing. */
  readonly grid: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

export class LookupTable {
  readonly #grid: Float64Array;
  readonly #values: Float64Array;
  readonly #slopes: Float64Array;

  constructor(points: LookupPoints) {
    checkPoints(points);
    this.#grid = Float64Array.from(points.grid);
    this.#values = Float64Array.from(points.values);
    this.#slopes = new Float64Array(this.#grid.length);
    for (let i = 0; i + 1 < this.#grid.length; i++) {
      this.#slopes[i] = (this.#values[i + 1] - this.#values[i]) / (this.#grid[i + 1] - this.#grid[i]);
    }
  }

  /** The value at x: exact on grid points, NaN for NaN. */
  at(x: number): number {
    const grid = this.#grid;
    const last = grid.length - 1;
    if (x <= grid[0]) return this.#values[0];
    if (x >= grid[last]) return this.#values[last];
    // Invariant: grid[low] ≤ x < grid[high].
    let low = 0;
    let high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (x < grid[middle]) high = middle;
      else low = middle;
    }
    return this.#values[low] + this.#slopes[low] * (x - grid[low]);
  }
}

function checkPoints({ grid, values }: LookupPoints): void {
  const complain = (what: string): never => {
    throw mathErrors.badTable({ what, fix: "Give one finite value for every point of a strictly increasing grid." });
  };
  if (grid.length === 0) complain("the table is empty");
  if (grid.length !== values.length)
    complain(`the grid has ${grid.length} points, but there are ${values.length} values`);
  for (let i = 0; i < grid.length; i++) {
    if (!Number.isFinite(grid[i])) complain(`grid point ${i + 1} is ${grid[i]}`);
    if (!Number.isFinite(values[i])) complain(`value ${i + 1} is ${values[i]}`);
    if (i === 0) continue;
    if (!(grid[i] > grid[i - 1]))
      complain(`grid point ${i + 1}, ${grid[i]}, does not exceed the one before, ${grid[i - 1]}`);
    if (!Number.isFinite((values[i] - values[i - 1]) / (grid[i] - grid[i - 1]))) {
      complain(`the slope between points ${i} and ${i + 1} overflows`);
    }
  }
}
