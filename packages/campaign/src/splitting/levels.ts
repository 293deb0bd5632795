/**
 * Adaptive multilevel splitting: the probability of a rare event, from flights that branch on their way to it.
 *
 * Many flights are flown, and the worst of them branch: those with the lowest scores are replaced by branches of the
 * others, which start where their parent first exceeded the level and continue with other random numbers. Each level
 * multiplies the estimate by the part of the flights that exceeded it. The estimate is unbiased for any number of flights
 * (C.-E. Bréhier et al.: Unbiasedness of some generalized adaptive multilevel splitting algorithms, 2016), but one run of
 * it scatters widely, so the interval comes from repeats.
 */
import { math, type RandomStream } from "@escapement/core";
import { clopperPearson, type Interval } from "../statistics/binomial.ts";
import { mean, meanOf, tQuantile, variance } from "../statistics/means.ts";

/** Flies trajectories whose score never falls, and branches them. */
export interface SplittingProcess<T> {
  /** Flies a new trajectory. */
  start(): T;
  /** Branches where `parent` first exceeded the level, with other random numbers from there on. */
  branch(parent: T, level: number): T;
  /** The highest score of a trajectory. */
  scoreOf(trajectory: T): number;
}

interface SplittingOptions {
  /** The event: the score exceeds this. */
  readonly target: number;
  readonly particles: number;
  /** Part of the particles that each level replaces. */
  readonly share: number;
  /** Chooses which particles branch. */
  readonly random: RandomStream;
}

interface SplittingRun<T> {
  readonly probability: number;
  /** Levels, from the first to the last. */
  readonly levels: readonly number[];
  /** Trajectories flown, whole ones and branches. */
  readonly flown: number;
  /** Trajectories at the end; those above the target show how the event comes about. */
  readonly particles: readonly T[];
}

export function splitOnce<T>(process: SplittingProcess<T>, options: SplittingOptions): SplittingRun<T> {
  const { target, particles: n, share, random } = options;
  const particles = Array.from({ length: n }, () => process.start());
  const scores = particles.map((particle) => process.scoreOf(particle));
  const levels: number[] = [];
  let [probability, flown] = [1, n];
  for (;;) {
    const level = [...scores].sort((a, b) => a - b)[Math.max(1, Math.round(share * n)) - 1]!;
    if (level >= target) break;
    const isBelow = scores.map((score) => score <= level);
    const alive = particles.filter((_, i) => !isBelow[i]);
    probability *= alive.length / n;
    levels.push(level);
    if (alive.length === 0) break;
    for (let i = 0; i < n; i += 1) {
      if (isBelow[i] !== true) continue;
      particles[i] = process.branch(alive[Math.floor(random.uniform() * alive.length)]!, level);
      scores[i] = process.scoreOf(particles[i]!);
      flown += 1;
    }
  }
  return { probability: (probability * scores.filter((score) => score > target).length) / n, levels, flown, particles };
}

/**
 * The mean of repeated runs with its interval. Estimates of rare events are skewed, close to log-normal, so the interval
 * is Cox's for the mean of a log-normal distribution. If a run died out, Student's interval of the relative error is
 * applied as a factor. If no run reached the event, only the first flights of all runs count.
 */
export function combineRuns(
  probabilities: readonly number[],
  particles: number,
  confidence: number,
): Interval & { readonly probability: number } {
  const n = probabilities.length;
  const { mean: probability, hi } = meanOf(probabilities, confidence);
  if (probability === 0) return { probability, lo: 0, hi: clopperPearson(0, particles * n, confidence).hi };
  if (n < 2) return { probability, lo: 0, hi: 1 };
  if (probabilities.includes(0)) {
    const factor = math.exp(hi / probability - 1);
    return { probability, lo: probability / factor, hi: Math.min(1, probability * factor) };
  }
  const logarithms = probabilities.map((each) => math.log(each));
  const spread = variance(logarithms);
  const centre = mean(logarithms) + spread / 2;
  const half = tQuantile(confidence, n - 1) * Math.sqrt(spread / n + (spread * spread) / (2 * (n - 1)));
  return {
    probability,
    lo: Math.min(probability, math.exp(centre - half)),
    hi: Math.min(1, Math.max(probability, math.exp(centre + half))),
  };
}
