/**
 * Scrambled Sobol points, which cover the range of every key and of every pair of keys evenly. They are most even if
 * the number of points per replicate is a power of two.
 */
import type { Plan } from "../contracts.ts";
import { drawsPerKey, flightSeeds, NumberedDraws, type PlanContext } from "./context.ts";
import { wholeNumber } from "./counts.ts";
import { planErrors } from "./errors.ts";
import { Replicates } from "./replicates.ts";
import { owenScramble, SOBOL_COORDINATES, sobolFraction } from "./sobol-sequence.ts";

export function sobolPlan(context: PlanContext, flights: number, replicates?: number): Plan {
  const count = wholeNumber(flights, "flights", 1);
  const parts = new Replicates(count, replicates);
  const { vary, seed } = context;
  checkCoordinates(vary.length, vary.length);
  const below = drawsPerKey(context);
  const scrambles = vary.map(({ key }) =>
    Array.from({ length: parts.count }, (_, r) => new NumberedDraws(seed, `scramble:${key}/${r}`)),
  );
  return {
    kind: "sobol",
    count,
    dimension: vary.length,
    ...(parts.count > 1 ? { replicates: parts.count } : {}),
    seedOf: flightSeeds(context),
    pointInto: (k, out) => {
      for (let j = 0; j < vary.length; j += 1) {
        const fraction = sobolFraction(parts.indexOf(k), j);
        out[j] = owenScramble(fraction, scrambles[j]![parts.of(k)]!, below[j]!.at(k));
      }
    },
  };
}

/** Rejects more coordinates than there are direction numbers for. */
export function checkCoordinates(needed: number, keys: number): void {
  if (needed <= SOBOL_COORDINATES) return;
  throw planErrors.tooManyKeys({
    what: `${keys} varied keys need ${needed} Sobol coordinates; there are ${SOBOL_COORDINATES}`,
    where: { key: "vary" },
    fix: "vary fewer keys, or use the plan latin, random or morris",
  });
}
