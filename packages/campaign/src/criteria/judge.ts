/**
 * Judges criteria over the rows of a campaign.
 *
 * A criterion with a confidence is met if the whole interval is on the right side of its bound, not met if the whole
 * interval is on the wrong side, and open otherwise. The judgement of an open criterion says how many more flights
 * would decide it if the estimate stayed the same.
 */
import type { SimError } from "@escapement/core";
import { criterionErrors } from "./errors.ts";
import {
  type Estimate,
  estimateMean,
  estimateProbability,
  estimateQuantile,
  fractionsOf,
  knownOf,
  type Sampling,
} from "./estimate.ts";
import { flightsToDecide } from "./more-flights.ts";
import type { Comparator, Criterion } from "./parse.ts";
import { type Tally, UNKNOWN, VIOLATED } from "./tally.ts";
import { LARGEST_WEIGHT } from "../plans/importance.ts";
import { sampleOf } from "../spec/tables.ts";
import { sampleQuantile } from "../statistics/quantiles.ts";

interface CriterionJudgement {
  readonly text: string;
  readonly result: "met" | "not met" | "open";
  /** Number of flights on which the result is based. */
  readonly flights: number;
  /** Estimate of the compared number; null if the criterion compares none, or if no flight has a value. */
  readonly estimate: number | null;
  /** Bounds of the estimate; null if the flights give no bound. */
  readonly lo: number | null;
  readonly hi: number | null;
  readonly unit: string;
  /** Number of further flights that would decide an open criterion if the estimate stayed the same. */
  readonly moreFlights?: number;
}

/** The rows to judge, and whether more will follow. */
interface JudgedFlights {
  readonly tally: Tally;
  /** Flights 0 … n − 1 are judged. */
  readonly n: number;
  /** True if no more flights will follow. */
  readonly isComplete: boolean;
  readonly sampling: Sampling;
}

export function judgeCriterion(criterion: Criterion, given: JudgedFlights): CriterionJudgement {
  if (criterion.kind === "probability") return judgeProbability(criterion, given);
  if (criterion.kind === "statistic") return judgeStatistic(criterion, given);
  const { tally, n } = given;
  const codes = criterion.kind === "every" ? tally.verdictsOf(criterion.requirement, n) : undefined;
  const isBroken = codes === undefined ? tally.failures(n) > 0 : codes.includes(VIOLATED);
  const isOpen = !given.isComplete || codes?.includes(UNKNOWN) === true;
  const result = isBroken ? "not met" : isOpen ? "open" : "met";
  return { text: criterion.text, result, flights: n, estimate: null, lo: null, hi: null, unit: "" };
}

function judgeProbability(
  criterion: Criterion & { readonly kind: "probability" },
  { tally, n, sampling, isComplete }: JudgedFlights,
): CriterionJudgement {
  const { requirement, confidence, comparator, bound } = criterion;
  const codes = tally.verdictsOf(requirement, n);
  const estimate = estimateProbability(codes, tally.weightsOf(n), sampling, confidence);
  const result = isTooEarly(sampling, isComplete) ? "open" : decide(estimate, comparator, bound);
  return judgementOf(criterion.text, result, n, estimate, "", () =>
    flightsToDecide({ ...fractionsOf(codes), n, comparator, bound, confidence, sampling }),
  );
}

function judgeStatistic(
  criterion: Criterion & { readonly kind: "statistic" },
  { tally, n, sampling, isComplete }: JudgedFlights,
): CriterionJudgement {
  const { statistic, measure, comparator, bound, confidence, unit, text, q = 0.5 } = criterion;
  const values = tally.measuresOf(measure, n);
  if (confidence === undefined || sampling.kind === "counted") {
    const estimate = plainEstimate(statistic, values, q);
    const result = decide(estimate, comparator, bound);
    // Further flights can still change an extreme, or an estimate without a confidence.
    const isFinal = isComplete || (result === "not met" && (statistic === "min" || statistic === "max"));
    return judgementOf(text, isFinal ? result : "open", n, estimate, unit, () => undefined);
  }
  const isMean = statistic === "mean";
  const estimate = isMean
    ? estimateMean(values, sampling, confidence)
    : estimateQuantile(values, q, sampling, confidence);
  const result = isTooEarly(sampling, isComplete) ? "open" : decide(estimate, comparator, bound);
  return judgementOf(text, result, n, estimate, unit, () => {
    if (isMean) return flightsForMean(estimate, bound, n);
    // q95(x) < bound is equivalent to P(x < bound) ≥ 95 %.
    const isWithin = (value: number) => (comparator.includes("=") ? value <= bound : value < bound);
    const fraction = countOf(values, isWithin) / n;
    const possible = fraction + countOf(values, Number.isNaN) / n;
    const isUpper = comparator.startsWith("<");
    return flightsToDecide({
      fraction,
      possible,
      n,
      comparator: isUpper ? ">=" : "<=",
      bound: q,
      confidence,
      sampling,
    });
  });
}

/**
 * Computes a statistic without a confidence. A missing value counts as −∞ for the lower bound and +∞ for the upper one.
 */
function plainEstimate(statistic: string, values: Float64Array, q: number): Estimate {
  if (statistic === "mean") {
    const { value, lo, hi } = estimateMean(values, { kind: "independent" }, 0.95);
    return Number.isFinite(lo) || (values.length === 1 && !Number.isNaN(value))
      ? { value, lo: value, hi: value }
      : { value, lo, hi };
  }
  const known = knownOf(values).sort();
  const missing = values.length - known.length;
  const at = (sorted: Float64Array): number =>
    sorted.length === 0
      ? NaN
      : statistic === "min"
        ? sorted[0]!
        : statistic === "max"
          ? sorted[sorted.length - 1]!
          : sampleQuantile(sorted, q);
  if (missing === 0) return { value: at(known), lo: at(known), hi: at(known) };
  const low = new Float64Array(values.length).fill(-Infinity);
  const high = new Float64Array(values.length).fill(Infinity);
  low.set(known, missing);
  high.set(known);
  return { value: at(known), lo: at(low), hi: at(high) };
}

function countOf(values: Float64Array, isCounted: (value: number) => boolean): number {
  let count = 0;
  for (const value of values) if (isCounted(value)) count += 1;
  return count;
}

/**
 * Returns true if an interval for a fixed number of flights cannot decide yet, because that number has not been
 * reached.
 */
function isTooEarly({ kind }: Sampling, isComplete: boolean): boolean {
  return !isComplete && kind !== "sequential";
}

export function decide({ lo, hi }: Estimate, comparator: Comparator, bound: number): CriterionJudgement["result"] {
  if (isTrue(lo, comparator, bound) && isTrue(hi, comparator, bound)) return "met";
  return isTrue(lo, comparator, bound) || isTrue(hi, comparator, bound) || Number.isNaN(lo) ? "open" : "not met";
}

function isTrue(value: number, comparator: Comparator, bound: number): boolean {
  if (comparator === "<") return value < bound;
  if (comparator === "<=") return value <= bound;
  return comparator === ">" ? value > bound : value >= bound;
}

/**
 * Estimates how many more flights would decide a mean: the half width of its interval is inversely proportional to the
 * square root of the number of flights.
 */
function flightsForMean({ value, lo, hi }: Estimate, bound: number, n: number): number | undefined {
  const distance = Math.abs(value - bound);
  const half = Math.max(hi - value, value - lo);
  if (!(distance > 0) || !Number.isFinite(half)) return undefined;
  return Math.ceil(n * (half / distance) * (half / distance)) - n;
}

function judgementOf(
  text: string,
  result: CriterionJudgement["result"],
  flights: number,
  { value, lo, hi }: Estimate,
  unit: string,
  more: () => number | undefined,
): CriterionJudgement {
  const finite = (number: number) => (Number.isFinite(number) ? number : null);
  const moreFlights = result === "open" ? more() : undefined;
  return {
    text,
    result,
    flights,
    estimate: finite(value),
    lo: finite(lo),
    hi: finite(hi),
    unit,
    ...(moreFlights === undefined ? {} : { moreFlights }),
  };
}

/** Returns how the flights of a plan depend on each other; undefined if they are not a sample. */
export function samplingOf(plan: {
  readonly kind: string;
  readonly replicates?: number;
  readonly isSequential: boolean;
}): Sampling | undefined {
  const sample = sampleOf(plan.kind);
  if (sample === "all") return { kind: "counted" };
  if (sample === "weighted") return { kind: "weighted", largestWeight: LARGEST_WEIGHT };
  if (plan.isSequential) return { kind: "sequential" };
  if (plan.replicates !== undefined) return { kind: "replicated", replicates: plan.replicates };
  return sample === "chosen" ? undefined : { kind: "independent" };
}

/** Rejects a criterion that the flights of a plan cannot answer. */
export function criterionError(
  criterion: Criterion,
  planKind: string,
  sampling: Sampling | undefined,
  key = "criteria",
): SimError | undefined {
  const isCounted = criterion.kind === "every" || criterion.kind === "no failures";
  if (isCounted) return undefined;
  const isExtreme = criterion.kind === "statistic" && (criterion.statistic === "min" || criterion.statistic === "max");
  if (sampling === undefined && !isExtreme) {
    return criterionErrors.notForPlan({
      what: `"${criterion.text}": the flights of the plan ${planKind} are not drawn from the campaign's distributions`,
      where: { key },
      fix: 'use the plan random, latin or sobol, or write "every flight: …"',
    });
  }
  const isMean = criterion.kind === "statistic" && criterion.statistic === "mean";
  if (sampling?.kind === "sequential" && isMean && criterion.confidence !== undefined) {
    return criterionErrors.notForPlan({
      what: `"${criterion.text}": with "until", no interval for a mean is valid at every evaluation`,
      where: { key },
      fix: "fix the number of flights, or use a quantile, e.g. q50",
    });
  }
  if (sampling?.kind === "weighted" && criterion.kind === "statistic" && !isExtreme) {
    return criterionErrors.notForPlan({
      what: `"${criterion.text}": the plan importance estimates probabilities`,
      where: { key },
      fix: "write the criterion as P(requirement), or use the plan random",
    });
  }
  return undefined;
}
