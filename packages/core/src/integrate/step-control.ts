/**
 * Step-size control: from the error of one step to the size of the next, in whole microseconds.
 *
 * A PI controller (Gustafsson 1991, "Control theoretic techniques for stepsize selection in explicit Runge–Kutta
 * methods"; Hairer & Wanner, Solving Ordinary Differential Equations II, IV.2): the previous error damps the answer to
 * the present one, which keeps steps even where stability, not accuracy, limits them, as the fast modes of motors do:
 *
 *   h' = h · 0.9 · (err_prev / err³)^(1/4k),   k the order of the error in h
 *
 * The exponents 3/4k and 1/4k lie among the usual pairs (0.7/k and 0.4/k; 0.85/k and 0.2/k in DOPRI5) and need only
 * square roots and one integer root. After a rejection h' = h · 0.9 · err^(−1/k), and the next step does not grow.
 * A rejected step is followed by a shorter one, in whole microseconds, or by none: there is no way to spin.
 */
import { integrateErrors } from "./errors.ts";

const SAFETY = 0.9;
const LEAST_FACTOR = 0.2;
const MOST_FACTOR = 5;
/** Where the search for a root starts, a power of two: just above the least of them, 0.2 / 0.9. */
const LEAST_START = 0.25;
/** Errors below this count as this: they say only that the step may grow as far as allowed. */
const LEAST_ERROR = 1e-10;
/** What an error is remembered as at least, so that one step of hardly any error does not hold back the next ones. */
const LEAST_PREVIOUS = 1e-4;

interface StepLimits {
  /** First step after a fresh start; 0: the whole interval. */
  readonly firstStepUs: number;
  readonly minStepUs: number;
  /** 0: no limit. */
  readonly maxStepUs: number;
}

export class StepControl {
  /** The wanted size in µs, not rounded and not cut by an interval's end; 0: none yet. */
  readonly wantedUs = new Float64Array(1);
  /** The previous error; 1: none yet. */
  readonly previous = Float64Array.of(1);
  private readonly order: number;
  private readonly firstUs: number;
  private readonly minUs: number;
  private readonly maxUs: number;
  /** What the root is taken of where the bounds of the factor begin. */
  private readonly leastPower: number;
  private readonly mostPower: number;
  private readonly startPower: number;
  private readonly doublePower: number;
  /** The factor just computed. */
  private readonly factor = new Float64Array(1);
  /** The step chosen is shorter than planned because the interval ends. */
  private isCut = false;
  private wasRejected = false;

  constructor(order: number, { firstStepUs, minStepUs, maxStepUs }: StepLimits) {
    this.order = order;
    this.leastPower = powerOf(LEAST_FACTOR / SAFETY, order);
    this.mostPower = powerOf(MOST_FACTOR / SAFETY, order);
    this.startPower = powerOf(LEAST_START, order);
    this.doublePower = powerOf(2, order);
    this.firstUs = firstStepUs === 0 ? Infinity : firstStepUs;
    this.minUs = minStepUs;
    this.maxUs = maxStepUs === 0 ? Infinity : maxStepUs;
    if (this.maxUs < this.minUs) {
      throw integrateErrors.badLimits({
        what: `maxStepUs is ${maxStepUs} and minStepUs ${minStepUs}`,
        where: { key: "maxStepUs" },
        fix: `at least ${minStepUs}, or 0 for no limit`,
      });
    }
  }

  restart(): void {
    this.wantedUs[0] = 0;
    this.previous[0] = 1;
    this.wasRejected = false;
  }

  /** The shortest step that may be tried with so much left: a remainder below the minimum is no reason to fail. */
  leastUs(remainingUs: number): number {
    return remainingUs < this.minUs ? 1 : this.minUs;
  }

  /** The next step: the wanted one, or the rest, or half the rest where that avoids a sliver at the end. */
  chooseUs(remainingUs: number): number {
    const wantedUs = this.wantedUs[0] === 0 ? Math.min(this.firstUs, remainingUs) : Math.floor(this.wantedUs[0]!);
    const plannedUs = Math.min(Math.max(wantedUs, this.leastUs(remainingUs)), this.maxUs);
    const halfUs = Math.ceil(remainingUs / 2);
    let sizeUs = plannedUs;
    if (plannedUs >= remainingUs) sizeUs = remainingUs;
    else if (plannedUs > halfUs && halfUs >= this.minUs) sizeUs = halfUs;
    this.isCut = sizeUs < plannedUs;
    return sizeUs;
  }

  /** The step chosen had the error `error[0]` ≤ 1 and stands. */
  accept(sizeUs: number, error: Float64Array): void {
    const err = Math.max(error[0]!, LEAST_ERROR);
    this.factor[0] = this.isCut ? 1 / err : Math.sqrt(Math.sqrt(this.previous[0]! / (err * err * err)));
    this.rootFactor();
    if (this.wasRejected && this.factor[0]! > 1) this.factor[0] = 1;
    const proposedUs = sizeUs * this.factor[0]!;
    // A step cut short by the interval's end that could have grown as far as allowed says nothing against the wanted one.
    const isSilent = this.isCut && this.factor[0] === MOST_FACTOR && proposedUs < this.wantedUs[0]!;
    if (!isSilent) this.wantedUs[0] = proposedUs;
    // Its error is not one that the controller aimed at, and so no part of its history.
    if (!this.isCut) this.previous[0] = Math.max(err, LEAST_PREVIOUS);
    this.wasRejected = false;
  }

  /** A step of `sizeUs` had too large an error, or one that is not finite. */
  reject(sizeUs: number, error: Float64Array): void {
    this.factor[0] = 1 / error[0]!;
    this.rootFactor();
    this.wantedUs[0] = sizeUs * this.factor[0]!;
    this.wasRejected = true;
  }

  /** A step of the least size stands in spite of its error. */
  force(sizeUs: number): void {
    this.wantedUs[0] = sizeUs;
    this.previous[0] = 1;
    this.wasRejected = false;
  }

  /**
   * factor ← 0.9 · factor^(1/order), kept within its bounds: Newton's iteration for y^order = z. From the power of two
   * above the root it falls, ever faster, until rounding stops it.
   */
  private rootFactor(): void {
    const { order } = this;
    const z = this.factor[0]!;
    if (!(z > this.leastPower)) {
      this.factor[0] = LEAST_FACTOR;
    } else if (z >= this.mostPower) {
      this.factor[0] = MOST_FACTOR;
    } else {
      let y = LEAST_START;
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
