/**
 * Chooses the first step of an integration that has no previous step to derive a size from (Hairer, Nørsett & Wanner,
 * Solving Ordinary Differential Equations I, 1993, section II.4).
 *
 * A step over the whole interval may pass its own error test although it missed everything in between: a bump between
 * the stages, or a motion that starts with slope zero. In units of the tolerances, let d0, d1 and d2 be the sizes of
 * the state, of its slope, and of the slope's change per second after a small explicit Euler step h0. The step is the
 * shorter of 100·h0 and (0.01/max(d1, d2))^(1/k), k being the order of the error.
 */
import { pow } from "../math/index.ts";
import type { ErrorNorm } from "./error-norm.ts";
import type { RungeKutta } from "./runge-kutta.ts";

const SMALL = 1e-5;
/** Shortest Euler step, also used if the state or the slope is nearly zero. */
const MIN_PROBE_US = 1;

export class StartingStep {
  private readonly rk: RungeKutta;
  private readonly norm: ErrorNorm;
  private readonly change: Float64Array;

  constructor(rk: RungeKutta, norm: ErrorNorm) {
    this.rk = rk;
    this.norm = norm;
    this.change = new Float64Array(rk.xStart.length);
  }

  /**
   * Returns the size of the first step in µs, not longer than the interval. `rk.xStart` and the slope there must
   * already be computed.
   */
  sizeUs(startUs: number, lengthUs: number): number {
    const { change, norm, rk } = this;
    const slope = rk.slopeAtStart;
    const d0 = norm.sizeAt(rk.xStart, rk.xStart);
    const d1 = norm.sizeAt(rk.xStart, slope);
    const guessUs = d0 < SMALL || d1 < SMALL ? MIN_PROBE_US : 1e4 * (d0 / d1);
    // If the guess is NaN, because a slope is not finite, use the interval: the error test of the step rejects it.
    const probeUs = guessUs < lengthUs ? Math.max(MIN_PROBE_US, guessUs) : lengthUs;
    rk.stepUs[0] = startUs;
    const probed = rk.probeSlope(probeUs);
    for (let i = 0; i < change.length; i += 1) change[i] = probed[i]! - slope[i]!;
    const d2 = norm.sizeAt(rk.xStart, change) / (probeUs / 1e6);
    const steepest = Math.max(d1, d2);
    const limitUs = steepest > 1e-15 ? 1e6 * pow(0.01 / steepest, 1 / rk.order) : 1e3 * probeUs;
    const sizeUs = Math.floor(Math.min(100 * probeUs, limitUs));
    return sizeUs < lengthUs ? Math.max(1, sizeUs) : lengthUs;
  }
}
