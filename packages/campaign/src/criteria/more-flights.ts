/**
 * Computes how many more flights would decide an open criterion if its estimated probability stayed the same. A
 * quantile is treated as a probability: q95(x) < bound means P(x < bound) ≥ 95 %.
 */
import { clopperPearson, confidenceSequence } from "../statistics/binomial.ts";
import type { Sampling } from "./estimate.ts";
import type { Comparator } from "./parse.ts";

const MAX_FLIGHTS = 1e8;

interface OpenCriterion {
  /** Fraction of the flights in which the event of the probability occurred, e.g. in which the requirement holds. */
  readonly fraction: number;
  /** Fraction of the flights in which the event occurred or that have no value. */
  readonly possible: number;
  readonly n: number;
  readonly comparator: Comparator;
  readonly bound: number;
  readonly confidence: number;
  readonly sampling: Sampling;
}

/** Returns undefined if 10⁸ flights would not decide, e.g. because too many flights have no value. */
export function flightsToDecide({
  fraction,
  possible,
  n,
  comparator,
  bound,
  confidence,
  sampling,
}: OpenCriterion): number | undefined {
  if (sampling.kind === "weighted" || sampling.kind === "counted" || !Number.isFinite(fraction)) return undefined;
  const interval = sampling.kind === "sequential" ? confidenceSequence : clopperPearson;
  const isUpper = comparator.startsWith(">");
  const isDecided = (flights: number): boolean => {
    // Rounded to the unfavourable side, so that the answer does not depend on one lucky flight.
    const count = (part: number) => (part > bound ? Math.floor(part * flights) : Math.ceil(part * flights));
    const { lo } = interval(count(fraction), flights, confidence);
    const { hi } = interval(count(possible), flights, confidence);
    return isUpper ? lo >= bound || hi < bound : hi <= bound || lo > bound;
  };
  let high = Math.max(2 * n, 2);
  while (!isDecided(high)) {
    if (high > MAX_FLIGHTS) return undefined;
    high *= 2;
  }
  let low = n;
  while (high - low > Math.max(1, (low - n) / 100)) {
    const middle = Math.floor((low + high) / 2);
    if (isDecided(middle)) high = middle;
    else low = middle;
  }
  return high - n;
}
