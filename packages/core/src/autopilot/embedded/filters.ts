/**
 * The autopilot's filters: first-order low-pass, second-order Butterworth low-pass and notch.
 *
 * Coefficients are computed when a controller is configured; an update needs only arithmetic. A filter whose cut-off is
 * not below half the sample rate passes its input through; `lowPassWeight` alone does not check the sample rate. When
 * the coefficients of a second-order filter change, it restarts at its next input.
 */
import { cos, tan } from "../../math/index.ts";
import { PartWithMemory } from "../../snapshot/index.ts";

const PI = 3.141592653589793;
const SQRT_2 = 1.4142135623730951;

/** Returns the weight of a new sample in y += α·(x − y): α = dt / (dt + 1/(2πf)); 1 if the filter is off. */
export function lowPassWeight(cutoffHz: number, dtS: number): number {
  return cutoffHz > 0 ? dtS / (dtS + 1 / (2 * PI * cutoffHz)) : 1;
}

/** Returns the same as `lowPassWeight`, but also turns the filter off if the sample rate is too low for the cut-off. */
export function sampledLowPassWeight(cutoffHz: number, dtS: number): number {
  return cutoffHz > 0 && cutoffHz < 0.5 / dtS ? lowPassWeight(cutoffHz, dtS) : 1;
}

/** Values of `Biquad.m.started`: the filter never ran, is running, or restarts with new coefficients. */
const NEVER_RAN = 0;
const RUNS = 1;
const RESTARTS = 2;

/** Second-order filter of several channels, in transposed direct form, coefficients normalised by a0. */
export class Biquad extends PartWithMemory {
  /** b0, b1, b2, a1, a2; the identity until the filter is first set. */
  private readonly c = Float64Array.of(1, 0, 0, 0, 0);
  /** Two cells per channel. */
  private readonly cells: Float64Array;
  private readonly m = { started: NEVER_RAN };
  protected readonly memory;
  on = false;

  constructor(channels: number) {
    super();
    this.cells = new Float64Array(2 * channels);
    this.memory = { cells: this.cells, m: this.m };
  }

  /** Makes the filter a Butterworth low-pass by the bilinear transform: ω = tan(π f/fs), Q = 1/√2. */
  setLowPass(cutoffHz: number, sampleHz: number): void {
    if (!(cutoffHz > 0 && cutoffHz < sampleHz / 2)) {
      this.turnOff();
      return;
    }
    const w = tan((PI * cutoffHz) / sampleHz);
    const norm = 1 + SQRT_2 * w + w * w;
    const b = (w * w) / norm;
    this.setCoefficients([b, 2 * b, b, (2 * (w * w - 1)) / norm, (1 - SQRT_2 * w + w * w) / norm]);
  }

  /** Makes the filter a notch with the given centre and bandwidth by the bilinear transform. */
  setNotch(centreHz: number, bandwidthHz: number, sampleHz: number): void {
    const isValid = centreHz > 0 && bandwidthHz > 0 && centreHz < sampleHz / 2 && bandwidthHz < sampleHz / 2;
    if (!isValid) {
      this.turnOff();
      return;
    }
    const alpha = tan((PI * bandwidthHz) / sampleHz);
    const beta = -cos((2 * PI * centreHz) / sampleHz);
    const norm = 1 + alpha;
    this.setCoefficients([1 / norm, (2 * beta) / norm, 1 / norm, (2 * beta) / norm, (1 - alpha) / norm]);
  }

  get isRunning(): boolean {
    return this.m.started === RUNS;
  }

  /** Starts as if the inputs had always been `x`. Returns whether the filter ran before with different coefficients. */
  start(x: Float64Array): boolean {
    const { c, cells } = this;
    const isRestart = this.m.started === RESTARTS;
    this.m.started = RUNS;
    if (!this.on) return isRestart;
    const gain = (c[0] + c[1] + c[2]) / (1 + c[3] + c[4]);
    for (let i = 0; i < x.length; i += 1) {
      const y = gain * x[i];
      cells[2 * i + 1] = c[2] * x[i] - c[4] * y;
      cells[2 * i] = c[1] * x[i] - c[3] * y + cells[2 * i + 1];
    }
    return isRestart;
  }

  /** Filters channel `i` of `values` in place. */
  apply(values: Float64Array, i: number): void {
    const { c, cells } = this;
    const x = values[i];
    const y = c[0] * x + cells[2 * i];
    cells[2 * i] = c[1] * x - c[3] * y + cells[2 * i + 1];
    cells[2 * i + 1] = c[2] * x - c[4] * y;
    values[i] = y;
  }

  private turnOff(): void {
    if (this.on) this.restart();
    this.on = false;
  }

  private setCoefficients(coefficients: readonly number[]): void {
    if (!this.on || coefficients.some((value, i) => value !== this.c[i])) this.restart();
    this.c.set(coefficients);
    this.on = true;
  }

  private restart(): void {
    if (this.m.started === RUNS) this.m.started = RESTARTS;
  }
}
