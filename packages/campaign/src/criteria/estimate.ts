/**
 * Estimates the probabilities, means and quantiles that criteria compare, with confidence intervals suited to the plan.
 *
 * A flight without a verdict widens the interval: for the lower end it counts as violated, for the upper end as
 * holding.
 */
import { RandomStream } from "@escapement/core";
import { clopperPearson, confidenceSequence, type Interval } from "../statistics/binomial.ts";
import { bcaInterval } from "../statistics/bootstrap.ts";
import { mean, meanOf, replicatedMeanOf } from "../statistics/means.ts";
import { quantileRanks, sampleQuantile, sequenceRanks } from "../statistics/quantiles.ts";
import { HELD, UNKNOWN } from "./tally.ts";

/** How the flights of a plan depend on each other, and whether their number is fixed beforehand. */
export interface Sampling {
  /** `counted`: a grid or list has no flights beyond those flown, so their fraction is exact. */
  readonly kind: "independent" | "replicated" | "sequential" | "weighted" | "counted";
  readonly replicates?: number;
  /** For `weighted`: no flight has a larger weight. */
  readonly largestWeight?: number;
}

/** A number with its interval. An end is infinite if the flights give no bound. */
export interface Estimate extends Interval {
  readonly value: number;
}

/** Estimates the probability that a requirement holds, from verdict codes. */
export function estimateProbability(
  codes: Uint8Array,
  weights: Float64Array | undefined,
  sampling: Sampling,
  confidence: number,
): Estimate {
  const n = codes.length;
  const held = count(codes, HELD);
  const possible = held + count(codes, UNKNOWN);
  const value = n === 0 ? NaN : held / n;
  if (n === 0) return { value, lo: 0, hi: 1 };
  if (sampling.kind === "counted") return { value, lo: value, hi: possible / n };
  if (sampling.kind === "weighted" && weights !== undefined)
    return weightedFraction(codes, weights, sampling, confidence);
  const interval = sampling.kind === "sequential" ? confidenceSequence : clopperPearson;
  const { lo } = interval(held, n, confidence);
  const { hi } = interval(possible, n, confidence);
  if (sampling.replicates === undefined) return { value, lo, hi };
  // Dependent points usually make Clopper–Pearson's interval too wide, but they may make it too narrow. So also compute
  // the interval from the means of the replicates, and return the smallest interval that contains both.
  const { replicates } = sampling;
  const low = replicatedMeanOf(indicators(codes, false), replicates, confidence);
  const high = replicatedMeanOf(indicators(codes, true), replicates, confidence);
  return { value, lo: Math.max(0, Math.min(lo, low.lo)), hi: Math.min(1, Math.max(hi, high.hi)) };
}

/** With fewer violations than this, their scatter says too little about those that were not drawn. */
const MIN_VIOLATIONS = 10;

function weightedFraction(
  codes: Uint8Array,
  weights: Float64Array,
  { largestWeight = Infinity }: Sampling,
  confidence: number,
): Estimate {
  // Estimate the probability of a violation, which is rare: its weighted indicators have the smaller variance.
  const estimate = (isHit: (code: number) => boolean) => {
    const indicators = Float64Array.from(codes, (code, k) => (isHit(code) ? weights[k]! : 0));
    const { mean: value, lo, hi } = meanOf(indicators, confidence);
    const hits = codes.filter(isHit).length;
    if (hits >= MIN_VIOLATIONS) return { value, lo, hi };
    // The probability is at most the largest weight times the probability that a flight of this plan violates.
    return { value, lo, hi: Math.max(hi, largestWeight * clopperPearson(hits, codes.length, confidence).hi) };
  };
  const violated = estimate((code) => code !== HELD && code !== UNKNOWN);
  const possible = estimate((code) => code !== HELD);
  return { value: 1 - violated.value, lo: Math.max(0, 1 - possible.hi), hi: Math.min(1, 1 - violated.lo) };
}

/** Estimates the mean of a measure. NaN marks a flight without a value; the interval is then unbounded. */
export function estimateMean(values: Float64Array, sampling: Sampling, confidence: number): Estimate {
  const known = knownOf(values);
  const value = mean(known);
  if (values.length < 2 || known.length < values.length) return { value, lo: -Infinity, hi: Infinity };
  const { replicates } = sampling;
  const { lo, hi } =
    replicates === undefined ? meanInterval(values, confidence) : replicatedMeanOf(values, replicates, confidence);
  return { value, lo, hi };
}

/** The bootstrap is reliable from 30 values on. Above 5000 it agrees with Student's interval, which is cheaper. */
const BOOTSTRAP_FROM = 30;
const BOOTSTRAP_TO = 5000;

function meanInterval(values: Float64Array, confidence: number): Interval {
  const { length } = values;
  if (length < BOOTSTRAP_FROM || length > BOOTSTRAP_TO) return meanOf(values, confidence);
  const statistic = (indices: Uint32Array) => {
    let total = 0;
    for (const i of indices) total += values[i]!;
    return total / indices.length;
  };
  return bcaInterval(length, statistic, { confidence, resamples: 2000, random: new RandomStream(0, "bootstrap") });
}

/** Estimates a quantile of a measure by order statistics. A missing value counts as −∞ for `lo` and as +∞ for `hi`. */
export function estimateQuantile(values: Float64Array, q: number, sampling: Sampling, confidence: number): Estimate {
  const ranks = sampling.kind === "sequential" ? sequenceRanks : quantileRanks;
  const { below, above } = ranks(values.length, q, confidence);
  const known = knownOf(values).sort();
  const missing = values.length - known.length;
  // Ranks count from 1. Missing values have the lowest ranks for `lo`, and the highest for `hi`.
  return {
    value: known.length === 0 ? NaN : sampleQuantile(known, q),
    lo: known[below - missing - 1] ?? -Infinity,
    hi: known[above - 1] ?? Infinity,
  };
}

/** Returns a copy of the values that are not missing. */
export function knownOf(values: Float64Array): Float64Array {
  // `filter` would first make a list of objects, which takes three times the memory.
  const known = values.slice();
  let length = 0;
  for (const value of values) if (!Number.isNaN(value)) known[length++] = value;
  return known.subarray(0, length);
}

/**
 * Returns the fraction of flights in which a requirement holds, and the fraction in which it holds or has no verdict.
 */
export function fractionsOf(codes: Uint8Array): { readonly fraction: number; readonly possible: number } {
  const held = count(codes, HELD);
  return { fraction: held / codes.length, possible: (held + count(codes, UNKNOWN)) / codes.length };
}

function count(codes: Uint8Array, code: number): number {
  let found = 0;
  for (const each of codes) found += each === code ? 1 : 0;
  return found;
}

function indicators(codes: Uint8Array, countsUnknown: boolean): Float64Array {
  return Float64Array.from(codes, (code) => (code === HELD || (countsUnknown && code === UNKNOWN) ? 1 : 0));
}
