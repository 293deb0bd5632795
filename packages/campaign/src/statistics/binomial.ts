/**
 * Intervals for a probability, from the number of flights in which an event occurred.
 *
 * All intervals are two-sided: each bound of a 95 % interval holds with a confidence of 97.5 %. So one interval can
 * show that a criterion is met or that it is not met, and the risk of a wrong decision is 5 % in total.
 */
import * as math from "@escapement/core/math";
import { betaQuantile, binomialMass, bisectRising, incompleteBeta } from "./beta.ts";

/** Bounds of an unknown number. */
export interface Interval {
  readonly lo: number;
  readonly hi: number;
}

/** P(X ≤ k) for the number X of successes in n trials of probability p. */
export function binomialCdf(k: number, n: number, p: number): number {
  if (k < 0) return 0;
  return k >= n ? 1 : incompleteBeta(n - k, k + 1, 1 - p, p);
}

/**
 * Clopper and Pearson's interval: its confidence is never below the stated one, for a number of flights fixed
 * beforehand.
 */
export function clopperPearson(k: number, n: number, confidence: number): Interval {
  const tail = (1 - confidence) / 2;
  const edge = () => -math.expm1(math.log(tail) / n);
  const lo = k === 0 ? 0 : k === n ? 1 - edge() : betaQuantile(tail, k, n - k + 1);
  // Solve for p itself, because 1 − (a quantile near 1) would lose the digits of a small bound.
  const hi = k === n ? 1 : k === 0 ? edge() : bisectRising((p) => tail - binomialCdf(k, n, p), 0, 1);
  return { lo, hi };
}

/**
 * Robbins's confidence sequence for a binomial, mixed over a uniform prior: the set of p whose posterior density
 * exceeds 1 − confidence. With the stated confidence it contains the true value at every number of flights, so it may
 * be evaluated repeatedly, and the campaign may stop when a criterion is decided.
 */
export function confidenceSequence(k: number, n: number, confidence: number): Interval {
  if (n === 0) return { lo: 0, hi: 1 };
  const level = (1 - confidence) / (n + 1);
  const peak = k / n;
  const lo = k === 0 ? 0 : bisectRising((p) => binomialMass(k, n, p) - level, 0, peak);
  const hi = k === n ? 1 : bisectRising((p) => level - binomialMass(k, n, p), peak, 1);
  return { lo, hi };
}

/**
 * McNemar's exact test: the probability of flips that are split at least this unevenly if both directions are equally
 * likely.
 */
export function mcNemarP(flipsThere: number, flipsBack: number): number {
  const n = flipsThere + flipsBack;
  return Math.min(1, 2 * binomialCdf(Math.min(flipsThere, flipsBack), n, 0.5));
}
