/**
 * The method of Dormand and Prince, order 5 with an error estimate of order 4.
 *
 *   0    |
 *   1/5  | 1/5
 *   3/10 | 3/40        9/40
 *   4/5  | 44/45       −56/15       32/9
 *   8/9  | 19372/6561  −25360/2187  64448/6561  −212/729
 *   1    | 9017/3168   −355/33      46732/5247  49/176   −5103/18656
 *   1    | 35/384      0            500/1113    125/192  −2187/6784     11/84
 *   b    | 35/384      0            500/1113    125/192  −2187/6784     11/84     0
 *   b̂    | 5179/57600  0            7571/16695  393/640  −92097/339200  187/2100  1/40
 *
 * J. R. Dormand & P. J. Prince, "A family of embedded Runge–Kutta formulae", J. Comp. Appl. Math. 6 (1980). The dense
 * output of order 4 is Shampine's (1986), with the coefficients d as Hairer, Nørsett & Wanner give them in DOPRI5.
 */
import type { Tableau } from "../tableau.ts";
import { adaptiveKind } from "../adaptive.ts";

export const rk45Tableau: Tableau = {
  order: 5,
  c: [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1],
  a: [
    [],
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
  ],
  b: [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0],
  e: [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40],
  d: [
    -12715105075 / 11282082432,
    0,
    87487479700 / 32700410799,
    -10690763975 / 1880347072,
    701980252875 / 199316789632,
    -1453857185 / 822651844,
    69997945 / 29380423,
  ],
};

export const rk45 = adaptiveKind({
  name: "rk45",
  about: "Dormand–Prince 5(4): fifth order with step control and dense output",
  version: 1,
  tableau: rk45Tableau,
});
