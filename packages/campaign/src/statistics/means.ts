/** Intervals for a mean: Student's t, over independent flights or over the means of independent replicates. */
import { bisectRising, incompleteBeta } from "./beta.ts";
import type { Interval } from "./binomial.ts";

/** A mean with its interval. */
interface MeanEstimate extends Interval {
  readonly mean: number;
}

/**
 * Returns the sum with one running correction (Neumaier), so that the result hardly depends on the order of large and
 * small values.
 */
function sum(values: ArrayLike<number>): number {
  let total = 0;
  let correction = 0;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i]!;
    const next = total + value;
    correction += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + correction;
}

export function mean(values: ArrayLike<number>): number {
  return sum(values) / values.length;
}

/** Returns the unbiased variance. */
export function variance(values: ArrayLike<number>): number {
  const centre = mean(values);
  const squares = new Float64Array(values.length);
  for (let i = 0; i < squares.length; i += 1) squares[i] = (values[i]! - centre) * (values[i]! - centre);
  return sum(squares) / (values.length - 1);
}

/** t with P(|T| < t) = confidence. */
export function tQuantile(confidence: number, degreesOfFreedom: number): number {
  // With y = t² / (ν + t²), P(|T| < t) = I_y(½, ν/2). A small y has all its digits, even for many degrees of freedom.
  const y = bisectRising((at) => incompleteBeta(0.5, degreesOfFreedom / 2, at) - confidence, 0, 1);
  return Math.sqrt((degreesOfFreedom * y) / (1 - y));
}

/** Returns the mean of independent values with Student's interval, which is unbounded for fewer than two values. */
export function meanOf(values: ArrayLike<number>, confidence: number): MeanEstimate {
  const n = values.length;
  const centre = mean(values);
  if (n < 2) return { mean: centre, lo: -Infinity, hi: Infinity };
  const half = tQuantile(confidence, n - 1) * Math.sqrt(variance(values) / n);
  return { mean: centre, lo: centre - half, hi: centre + half };
}

/**
 * Returns the mean of values whose points depend on each other (`sobol`, `latin`), from the means of independent
 * replicates. Value k belongs to replicate k mod `replicates`.
 */
export function replicatedMeanOf(values: ArrayLike<number>, replicates: number, confidence: number): MeanEstimate {
  const means = Array.from({ length: replicates }, (_, r) => {
    const own: number[] = [];
    for (let k = r; k < values.length; k += replicates) own.push(values[k]!);
    return mean(own);
  });
  return { ...meanOf(means, confidence), mean: mean(values) };
}
