/**
 * The induced velocity λ of a rotor: the root of the balance between blade and momentum theory (`momentum.ts`).
 *
 * Squared, so that one square root falls away, with F = λ·φ(λc/λ) and A = A0 − σ·λ the blade's angle:
 *   f(λ) = λ²·(μ² + F²) − (c·A/2)²·r,   r = 1/√(1 + (A/stall)⁴),   c = σa/6
 * With h1 = f′/2 and h2 = f″/2, Halley's step is f·h1/(2·h1² − ½·f·h2), its error that of the step to the third power.
 *
 * For λ > 0 and λc/λ > −2, with q = min(0, λc/λ), φ = 1 + λc/λ + e and e = q²·(½ + (q + 2)²·(V0 + V1·q + V2·q²)) hold in
 * climb and in descent alike, so that there is no branch on the sign of λc, which changes all the time in hover.
 */
import type { Scratch, VehicleConstants } from "../../memory.ts";

const V0 = -0.934;
const V1 = -0.9415;
const V2 = -0.2015;
// e = q²·(E0 + E1·q + E2·q² + E3·q³ + E4·q⁴)
const E0 = 0.5 + 4 * V0;
const E1 = 4 * V0 + 4 * V1;
const E2 = V0 + 4 * V1 + 4 * V2;
const E3 = V1 + 4 * V2;
const E4 = V2;

/** Where the last step was this small, relatively, its error, which goes with the third power, is below 1e-11. */
const SMALL_STEP = 5e-5;
const MOST_ITERATIONS = 60;

/**
 * Where both sides' tangents at hover inflow λh meet: blade C_T ≈ k0 + k1·(A0 − σ·λ), momentum 2λ·√(μ² + (λ + λc)²).
 */
export function startInflowInto(w: Scratch, vehicle: VehicleConstants, i: number): void {
  const lh = vehicle.hover.inflow;
  const flow = lh + w.climb[i];
  const through2 = w.across2[i] + flow * flow;
  const through = Math.sqrt(through2);
  const blade = vehicle.hover.thrustOffset + vehicle.hover.thrustSlope * w.bladeAngle[i];
  const turn = 2 * lh * flow;
  const above = blade * through + lh * turn;
  const below = 2 * through2 + turn + vehicle.hover.thrustSlope * w.angleSlope[i] * through;
  w.inflow[i] = above / below;
}

/** What a step needs of the blade at λ: r, and 1/λ, by one quotient. */
export function bladeInto(w: Scratch, vehicle: VehicleConstants, i: number): void {
  const li = w.inflow[i];
  const b = (w.bladeAngle[i] - w.angleSlope[i] * li) * vehicle.rotors[i].momentum.inverseStall;
  const b2 = b * b;
  const root = Math.sqrt(1 + b2 * b2);
  const inverse = 1 / (li * root);
  w.stallRatio[i] = b;
  w.relief[i] = li * inverse;
  w.inverseInflow[i] = root * inverse;
}

/** One step: λ, by how much it moved, and the blade's C_T at its end. */
export function halleyInto(w: Scratch, vehicle: VehicleConstants, i: number): void {
  const c = vehicle.rotors[i].momentum.lift;
  const half = 0.5 * c;
  const li = w.inflow[i];
  const lc = w.climb[i];
  const slope = w.angleSlope[i];
  const q = Math.min(0, lc * w.inverseInflow[i]);
  const q2 = q * q;
  // With e = q²·P: F′ = 1 + e − q·e′ = 1 − e − q³·P′ and λ·F″ = q²·e″ = q²·(2·P + 4·q·P′ + q²·P″).
  const even = E0 + q * (E1 + q * (E2 + q * (E3 + q * E4)));
  const odd = q * (E1 + q * (2 * E2 + q * (3 * E3 + q * (4 * E4))));
  const bend = q2 * (2 * even + 4 * odd + q2 * (2 * E2 + q * (6 * E3 + q * (12 * E4))));
  const e = q2 * even;
  const flowSlope = 1 - e - q2 * odd;
  const flow = li + lc + li * e;
  const through2 = w.across2[i] + flow * flow;
  const turn = li * flowSlope;

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
  const h2 = through2 + turn * (4 * flow + turn) + li * flow * bend - cube * pull * (1 - 6 * (b2 * b2) * r2);
  const step = (f * h1) / (2 * (h1 * h1) - 0.5 * f * h2);
  w.inflow[i] = li - step;
  w.inflowStep[i] = Math.abs(step);
  // sat(A + δ) by its Taylor polynomial: with ρ = √r, sat = A·ρ, sat′ = ρ⁵, sat″ = −5·b³·ρ⁹/stall. δ = σ·step is tiny.
  const near = slope * step * r2;
  const fold = 2.5 * vehicle.rotors[i].momentum.inverseStall * (b2 * b);
  w.thrustCoefficient[i] = c * Math.sqrt(r) * (angle + near * (1 - fold * near));
}

/**
 * Whether the steps ended at the root of the balance: the last one was small, λ > 0 and λc/λ > −2, where the polynomial
 * above is φ, and C_T ≥ 0. Squaring made a second root with λ > 0 and C_T < 0, where both sides are equal but for their
 * sign; a rotor that climbs faster than its blades pitch comes close to it.
 */
export function isInflowFound(w: Scratch, i: number): boolean {
  const li = w.inflow[i];
  return w.inflowStep[i] <= SMALL_STEP * li && w.climb[i] > -2 * li && w.thrustCoefficient[i] >= 0;
}

/** The same root by Newton's method in its bracket, between λ = 0 and the one at which the blade gives no thrust. */
export function searchInflowInto(w: Scratch, vehicle: VehicleConstants, i: number): void {
  const c = vehicle.rotors[i].momentum.lift;
  const invStall = vehicle.rotors[i].momentum.inverseStall;
  const lc = w.climb[i];
  const slope = w.angleSlope[i];
  const angle0 = w.bladeAngle[i];
  const end = angle0 / slope;
  let low = Math.min(0, end);
  let high = Math.max(0, end);
  let li = Math.max(low, Math.min(high, end > 0 ? vehicle.hover.inflow : -vehicle.hover.inflow));
  for (let k = 0; k < MOST_ITERATIONS; k += 1) {
    let flow = li + lc;
    let flowSlope = 1;
    if (li * lc < 0) {
      if (Math.abs(lc) >= 2 * Math.abs(li)) {
        flow = -flow;
        flowSlope = -1;
      } else {
        const q = lc / li;
        const e = q * q * (E0 + q * (E1 + q * (E2 + q * (E3 + q * E4))));
        flow = li + lc + li * e;
        flowSlope = 1 - e - q * q * (q * (E1 + q * (2 * E2 + q * (3 * E3 + q * (4 * E4)))));
      }
    }
    const through = Math.sqrt(w.across2[i] + flow * flow);
    const angle = angle0 - slope * li;
    const b = angle * invStall;
    const b4 = 1 + b * b * b * b;
    const root = Math.sqrt(Math.sqrt(b4));
    const residual = 2 * li * through - (c * angle) / root;
    const gradient = 2 * through + (2 * li * flow * flowSlope) / Math.max(1e-9, through) + (c * slope) / (root * b4);
    if (residual > 0) high = li;
    else low = li;
    const newton = li - residual / gradient;
    const next = newton >= low && newton <= high ? newton : 0.5 * (low + high);
    const moved = Math.abs(next - li);
    li = next;
    // Newton's error squares itself: a step of 1e-8 leaves one of 1e-16.
    if (moved <= 1e-8 * Math.abs(li) + 1e-15) break;
  }
  const angle = angle0 - slope * li;
  const b = angle * invStall;
  w.inflow[i] = li;
  w.thrustCoefficient[i] = (c * angle) / Math.sqrt(Math.sqrt(1 + b * b * b * b));
}
