/**
 * Simulates campaigns to find how often an interval that is evaluated repeatedly misses the true value at least once.
 */
import { RandomStream } from "@escapement/core";
import type { Interval } from "../binomial.ts";

interface EvaluationPlan {
  readonly campaigns: number;
  readonly flights: number;
  readonly every: number;
  readonly p: number;
  readonly confidence: number;
}

/** Returns the fraction of campaigns in which the interval of at least one evaluation does not contain p. */
export function missesOfSequence(
  interval: (k: number, n: number, confidence: number) => Interval,
  { campaigns, flights, every, p, confidence }: EvaluationPlan,
): number {
  const random = new RandomStream(7, `coverage ${p}`);
  const known = new Map<number, Interval>();
  let misses = 0;
  for (let campaign = 0; campaign < campaigns; campaign += 1) {
    let [k, isMissed] = [0, false];
    for (let n = 1; n <= flights; n += 1) {
      if (random.uniform() < p) k += 1;
      if (n % every !== 0 || isMissed) continue;
      const key = n * (flights + 1) + k;
      const bounds = known.get(key) ?? interval(k, n, confidence);
      known.set(key, bounds);
      isMissed = p < bounds.lo || p > bounds.hi;
    }
    misses += isMissed ? 1 : 0;
  }
  return misses / campaigns;
}
