/**
 * Plans with groups of related flights, which separate the effects of the keys: the trajectories of Morris (1991), and
 * the blocks of Saltelli et al. (2010).
 */
import type { Plan } from "../contracts.ts";
import { drawsPerKey, flightSeeds, NumberedDraws, type PlanContext } from "./context.ts";
import { wholeNumber } from "./counts.ts";
import { planErrors } from "./errors.ts";
import { checkCoordinates } from "./sobol.ts";
import { owenScramble, sobolFraction } from "./sobol-sequence.ts";

interface MorrisPlan extends Plan {
  readonly trajectories: number;
  /** The key that flight k changes relative to flight k − 1; undefined for the first flight of a trajectory. */
  movedKey(k: number): number | undefined;
}

/**
 * Flight k is step k mod (d + 1) of trajectory ⌊k / (d + 1)⌋. Each step changes one more key by half of its levels. The
 * levels are the centres of equally likely strata, so that unbounded distributions have finite values there.
 */
export function morrisPlan(context: PlanContext, trajectories: number, levels: number): MorrisPlan {
  const d = context.vary.length;
  if (wholeNumber(levels, "levels", 2) % 2 === 1) {
    throw planErrors.badCount({
      what: `${levels} levels`,
      where: { key: "plan.levels" },
      fix: "write an even number, e.g. 4",
    });
  }
  const bases = drawsPerKey(context);
  const orders = new NumberedDraws(context.seed, "morris order");
  const half = levels / 2;
  // Step at which each key moves: a random permutation (Fisher–Yates shuffle).
  const stepsOf = (trajectory: number): Uint32Array => {
    const steps = Uint32Array.from({ length: d }, (_, j) => j + 1);
    for (let j = d - 1; j > 0; j -= 1) {
      const other = Math.floor((j + 1) * orders.at(trajectory * d + j));
      [steps[j], steps[other]] = [steps[other]!, steps[j]!];
    }
    return steps;
  };
  const trajectoryOf = (k: number) => Math.floor(k / (d + 1));
  return {
    kind: "morris",
    trajectories: wholeNumber(trajectories, "trajectories", 2),
    count: wholeNumber(trajectories * (d + 1), "trajectories", 2),
    dimension: d,
    // One seed per trajectory, so that a step shows the effect of its key and not that of different random numbers.
    seedOf: seedsPer(context, trajectoryOf),
    movedKey: (k) => {
      const at = k % (d + 1);
      return at === 0 ? undefined : stepsOf(trajectoryOf(k)).indexOf(at);
    },
    pointInto: (k, out) => {
      const trajectory = trajectoryOf(k);
      const steps = stepsOf(trajectory);
      for (let j = 0; j < d; j += 1) {
        const base = Math.floor(levels * bases[j]!.at(trajectory));
        const isMoved = steps[j]! <= k % (d + 1);
        const level = isMoved ? (base + half) % levels : base;
        out[j] = (level + 0.5) / levels;
      }
    },
  };
}

/**
 * Every base point has d + 2 flights: A, B, then A with one key at a time taken from B. Flight k is number k mod (d +
 * 2) of base point ⌊k / (d + 2)⌋. A and B are the two halves of one scrambled Sobol point with 2d coordinates.
 */
export function sobolIndicesPlan(context: PlanContext, base: number): Plan & { readonly base: number } {
  const { vary, seed } = context;
  const d = vary.length;
  checkCoordinates(2 * d, d);
  const make = (side: string) => ({
    below: drawsPerKey(context, `/${side}`),
    scramble: vary.map(({ key }) => new NumberedDraws(seed, `scramble:${key}/${side}`)),
  });
  const sides = [make("A"), make("B")] as const;
  const coordinate = (point: number, j: number, side: 0 | 1): number => {
    const { below, scramble } = sides[side];
    return owenScramble(sobolFraction(point, j + side * d), scramble[j]!, below[j]!.at(point));
  };
  const pointOf = (k: number) => Math.floor(k / (d + 2));
  return {
    kind: "sobol-indices",
    base: wholeNumber(base, "base", 2),
    count: wholeNumber(base * (d + 2), "base", 2),
    dimension: d,
    seedOf: seedsPer(context, pointOf),
    pointInto: (k, out) => {
      const block = k % (d + 2);
      for (let j = 0; j < d; j += 1) out[j] = coordinate(pointOf(k), j, block === 1 || block === j + 2 ? 1 : 0);
    },
  };
}

/** Returns a function that gives all flights of a group the same seed. */
function seedsPer(context: PlanContext, groupOf: (k: number) => number): Plan["seedOf"] {
  const seeds = flightSeeds(context);
  return (k) => seeds(groupOf(k));
}
