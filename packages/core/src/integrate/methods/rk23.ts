/**
 * The method of Bogacki and Shampine, order 3 with an error estimate of order 2.
 *
 *   0   |
 *   1/2 | 1/2
 *   3/4 | 0    3/4
 *   1   | 2/9  1/3  4/9
 *   b   | 2/9  1/3  4/9  0
 *   b̂   | 7/24 1/4  1/3  1/8
 *
 * P. Bogacki & L. F. Shampine, "A 3(2) pair of Runge–Kutta formulas", Appl. Math. Lett. 2 (1989).
 */
import type { Tableau } from "../tableau.ts";
import { adaptiveKind } from "../adaptive.ts";

export const rk23Tableau: Tableau = {
  order: 3,
  c: [0, 1 / 2, 3 / 4, 1],
  a: [[], [1 / 2], [0, 3 / 4], [2 / 9, 1 / 3, 4 / 9]],
  b: [2 / 9, 1 / 3, 4 / 9, 0],
  e: [2 / 9 - 7 / 24, 1 / 3 - 1 / 4, 4 / 9 - 1 / 3, -1 / 8],
};

export const rk23 = adaptiveKind({
  name: "rk23",
  about: "Bogacki–Shampine 3(2): third order with step control, for loose tolerances",
  version: 1,
  tableau: rk23Tableau,
});
