/**
 * The interval of a rare event's probability, from independent runs of splitting.
 *
 * Estimates of single runs are skewed, nearly log-normal, so the interval is that of the mean of a log-normal
 * distribution: the intervals of μ and σ²/2 are combined by their variances (G. Y. Zou et al.: Confidence interval
 * estimation for lognormal data, 2009), with Student's t instead of the normal quantile.
 *
 * The logarithms have heavier tails than a normal distribution: a few runs find a path to the event that other runs
 * miss. So an interval at the nominal level contains the true value too rarely (93 to 95 % instead of 95 % for a
 * process with known probabilities), and Student's interval of the mean much too rarely (83 to 90 %). Half of the
 * nominal error probability gives 95 to 98 % for 8 to 32 runs. `tests/long/splitting.test.ts` measures this.
 *
 * If the runs scatter by orders of magnitude, that interval ends at 1. But the first flights of each run are
 * independent, and the number of violations among them has an exact interval. The result is the intersection of both
 * intervals. The exact interval gets a fifth of the error probability.
 */
import * as math from "@escapement/core/math";
import { clopperPearson, type Interval } from "../statistics/binomial.ts";
import { chiSquaredQuantile } from "../statistics/chi-squared.ts";
import { mean, tQuantile, variance } from "../statistics/means.ts";

export interface RareEventEstimate extends Interval {
  readonly probability: number;
}

/** The result of one run. */
interface RunResult {
  readonly probability: number;
  /** Number of the first flights of the run that reached the event. */
  readonly initialHits: number;
}

/** `particles` is the number of flights with which each run started. */
export function combineRuns(
  results: readonly RunResult[],
  { particles, confidence }: { readonly particles: number; readonly confidence: number },
): RareEventEstimate {
  const runs = results.length;
  const probability = mean(results.map((each) => each.probability));
  const positive = results.map((each) => each.probability).filter((each) => each > 0);
  const initialHits = results.reduce((sum, each) => sum + each.initialHits, 0);
  // The scatter cannot be estimated from one run, so only the first flights of all runs are used.
  if (positive.length < 2) return { probability, ...clopperPearson(initialHits, particles * runs, confidence) };
  const byCounting = clopperPearson(initialHits, particles * runs, (4 + confidence) / 5);
  const { lo, hi } = logNormalMean(positive, (1 + confidence) / 2);
  // The mean over all runs is the fraction of runs that reach the event, times the mean over those runs.
  const reaching = positive.length === runs ? { lo: 1, hi: 1 } : clopperPearson(positive.length, runs, confidence);
  return {
    probability,
    lo: Math.min(probability, Math.max(lo * reaching.lo, byCounting.lo)),
    hi: Math.max(probability, Math.min(hi * reaching.hi, byCounting.hi)),
  };
}

/** Returns the interval for the mean of a log-normal distribution, from positive values. */
function logNormalMean(values: readonly number[], confidence: number): Interval {
  const n = values.length;
  const logarithms = values.map((each) => math.log(each));
  const spread = variance(logarithms);
  const centre = mean(logarithms) + spread / 2;
  const t = tQuantile(confidence, n - 1);
  const ofMean = (t * t * spread) / n;
  // Distances of σ²/2 from the ends of its interval.
  const below = (spread / 2) * (1 - (n - 1) / chiSquaredQuantile((1 + confidence) / 2, n - 1));
  const above = (spread / 2) * ((n - 1) / chiSquaredQuantile((1 - confidence) / 2, n - 1) - 1);
  return {
    lo: math.exp(centre - Math.sqrt(ofMean + below * below)),
    hi: math.exp(centre + Math.sqrt(ofMean + above * above)),
  };
}
