/** A plan of the flights that a search chose, so that other requirements can judge them. */
import type { Plan } from "../contracts.ts";
import { flightSeeds, type PlanContext } from "./context.ts";

export function pointsPlan(context: PlanContext, points: readonly (readonly number[])[]): Plan {
  return {
    kind: "points",
    count: points.length,
    dimension: context.vary.length,
    pointInto: (k, out) => out.set(points[k]!),
    seedOf: flightSeeds(context),
  };
}
