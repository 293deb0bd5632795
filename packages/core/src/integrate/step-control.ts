/**
 * Step-size control: computes the size of the next step from the error of the last one, in whole microseconds.
 *
 * A PI controller (Gustafsson 1991, "Control theoretic techniques for stepsize selection in explicit Runge–Kutta
 * methods"; Hairer & Wanner, Solving Ordinary Differential Equations II, IV.2), with k the order of the error in h:
 *
 *   h' = h · 0.9 · (err_prev / err³)^(1/4k);   after a rejection h' = h · 0.9 · err^(−1/k), then no growth for one step
 *
 * The previous error damps the response to the current one. This keeps step sizes steady when stability, not accuracy,
 * limits them, as with the fast modes of motors. After a rejection the next step is at least 1 µs shorter, or the
 * integration fails, so the loop always ends.
 */
import { integrateErrors } from "./errors.ts";

const SAFETY = 0.9;
const MIN_FACTOR = 0.2;
const MAX_FACTOR = 5;
/** Start of the search for a root: the power of two just above the smallest root, 0.2 / 0.9. */
const MIN_START = 0.25;
/** Smaller errors are raised to this value, at which the step may already grow by the largest factor. */
const MIN_ERROR = 1e-10;
/** Lower limit of the stored previous error, so that one step with almost no error does not limit the next ones. */
const MIN_PREVIOUS = 1e-4;

interface StepLimits {
  /** First step after a restart; 0: the whole interval, or the result of the starting-step rule. */
  readonly firstStepUs: number;
  readonly minStepUs: number;
  /** 0: no limit. */
  readonly maxStepUs: number;
}

export class StepControl {
  /**
   * The wanted size in µs, before rounding and before the interval's end shortens it; 0: none. After a restart, it is
   * the size wanted before the restart, with a negative sign, or 0 if `firstStepUs` is set.
   */
  readonly wantedUs = new Float64Array(1);
  /** The previous error; 1: none yet. */
  readonly previous = Float64Array.of(1);
  /** The longest step accepted so far; it survives a restart. */
  readonly longestUs = new Float64Array(1);
  private readonly order: number;
  private readonly firstUs: number;
  private readonly minUs: number;
  private readonly maxUs: number;
  /** The radicands at which the factor reaches its lower and upper limits. */
  private readonly minPower: number;
  private readonly maxPower: number;
  private readonly startPower: number;
  private readonly doublePower: number;
  /** The last computed factor. */
  private readonly factor = new Float64Array(1);
  /** Whether the chosen step is shorter than planned because the interval ends. */
  private isCut = false;
  private wasRejected = false;

  constructor(order: number, { firstStepUs, minStepUs, maxStepUs }: StepLimits) {
    this.order = order;
    this.minPower = powerOf(MIN_FACTOR / SAFETY, order);
    this.maxPower = powerOf(MAX_FACTOR / SAFETY, order);
    this.startPower = powerOf(MIN_START, order);
    this.doublePower = powerOf(2, order);
    this.firstUs = firstStepUs === 0 ? Infinity : firstStepUs;
    this.minUs = minStepUs;
    this.maxUs = maxStepUs === 0 ? Infinity : maxStepUs;
    if (this.maxUs < this.minUs) {
      throw integrateErrors.badLimits({
        what: `maxStepUs is ${maxStepUs}, but minStepUs is ${minStepUs}`,
        where: { key: "maxStepUs" },
        fix: `use at least ${minStepUs}, or 0 for no limit`,
      });
    }
  }

  restart(): void {
    this.wantedUs[0] = this.firstUs === Infinity ? 0 - Math.abs(this.wantedUs[0]!) : 0;
    this.previous[0] = 1;
    this.wasRejected = false;
  }

  /**
   * Whether nothing is known about a step over an interval of this length: there is no wanted size, and no step of this
   * length has been accepted.
   */
  needsStartingStep(lengthUs: number): boolean {
    return this.wantedUs[0]! <= 0 && this.firstUs === Infinity && lengthUs > this.longestUs[0]!;
  }

  /**
   * Returns the shortest allowed step. It is 1 µs if the remainder of the interval is below the minimum, because a
   * short remainder must not make the integration fail.
   */
  shortestUs(remainingUs: number): number {
    return remainingUs < this.minUs ? 1 : this.minUs;
  }

  /** Chooses the next step: the wanted size, the remainder, or half the remainder if that avoids a tiny last step. */
  chooseUs(remainingUs: number): number {
    const plannedUs = Math.min(Math.max(this.plannedUs(remainingUs), this.shortestUs(remainingUs)), this.maxUs);
    const halfUs = Math.ceil(remainingUs / 2);
    let sizeUs = plannedUs;
    if (plannedUs >= remainingUs) sizeUs = remainingUs;
    else if (plannedUs > halfUs && halfUs >= this.minUs) sizeUs = halfUs;
    this.isCut = sizeUs < plannedUs;
    return sizeUs;
  }

  /**
   * Returns the wanted size in whole µs. After a restart, it is the size at which the last error would have been 1,
   * without the safety factor, because a rejected step costs no more than an additional step.
   */
  private plannedUs(remainingUs: number): number {
    const wantedUs = this.wantedUs[0]!;
    if (wantedUs === 0) return Math.min(this.firstUs, remainingUs);
    return Math.floor(wantedUs > 0 ? wantedUs : -wantedUs / SAFETY);
  }

  /** Accepts the chosen step, whose error is `error[0]` ≤ 1. */
  accept(sizeUs: number, error: Float64Array): void {
    if (sizeUs > this.longestUs[0]!) this.longestUs[0] = sizeUs;
    const err = Math.max(error[0]!, MIN_ERROR);
    // The exponents 3/4k and 1/4k lie among the usual pairs (0.7/k and 0.4/k; 0.85/k and 0.2/k in DOPRI5) and need only
    // square roots and one integer root.
    this.factor[0] = this.isCut ? 1 / err : Math.sqrt(Math.sqrt(this.previous[0]! / (err * err * err)));
    this.rootFactor();
    if (this.wasRejected && this.factor[0]! > 1) this.factor[0] = 1;
    const proposedUs = sizeUs * this.factor[0]!;
    // A step that the interval's end shortened, and whose error allows the largest growth, is no reason to reduce the
    // wanted size.
    const keepsWanted = this.isCut && this.factor[0] === MAX_FACTOR && proposedUs < this.wantedUs[0]!;
    if (!keepsWanted) this.wantedUs[0] = proposedUs;
    // The controller did not choose the size of a shortened step, so its error is not part of the history.
    if (!this.isCut) this.previous[0] = Math.max(err, MIN_PREVIOUS);
    this.wasRejected = false;
  }

  /** Rejects a step of `sizeUs` whose error was too large or not finite. */
  reject(sizeUs: number, error: Float64Array): void {
    this.factor[0] = 1 / error[0]!;
    this.rootFactor();
    this.wantedUs[0] = sizeUs * this.factor[0]!;
    this.wasRejected = true;
  }

  /** Accepts a step of the minimum size in spite of its error. */
  force(sizeUs: number): void {
    this.wantedUs[0] = sizeUs;
    this.previous[0] = 1;
    this.wasRejected = false;
  }

  /**
   * factor ← 0.9 · factor^(1/order), limited to its bounds: Newton's iteration for y^order = z. The iteration decreases
   * from the power of two above the root, with quadratic convergence, until rounding stops it.
   */
  private rootFactor(): void {
    const { order } = this;
    const z = this.factor[0]!;
    if (!(z > this.minPower)) {
      this.factor[0] = MIN_FACTOR;
    } else if (z >= this.maxPower) {
      this.factor[0] = MAX_FACTOR;
    } else {
      let y = MIN_START;
      let power = this.startPower;
      while (power < z) {
        y *= 2;
        power *= this.doublePower;
      }
      let next = y - ((power - z) * y) / (order * power);
      while (next < y) {
        y = next;
        power = y;
        for (let i = 1; i < order; i += 1) power *= y;
        next = y - ((power - z) * y) / (order * power);
      }
      this.factor[0] = SAFETY * y;
    }
  }
}

function powerOf(value: number, exponent: number): number {
  let product = 1;
  for (let i = 0; i < exponent; i += 1) product *= value;
  return product;
}
