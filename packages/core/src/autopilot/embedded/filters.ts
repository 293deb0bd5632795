/**
 * The autopilot's filters: first-order low-pass, second-order Butterworth low-pass and notch. They work on memory cells
 * of their owner.
 *
 * Coefficients are computed when a controller is configured; an update needs only arithmetic. A filter whose cut-off is
 * not below half the sample rate passes its input through. When the coefficients of a second-order filter change, its
 * owner must reset the cells.
 */
import { cos, tan } from "../../math/index.ts";

const PI = 3.141592653589793;
const SQRT_2 = 1.4142135623730951;

/** Weight of a new sample in y += α·(x − y): α = dt / (dt + 1/(2πf)); 1 if the filter is off. */
export function lowPassWeight(cutoffHz: number, dtS: number): number {
  return cutoffHz > 0 ? dtS / (dtS + 1 / (2 * PI * cutoffHz)) : 1;
}

/** As `lowPassWeight`, but also off if the sample rate is too low for the cut-off. */
export function sampledLowPassWeight(cutoffHz: number, dtS: number): number {
  return cutoffHz > 0 && cutoffHz < 0.5 / dtS ? lowPassWeight(cutoffHz, dtS) : 1;
}

/** Cells per channel of a second-order filter. */
export const BIQUAD_CELLS = 2;

/** Second-order filter in transposed direct form, coefficients normalised by a0. */
export class Biquad {
  /** b0, b1, b2, a1, a2; the identity while the filter is off. */
  private readonly c = Float64Array.of(1, 0, 0, 0, 0);
  on = false;

  /**
   * Butterworth low-pass by the bilinear transform: ω = tan(π f/fs), Q = 1/√2. Returns whether coefficients changed.
   */
  setLowPass(cutoffHz: number, sampleHz: number): boolean {
    if (!(cutoffHz > 0 && cutoffHz < sampleHz / 2)) return this.turnOff();
    const w = tan((PI * cutoffHz) / sampleHz);
    const norm = 1 + SQRT_2 * w + w * w;
    const b = (w * w) / norm;
    return this.become([b, 2 * b, b, (2 * (w * w - 1)) / norm, (1 - SQRT_2 * w + w * w) / norm]);
  }

  /** Notch with the given centre and bandwidth by the bilinear transform. Returns whether the coefficients changed. */
  setNotch(centreHz: number, bandwidthHz: number, sampleHz: number): boolean {
    const fits = centreHz > 0 && bandwidthHz > 0 && centreHz < sampleHz / 2 && bandwidthHz < sampleHz / 2;
    if (!fits) return this.turnOff();
    const alpha = tan((PI * bandwidthHz) / sampleHz);
    const beta = -cos((2 * PI * centreHz) / sampleHz);
    const norm = 1 + alpha;
    return this.become([1 / norm, (2 * beta) / norm, 1 / norm, (2 * beta) / norm, (1 - alpha) / norm]);
  }

  /** Filters channel `i` of `values` in place; its two cells start at `cells[at]`. */
  apply(values: Float64Array, i: number, cells: Float64Array, at: number): void {
    const c = this.c;
    const x = values[i];
    const y = c[0] * x + cells[at];
    cells[at] = c[1] * x - c[3] * y + cells[at + 1];
    cells[at + 1] = c[2] * x - c[4] * y;
    values[i] = y;
  }

  /** Sets the cells as if the input had always been `x`. */
  settle(x: number, cells: Float64Array, at: number): void {
    const c = this.c;
    const gain = (c[0] + c[1] + c[2]) / (1 + c[3] + c[4]);
    const y = gain * x;
    cells[at + 1] = c[2] * x - c[4] * y;
    cells[at] = c[1] * x - c[3] * y + cells[at + 1];
  }

  private turnOff(): boolean {
    const wasOn = this.on;
    this.on = false;
    return wasOn;
  }

  private become(coefficients: readonly number[]): boolean {
    const isSame = this.on && coefficients.every((value, i) => value === this.c[i]);
    this.c.set(coefficients);
    this.on = true;
    return !isSame;
  }
}
