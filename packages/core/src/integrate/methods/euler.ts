/**
 * Euler's method, order 1: the slope at the start, held over the step.
 *
 *   0 |
 *     | 1
 *
 * L. Euler, Institutionum calculi integralis I (1768), §650. For comparison and teaching.
 */
import type { Tableau } from "../tableau.ts";
import { fixedStepKind } from "../fixed-step.ts";

const eulerTableau: Tableau = { order: 1, c: [0], a: [[]], b: [1] };

export const euler = fixedStepKind({
  name: "euler",
  about: "Euler's method: first order, one evaluation per step",
  version: 1,
  tableau: eulerTableau,
});
