/**
 * Intervals for a quantile of any distribution, by order statistics: the number of values below the true q-quantile is
 * binomial for every distribution.
 */
import { binomialMass } from "./beta.ts";
import { binomialCdf } from "./binomial.ts";

/**
 * Returns the ranks, counted from 1, of the values that bound the q-quantile of n values; 0 or n + 1 if there is no
 * bound.
 */
export function quantileRanks(n: number, q: number, confidence: number): { below: number; above: number } {
  const tail = (1 - confidence) / 2;
  // The lower rank is the largest r with P(X ≤ r − 1) ≤ tail; the upper the smallest r with P(X ≥ r) ≤ tail.
  return {
    below: firstRank(n, (r) => binomialCdf(r, n, q) > tail),
    above: firstRank(n, (r) => binomialCdf(n - r, n, 1 - q) <= tail),
  };
}

/** Returns the smallest r in 0 … n + 1 for which `holds` is true; `holds` is false below it and true above. */
function firstRank(n: number, holds: (r: number) => boolean): number {
  let [low, high] = [-1, n + 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Returns the q-quantile of sorted values: the smallest value that at least q of them do not exceed. */
export function sampleQuantile(sorted: ArrayLike<number>, q: number): number {
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)]!;
}

/** Like `quantileRanks`, but the bounds hold at all numbers of values at once, by Robbins's confidence sequence. */
export function sequenceRanks(n: number, q: number, confidence: number): { below: number; above: number } {
  const level = (1 - confidence) / (n + 1);
  const isConsistent = (k: number) => binomialMass(k, n, q) > level;
  const centre = Math.min(n, Math.round(n * q));
  return {
    below: firstRank(centre, isConsistent),
    above: firstRank(n, (r) => r > centre && !isConsistent(r)),
  };
}
