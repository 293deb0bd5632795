/** Percentile intervals by resampling, for statistics of sensitivity. */
import type { RandomStream } from "@escapement/core";
import type { Interval } from "../statistics/binomial.ts";
import { sampleQuantile } from "../statistics/quantiles.ts";

const RESAMPLES = 1000;

/**
 * Returns the intervals of several statistics of n elements. `statistics` gets the indices of a resample and writes one
 * number per statistic. The intervals are unbounded for fewer than two elements.
 */
export function percentileIntervals(
  n: number,
  count: number,
  statistics: (indices: Uint32Array, out: Float64Array) => void,
  { random, confidence }: { readonly random: RandomStream; readonly confidence: number },
): Interval[] {
  if (n < 2) return Array.from({ length: count }, () => ({ lo: -Infinity, hi: Infinity }));
  const indices = new Uint32Array(n);
  const uniforms = new Float64Array(n);
  const out = new Float64Array(count);
  const values = Array.from({ length: count }, () => new Float64Array(RESAMPLES));
  for (let b = 0; b < RESAMPLES; b += 1) {
    random.uniformsInto(uniforms);
    for (let i = 0; i < n; i += 1) indices[i] = Math.floor(n * uniforms[i]!);
    statistics(indices, out);
    for (let s = 0; s < count; s += 1) values[s]![b] = out[s]!;
  }
  const tail = (1 - confidence) / 2;
  return values.map((each) => {
    each.sort();
    return { lo: sampleQuantile(each, tail), hi: sampleQuantile(each, 1 - tail) };
  });
}
