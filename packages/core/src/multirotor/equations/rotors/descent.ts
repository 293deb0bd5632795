/**
 * A rotor in fast descent: its induced velocity if the steps of `inflow.ts` do not find it, and the thrust that it
 * loses in its own wake.
 *
 * With the mean induced velocity alone, the thrust at constant speed would rise in descent. Measured propellers lose
 * thrust instead, and it fluctuates by up to ±30 % (Shetty & Selig, AIAA 2011-1254). Loss and fluctuation are largest
 * at the same descent rate. They vanish before the vortex ring forms and after the wake has turned upwards, so one
 * window covers them:
 *   C_T ← C_T·(1 − B·(loss + unsteadiness·ξ)),  B = (λ²/(λ² + μ²))²·max(0, 1 − ((q + 0.57)/0.47)²)¹².
 * q = λc/λ is the ratio of the climb to the induced velocity, and ξ is the input `wakeUnsteadiness`. Centre and width
 * are fitted to the mean thrust of that report's APC 10 × 5. The largest loss is then at a descent rate of about the
 * induced velocity of hover. In-plane flow carries the ring away (Johnson, NASA/TP-2005-213477: no vortex ring beyond
 * 0.95 times the induced velocity of hover).
 */
import { type Input, MAX_COUNTS, type Scratch, type VehicleConstants } from "../../memory.ts";
import { inflowStepInto, isInflowFound, startInflowInto } from "./inflow.ts";
import { throughflowInto } from "./throughflow.ts";

const RING_CENTRE = -0.57;
const RING_HALF_WIDTH = 0.47;

const MAX_STEPS = 6;
const MAX_ITERATIONS = 60;

/** Rotors whose inflow is searched for, and those among them that have not converged. */
const searched = new Int32Array(MAX_COUNTS.rotors);
const pending = new Int32Array(MAX_COUNTS.rotors);
/**
 * The bracket of each rotor's inflow, the inflow, and the inverse stall angle of its blade. The arrays are longer than
 * needed, because V8 accesses short ones more slowly (see `touch` in contact.ts).
 */
const low = new Float64Array(16);
const high = new Float64Array(16);
const inflows = new Float64Array(16);
const inverseStall = new Float64Array(16);

/**
 * Finds λ and C_T of all rotors for which two steps were not enough, by more steps, or by a search. The function is not
 * inlined into compiled code, because it is seldom needed.
 */
export function finishInflowsInto(w: Scratch, vehicle: VehicleConstants): void {
  let count = 0;
  for (let i = 0; i < vehicle.rotorCount; i += 1) {
    if (isInflowFound(w, i) || findsInflowByStepsInto(w, vehicle, i)) continue;
    searched[count] = i;
    count += 1;
  }
  if (count > 0) searchInflowsInto(w, vehicle, count);
}

function findsInflowByStepsInto(w: Scratch, vehicle: VehicleConstants, i: number): boolean {
  for (let k = 0; k < MAX_STEPS; k += 1) {
    if (!(w.inflow[i] > 0 && w.climb[i] > -2 * w.inflow[i])) return false;
    inflowStepInto(w, vehicle, i);
    if (isInflowFound(w, i)) return true;
  }
  return false;
}

/** Finds λ and C_T of rotor i from the start, by the same operations as for all rotors together. */
export function wholeInflowInto(w: Scratch, vehicle: VehicleConstants, i: number): void {
  startInflowInto(w, vehicle, i);
  inflowStepInto(w, vehicle, i);
  inflowStepInto(w, vehicle, i);
  if (!isInflowFound(w, i) && !findsInflowByStepsInto(w, vehicle, i)) searchInflowInto(w, vehicle, i);
}

export function searchInflowInto(w: Scratch, vehicle: VehicleConstants, i: number): void {
  searched[0] = i;
  searchInflowsInto(w, vehicle, 1);
}

/**
 * Finds the root that the steps of `inflow.ts` did not reach, for the first `count` rotors in `searched`, by Newton's
 * method. The root is bracketed by λ = 0 and the λ at which the blade gives no thrust. Each step is made for all of
 * them before the next one, so that their long chains of roots and divisions run in parallel.
 */
function searchInflowsInto(w: Scratch, vehicle: VehicleConstants, count: number): void {
  for (let k = 0; k < count; k += 1) {
    pending[k] = searched[k];
    startSearch(w, vehicle, searched[k]);
  }
  let remaining = count;
  for (let step = 0; step < MAX_ITERATIONS && remaining > 0; step += 1) {
    let pendingCount = 0;
    for (let k = 0; k < remaining; k += 1) {
      const i = pending[k];
      if (makeNewtonStep(w, i)) continue;
      pending[pendingCount] = i;
      pendingCount += 1;
    }
    remaining = pendingCount;
  }
  for (let k = 0; k < count; k += 1) endSearchInto(w, searched[k]);
}

function startSearch(w: Scratch, vehicle: VehicleConstants, i: number): void {
  const end = w.bladeAngle[i] / w.angleSlope[i];
  const { inflow } = vehicle.hover;
  inverseStall[i] = vehicle.rotors[i].momentum.inverseStall;
  low[i] = Math.min(0, end);
  high[i] = Math.max(0, end);
  inflows[i] = Math.max(low[i], Math.min(high[i], end > 0 ? inflow : -inflow));
}

/** Makes one step of rotor i. Returns whether it was small enough. */
function makeNewtonStep(w: Scratch, i: number): boolean {
  const c = w.lift[i];
  const lc = w.climb[i];
  const slope = w.angleSlope[i];
  const li = inflows[i];
  let flow = li + lc;
  let flowSlope = 1;
  if (li * lc < 0) {
    if (lc / li <= -2) {
      flow = -flow;
      flowSlope = -1;
    } else {
      w.inflow[i] = li;
      throughflowInto(w, i);
      flow = w.flow[i];
      flowSlope = w.flowSlope[i];
    }
  }
  const through = Math.sqrt(w.across2[i] + flow * flow);
  const angle = w.bladeAngle[i] - slope * li;
  const b = angle * inverseStall[i];
  const b4 = 1 + b * b * b * b;
  const root = Math.sqrt(Math.sqrt(b4));
  const residual = 2 * li * through - (c * angle) / root;
  const gradient = 2 * through + (2 * li * flow * flowSlope) / Math.max(1e-9, through) + (c * slope) / (root * b4);
  if (residual > 0) high[i] = li;
  else low[i] = li;
  const newton = li - residual / gradient;
  const next = newton >= low[i] && newton <= high[i] ? newton : 0.5 * (low[i] + high[i]);
  inflows[i] = next;
  // Newton's method converges quadratically: after a step of 1e-8 the error is 1e-16.
  return Math.abs(next - li) <= 1e-8 * Math.abs(next) + 1e-15;
}

function endSearchInto(w: Scratch, i: number): void {
  const li = inflows[i];
  const angle = w.bladeAngle[i] - w.angleSlope[i] * li;
  const b = angle * inverseStall[i];
  w.inflow[i] = li;
  w.thrustCoefficient[i] = (w.lift[i] * angle) / Math.sqrt(Math.sqrt(1 + b * b * b * b));
}

/** Whether q is so low that a vortex ring can reduce the thrust. The test is multiplied by λ² to avoid a division. */
export function mayHaveRing(w: Scratch, i: number): boolean {
  const li = w.inflow[i];
  return w.climb[i] * li < (RING_CENTRE + RING_HALF_WIDTH) * (li * li);
}

/** Reduces C_T by the loss in the vortex ring state. */
export function ringInto(w: Scratch, u: Input, vehicle: VehicleConstants, i: number): void {
  const li = w.inflow[i];
  const d = (w.climb[i] - RING_CENTRE * li) / (RING_HALF_WIDTH * li);
  const b = Math.max(0, 1 - d * d);
  const b2 = b * b;
  const b4 = b2 * b2;
  const axial = (li * li) / (li * li + w.across2[i]);
  const ring = vehicle.vortexRing;
  const lost = axial * axial * (b4 * b4 * b4) * (ring.loss + ring.unsteadiness * u.wakeUnsteadiness[i]);
  w.thrustCoefficient[i] = w.thrustCoefficient[i] * (1 - lost);
}
