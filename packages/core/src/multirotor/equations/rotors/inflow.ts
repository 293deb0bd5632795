/**
 * The induced velocity λ of a rotor: the root of the balance between blade and momentum theory (`momentum.ts`).
 *
 * The balance is squared, which removes one square root. With F of `throughflow.ts`, the blade's angle A = A0 − A1·λ,
 * its solidity σ and its lift slope a:
 *   f(λ) = λ²·(μ² + F²) − (c·A/2)²·r,   r = 1/√(1 + (A/stall)⁴),   c = σa/6
 * With h1 = f′/2 and h2 = f″/2, Halley's step is f·h1/(2·h1² − ½·f·h2), whose error is cubic in the step.
 * Two steps are made in every state, without a branch.
 */
import type { Scratch, VehicleConstants } from "../../memory.ts";
import { axialFlowInto, isAxialFlow, throughflowInto } from "./throughflow.ts";

/** If the last relative step is below this, the error, which is cubic in it, is below 1e-11. */
const SMALL_STEP = 2e-5;

/**
 * Sets λ to the inflow at which the tangents of both sides, taken at the hover inflow λh, meet. The sides are blade
 * theory, C_T ≈ c·(k0 + k1·(A0 − A1·λ)), and momentum theory, C_T = 2λ·√(μ² + (λ + λc)²).
 */
export function startInflowInto(w: Scratch, vehicle: VehicleConstants, i: number): void {
  const lh = vehicle.hover.inflow;
  const flow = lh + w.climb[i];
  const through2 = w.across2[i] + flow * flow;
  const through = Math.sqrt(through2);
  const lift = w.lift[i];
  const slope = lift * vehicle.hover.thrustSlope;
  const blade = lift * vehicle.hover.thrustOffset + slope * w.bladeAngle[i];
  const turn = 2 * lh * flow;
  const numerator = blade * through + lh * turn;
  const denominator = 2 * through2 + turn + slope * w.angleSlope[i] * through;
  w.inflow[i] = numerator / denominator;
}

export function inflowStepInto(w: Scratch, vehicle: VehicleConstants, i: number): void {
  bladeInto(w, vehicle, i);
  if (isAxialFlow(w, i)) axialFlowInto(w, i);
  else throughflowInto(w, i);
  halleyInto(w, vehicle, i);
}

/** Computes the values of the blade at λ that a step needs: its angle divided by the stall angle, and r. */
export function bladeInto(w: Scratch, vehicle: VehicleConstants, i: number): void {
  const b = (w.bladeAngle[i] - w.angleSlope[i] * w.inflow[i]) * vehicle.rotors[i].momentum.inverseStall;
  const b2 = b * b;
  w.stallRatio[i] = b;
  w.relief[i] = 1 / Math.sqrt(1 + b2 * b2);
}

/**
 * Makes one step with F, F′ and λ·F″ from `flow`, `flowSlope` and `flowBend`. Computes λ, the size of the step, and the
 * blade's C_T at its end. Values are passed in scratch cells, because numbers passed through calls would be allocated.
 */
export function halleyInto(w: Scratch, vehicle: VehicleConstants, i: number): void {
  const c = w.lift[i];
  const half = 0.5 * c;
  const li = w.inflow[i];
  const slope = w.angleSlope[i];
  const flow = w.flow[i];
  const through2 = w.across2[i] + flow * flow;
  const turn = li * w.flowSlope[i];

  const b = w.stallRatio[i];
  const b2 = b * b;
  const r = w.relief[i];
  const r2 = r * r;
  const angle = w.bladeAngle[i] - slope * li;
  const lift = half * angle;
  const pull = half * slope;
  const cube = pull * (r2 * r);
  const f = li * li * through2 - lift * lift * r;
  const h1 = li * (through2 + turn * flow) + cube * lift;
  const h2 = through2 + turn * (4 * flow + turn) + w.flowBend[i] * (li * flow) - cube * pull * (1 - 6 * (b2 * b2) * r2);
  const step = (f * h1) / (2 * (h1 * h1) - 0.5 * f * h2);
  w.inflow[i] = li - step;
  w.inflowStep[i] = Math.abs(step);
  // sat(A + δ) by its Taylor polynomial: with ρ = √r, sat = A·ρ, sat′ = ρ⁵, sat″ = −5·b³·ρ⁹/stall. δ = A1·step is
  // tiny.
  const near = slope * step * r2;
  const fold = 2.5 * vehicle.rotors[i].momentum.inverseStall * (b2 * b);
  w.thrustCoefficient[i] = c * Math.sqrt(r) * (angle + near * (1 - fold * near));
}

/**
 * Whether the steps ended at the root of the balance: the last one was small, λ > 0, λc/λ > −2, and C_T ≥ 0. Squaring
 * adds a second root with λ > 0 and C_T < 0, at which both sides differ only in sign; a rotor that climbs faster than
 * its blade pitch allows comes close to it.
 */
export function isInflowFound(w: Scratch, i: number): boolean {
  const li = w.inflow[i];
  return w.inflowStep[i] <= SMALL_STEP * li && w.climb[i] > -2 * li && w.thrustCoefficient[i] >= 0;
}
