/**
 * Verification problems, which are plants with known solutions, the runner that simulates them, and an integrator that
 * keeps the state constant, so that other parts can be tested alone.
 */
import { circularOrbit, eccentricOrbit } from "./kepler.ts";
import { harmonicOscillator } from "./oscillator.ts";
import { largePendulum, smallPendulum } from "./pendulum.ts";
import { oscillatorRotorBattery } from "./powertrain.ts";
import type { VerificationProblem } from "./problem.ts";
import { torqueFreeBody, tumblingBrick } from "./free-top.ts";

export type { VerificationProblem } from "./problem.ts";
export { verdictOf } from "./limits.ts";
export { standstill } from "./standstill.ts";
export { verificationTable, verify, verifyAll } from "./runner.ts";

/** Problems with known solutions, as plants. */
export const verificationProblems: readonly VerificationProblem[] = [
  harmonicOscillator,
  smallPendulum,
  largePendulum,
  circularOrbit,
  eccentricOrbit,
  torqueFreeBody,
  tumblingBrick,
  oscillatorRotorBattery,
];
