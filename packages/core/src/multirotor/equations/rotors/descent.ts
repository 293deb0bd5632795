/**
 * The induced velocity of a rotor that descends, and the thrust that it loses in its own wake.
 *
 * Momentum theory fails between slow descent and the windmill state. There φ = F/λ is 1 + q + e with q = λc/λ and, with
 * s = min(0, q + 0.05), e = s⁴·P(s): three derivatives vanish where the correction begins, so that a method of order
 * four keeps its order while a hovering rotor climbs and sinks. P is fitted to the measured curve vi/vh = 1 − 1.125x −
 * 1.372x² − 1.718x³ − 0.655x⁴, x = Vc/vh (Leishman §2.13.3), rewritten by φ = (vh/vi)², q = Vc/vi; it reproduces vi/vh
 * within 0.1 for x > −1.7. e = 2 and e′ = −2 at q = −2 join the windmill state, φ = −1 − q. x falls with q, so the
 * balance has one root.
 *
 * In addition, the vortex ring reduces the thrust and makes it unsteady. With the mean induced velocity alone the
 * thrust at constant speed would rise in descent; propellers in a tunnel lose thrust, which also fluctuates by up to
 * ±30 % (Shetty & Selig, AIAA 2011-1254). Both are largest at the same descent, and vanish before the ring forms and
 * after the wake has turned upwards, so that one window covers them:
 *   C_T ← C_T·(1 − B·(loss + unsteadiness·ξ)),  B = (λ²/(λ² + μ²))²·max(0, 1 − ((q + 0.57)/0.47)²)¹².
 * ξ is the input `wakeUnsteadiness`. Centre and width are fitted to the mean thrust of that report's APC 10 × 5 and put
 * the largest loss at a descent with about the induced velocity of hover. In-plane flow carries the ring away (Johnson,
 * NASA/TP-2005-213477: no vortex ring beyond 0.95 times the induced velocity of hover).
 */
import type { Input, Scratch, VehicleConstants } from "../../memory.ts";
import { bladeInto, DESCENT_ONSET, halleyInto } from "./inflow.ts";

// P = A + B·(s − S2) + (s − S2)²·(V0 + V1·s + V2·s² + V3·s³ + V4·s⁴), S2 = s at q = −2; A and B by e = 2 and e′ = −2
// there.
const S2 = -2 - DESCENT_ONSET;
const A = 2 / (S2 * S2 * S2 * S2);
const B = -A * (1 + 4 / S2);
const V0 = -5.1159;
const V1 = -13.3757;
const V2 = -11.8435;
const V3 = -4.1513;
const V4 = -0.408;

const RING_CENTRE = -0.57;
const RING_HALF_WIDTH = 0.47;

/** Smaller than in climb, because the correction has a larger curvature. */
const SMALL_STEP = 1e-5;
const MOST_STEPS = 6;
const MOST_ITERATIONS = 60;

/** λ and C_T of rotor i in any state. Not inlined into compiled code: most flight is not descent. */
export function descentInto(w: Scratch, u: Input, vehicle: VehicleConstants, i: number): void {
  if (!stepsInto(w, vehicle, i)) searchInflowInto(w, vehicle, i);
  ringInto(w, u, vehicle, i);
}

/** Halley's method, continued from the λ that climb gave; whether it ended at the root, with λ > 0 and λc/λ > −2. */
function stepsInto(w: Scratch, vehicle: VehicleConstants, i: number): boolean {
  const lc = w.climb[i];
  for (let k = 0; k < MOST_STEPS; k += 1) {
    const li = w.inflow[i];
    const q = lc / li;
    if (!(li > 0 && q > -2)) return false;
    const s = Math.min(0, q - DESCENT_ONSET);
    const s2 = s * s;
    fit[AT] = s;
    fitInto();
    const value = fit[VALUE]!;
    const slope = fit[SLOPE]!;
    const curvature = fit[CURVATURE]!;
    const e = s2 * s2 * value;
    const eSlope = s2 * s * (4 * value + s * slope);
    const eCurvature = s2 * (12 * value + s * (8 * slope + s * curvature));
    bladeInto(w, vehicle, i);
    w.flow[i] = li + lc + li * e;
    w.flowSlope[i] = 1 + e - q * eSlope;
    w.flowBend[i] = q * q * eCurvature;
    halleyInto(w, vehicle, i);
    if (w.inflowStep[i] <= SMALL_STEP * li) return w.climb[i] > -2 * w.inflow[i] && w.thrustCoefficient[i] >= 0;
  }
  return false;
}

/** s, then P(s) and its first two derivatives: cells, because numbers that pass through calls would be allocated. */
const fit = new Float64Array(4);
const AT = 0;
const VALUE = 1;
const SLOPE = 2;
const CURVATURE = 3;

/** P and its derivatives at `fit[AT]`. */
function fitInto(): void {
  const s = fit[AT]!;
  const d = s - S2;
  const v = V0 + s * (V1 + s * (V2 + s * (V3 + s * V4)));
  const v1 = V1 + s * (2 * V2 + s * (3 * V3 + s * (4 * V4)));
  const v2 = 2 * V2 + s * (6 * V3 + s * (12 * V4));
  fit[VALUE] = A + d * (B + d * v);
  fit[SLOPE] = B + d * (2 * v + d * v1);
  fit[CURVATURE] = 2 * v + d * (4 * v1 + d * v2);
}

/** The same root by Newton's method in its bracket, between λ = 0 and the one at which the blade gives no thrust. */
export function searchInflowInto(w: Scratch, vehicle: VehicleConstants, i: number): void {
  const c = w.lift[i];
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
      const q = lc / li;
      if (q <= -2) {
        flow = -flow;
        flowSlope = -1;
      } else if (q < DESCENT_ONSET) {
        const s = q - DESCENT_ONSET;
        const s3 = s * s * s;
        fit[AT] = s;
        fitInto();
        const e = s3 * s * fit[VALUE]!;
        flow = li + lc + li * e;
        flowSlope = 1 + e - q * (s3 * (4 * fit[VALUE]! + s * fit[SLOPE]!));
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
    // Newton's method converges quadratically: after a step of 1e-8 the error is 1e-16.
    if (moved <= 1e-8 * Math.abs(li) + 1e-15) break;
  }
  const angle = angle0 - slope * li;
  const b = angle * invStall;
  w.inflow[i] = li;
  w.thrustCoefficient[i] = (c * angle) / Math.sqrt(Math.sqrt(1 + b * b * b * b));
}

/** Computes the loss of thrust in the vortex ring state. */
function ringInto(w: Scratch, u: Input, vehicle: VehicleConstants, i: number): void {
  const li = w.inflow[i];
  const d = (w.climb[i] - RING_CENTRE * li) / (RING_HALF_WIDTH * li);
  const b = 1 - d * d;
  if (!(b > 0)) return;
  const b2 = b * b;
  const b4 = b2 * b2;
  const axial = (li * li) / (li * li + w.across2[i]);
  const { loss, unsteadiness } = vehicle.vortexRing;
  w.thrustCoefficient[i] *= 1 - axial * axial * (b4 * b4 * b4) * (loss + unsteadiness * u.wakeUnsteadiness[i]);
}
