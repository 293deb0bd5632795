/**
 * The classical Runge–Kutta method, order 4.
 *
 *   0   |
 *   1/2 | 1/2
 *   1/2 | 0    1/2
 *   1   | 0    0    1
 *       | 1/6  1/3  1/3  1/6
 *
 * W. Kutta, "Beitrag zur näherungsweisen Integration totaler Differentialgleichungen" (1901).
 */
import type { Tableau } from "../tableau.ts";
import { fixedStepKind } from "../fixed-step.ts";

export const rk4Tableau: Tableau = {
  order: 4,
  c: [0, 1 / 2, 1 / 2, 1],
  a: [[], [1 / 2], [0, 1 / 2], [0, 0, 1]],
  b: [1 / 6, 1 / 3, 1 / 3, 1 / 6],
};

export const rk4 = fixedStepKind({
  name: "rk4",
  about: "The classical Runge–Kutta method: fourth order, four evaluations per step",
  version: 1,
  tableau: rk4Tableau,
});
