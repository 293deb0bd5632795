/**
 * Elementary effects (M. D. Morris: Factorial sampling plans for preliminary computational experiments, 1991): how much a
 * result changes when one key moves over half of its range, from many places.
 */
import { RandomStream } from "@escapement/core";
import type { Interval } from "../statistics/binomial.ts";
import { mean, variance } from "../statistics/means.ts";
import { percentileIntervals } from "./resampling.ts";

interface MorrisEffect {
  readonly key: string;
  /** Mean of the absolute effects μ*: how much the key matters. In the unit of the result, per whole range. */
  readonly muStar: number;
  readonly muStarInterval: Interval;
  /** Mean of the effects μ: its sign says in which direction, if the effects agree. */
  readonly mu: number;
  /** Standard deviation σ of the effects: large if the effect depends on the other keys or on the place. */
  readonly sigma: number;
  /** Trajectories that had both values. */
  readonly trajectories: number;
}

/** The part of a plan that says which key flight k moved. */
export interface Trajectories {
  readonly count: number;
  readonly dimension: number;
  movedKey(k: number): number | undefined;
  pointInto(k: number, out: Float64Array): void;
}

/**
 * Effects of all keys, from the results of a `morris` plan in the order of its flights. A result that is not finite leaves
 * out the steps to and from it.
 */
export function morrisEffects(
  plan: Trajectories,
  keys: readonly string[],
  results: ArrayLike<number>,
  confidence = 0.95,
): MorrisEffect[] {
  const effects: number[][] = keys.map(() => []);
  const before = new Float64Array(plan.dimension);
  const after = new Float64Array(plan.dimension);
  for (let k = 1; k < Math.min(plan.count, results.length); k += 1) {
    const j = plan.movedKey(k);
    if (j === undefined) continue;
    plan.pointInto(k - 1, before);
    plan.pointInto(k, after);
    const effect = (results[k]! - results[k - 1]!) / (after[j]! - before[j]!);
    if (Number.isFinite(effect)) effects[j]!.push(effect);
  }
  return keys.map((key, j) => {
    const own = effects[j]!;
    const absolute = own.map((effect) => Math.abs(effect));
    const meanInto = (indices: Uint32Array, out: Float64Array): void => {
      out[0] = mean(Float64Array.from(indices, (i) => absolute[i]!));
    };
    const random = new RandomStream(0, `morris:${key}`);
    const [muStarInterval] = percentileIntervals(own.length, 1, meanInto, { random, confidence });
    return {
      key,
      muStar: mean(absolute),
      muStarInterval: muStarInterval!,
      mu: mean(own),
      sigma: own.length < 2 ? NaN : Math.sqrt(variance(own)),
      trajectories: own.length,
    };
  });
}
