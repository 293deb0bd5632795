/**
 * Elementary effects (M. D. Morris: Factorial sampling plans for preliminary computational experiments, 1991): how much
 * a result changes when one key changes by half of its range, starting at many points. Effects are scaled to a change
 * by the whole range.
 */
import { RandomStream } from "@escapement/core";
import type { Interval } from "../statistics/binomial.ts";
import { mean, variance } from "../statistics/means.ts";
import { percentileIntervals } from "./resampling.ts";

interface MorrisEffect {
  readonly key: string;
  /** Mean of the absolute effects μ*, in the unit of the result per whole range: how much the key matters. */
  readonly muStar: number;
  readonly muStarInterval: Interval;
  /** Mean of the effects μ. If the effects agree, its sign is their direction. */
  readonly mu: number;
  /** Standard deviation σ of the effects: large if the effect depends on the other keys or on the key's value. */
  readonly sigma: number;
  /** Number of trajectories in which both flights of the step have a result. */
  readonly trajectories: number;
}

/** The members of a plan `morris` that its effects need: its points, and the key that each flight changes. */
export interface Trajectories {
  readonly count: number;
  readonly dimension: number;
  movedKey(k: number): number | undefined;
  pointInto(k: number, out: Float64Array): void;
}

/**
 * Returns the effects of all keys, from the results of a `morris` plan in the order of its flights. A step is left out
 * if the result before or after it is not finite.
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
    const keyEffects = effects[j]!;
    const absolute = keyEffects.map((effect) => Math.abs(effect));
    const meanInto = (indices: Uint32Array, out: Float64Array): void => {
      out[0] = mean(Float64Array.from(indices, (i) => absolute[i]!));
    };
    const random = new RandomStream(0, `morris:${key}`);
    const [muStarInterval] = percentileIntervals(keyEffects.length, 1, meanInto, { random, confidence });
    return {
      key,
      muStar: mean(absolute),
      muStarInterval: muStarInterval!,
      mu: mean(keyEffects),
      sigma: keyEffects.length < 2 ? NaN : Math.sqrt(variance(keyEffects)),
      trajectories: keyEffects.length,
    };
  });
}
