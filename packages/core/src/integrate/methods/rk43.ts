/**
 * Kutta's 3/8 rule, order 4, with an error estimate of order 3 that uses the slope at the end of the step.
 *
 *   0   |
 *   1/3 | 1/3
 *   2/3 | −1/3 1
 *   1   | 1    −1   1
 *   1   | 1/8  3/8  3/8  1/8
 *   b   | 1/8  3/8  3/8  1/8  0
 *   b̂   | 1/12 1/2  1/4  0    1/6
 *
 * W. Kutta, "Beitrag zur näherungsweisen Integration totaler Differentialgleichungen" (1901); embedded formulas that use
 * the slope at the end: Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I (1993), section II.4. The
 * nodes of the classical method are too few for this: its estimate would be zero for a slope that depends on time only.
 */
import type { Tableau } from "../tableau.ts";
import { adaptiveKind } from "../adaptive.ts";

export const rk43Tableau: Tableau = {
  order: 4,
  c: [0, 1 / 3, 2 / 3, 1, 1],
  a: [[], [1 / 3], [-1 / 3, 1], [1, -1, 1], [1 / 8, 3 / 8, 3 / 8, 1 / 8]],
  b: [1 / 8, 3 / 8, 3 / 8, 1 / 8, 0],
  e: [1 / 8 - 1 / 12, 3 / 8 - 1 / 2, 3 / 8 - 1 / 4, 1 / 8, -1 / 6],
};

export const rk43 = adaptiveKind({
  name: "rk43",
  about: "Kutta's 3/8 rule with an estimate of order 3: fourth order with step control, for intervals of milliseconds",
  version: 1,
  tableau: rk43Tableau,
});
