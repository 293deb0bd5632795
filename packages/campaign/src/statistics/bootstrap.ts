/**
 * Bootstrap intervals, bias-corrected and accelerated (B. Efron: Better bootstrap confidence intervals, 1987).
 * Resamples come from a named random stream, so the interval has the same bits everywhere.
 */
import { normalQuantile, type RandomStream } from "@escapement/core";
import type { Interval } from "./binomial.ts";
import { mean } from "./means.ts";
import { normalCdf } from "./normal.ts";

interface BootstrapOptions {
  readonly confidence: number;
  readonly resamples: number;
  readonly random: RandomStream;
}

/** Returns the interval of a statistic of n elements; `statistic` receives the indices of a resample. */
export function bcaInterval(
  n: number,
  statistic: (indices: Uint32Array) => number,
  { confidence, resamples, random }: BootstrapOptions,
): Interval {
  const indices = new Uint32Array(n);
  const uniforms = new Float64Array(n);
  const values = new Float64Array(resamples);
  for (let b = 0; b < resamples; b += 1) {
    random.uniformsInto(uniforms);
    for (let i = 0; i < n; i += 1) indices[i] = Math.floor(n * uniforms[i]!);
    values[b] = statistic(indices);
  }
  const estimate = statistic(Uint32Array.from({ length: n }, (_, i) => i));
  values.sort();
  const bias = biasOf(values, estimate);
  const acceleration = accelerationOf(n, statistic);
  const at = (tail: number): number => {
    const z = bias + normalQuantile(tail);
    return quantileOf(values, normalCdf(bias + z / (1 - acceleration * z)));
  };
  const tail = (1 - confidence) / 2;
  return { lo: at(tail), hi: at(1 - tail) };
}

/** Returns the normal score of the fraction of the resamples that are below the statistic. Equal ones count half. */
function biasOf(values: Float64Array, estimate: number): number {
  let below = 0;
  for (const value of values) below += value < estimate ? 1 : value === estimate ? 0.5 : 0;
  // If all are on one side, count half a resample on the other side, so that the score is finite.
  const part = Math.min(Math.max(below, 0.5), values.length - 0.5) / values.length;
  return normalQuantile(part);
}

/** Estimates the skewness of the statistic by leaving out one element at a time. */
function accelerationOf(n: number, statistic: (indices: Uint32Array) => number): number {
  const others = new Uint32Array(n - 1);
  const values = Float64Array.from({ length: n }, (_, left) => {
    for (let i = 0; i < n - 1; i += 1) others[i] = i < left ? i : i + 1;
    return statistic(others);
  });
  const centre = mean(values);
  let [squares, cubes] = [0, 0];
  for (const value of values) {
    const d = centre - value;
    squares += d * d;
    cubes += d * d * d;
  }
  return squares === 0 ? 0 : cubes / (6 * squares * Math.sqrt(squares));
}

/** Returns the quantile of sorted values, linear between neighbours. */
function quantileOf(sorted: Float64Array, p: number): number {
  const at = p * (sorted.length - 1);
  const below = Math.floor(at);
  const low = sorted[below]!;
  return low + (at - below) * (sorted[Math.min(below + 1, sorted.length - 1)]! - low);
}
