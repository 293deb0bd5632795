/** Independent flights, and independent pairs of flights. */
import type { Plan } from "../contracts.ts";
import { drawsPerKey, flightSeeds, type PlanContext } from "./context.ts";
import { wholeNumber } from "./counts.ts";

export function randomPlan(context: PlanContext, flights: number): Plan {
  const draws = drawsPerKey(context);
  return {
    kind: "random",
    count: wholeNumber(flights, "flights", 1),
    dimension: draws.length,
    seedOf: flightSeeds(context),
    pointInto: (k, out) => {
      for (let j = 0; j < draws.length; j += 1) out[j] = draws[j]!.at(k);
    },
  };
}

/**
 * Makes a plan that flies every point twice with one seed: flight 2i is the base flight, flight 2i + 1 the one with
 * `against`.
 */
export function pairsPlan(context: PlanContext, pairs: number): Plan {
  const points = randomPlan(context, wholeNumber(pairs, "pairs", 1));
  const pairOf = (k: number) => Math.floor(k / 2);
  return {
    kind: "pairs",
    count: 2 * points.count,
    dimension: points.dimension,
    seedOf: (k) => points.seedOf(pairOf(k)),
    sideOf: (k) => (k % 2 === 0 ? 0 : 1),
    pointInto: (k, out) => points.pointInto(pairOf(k), out),
  };
}
