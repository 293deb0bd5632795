/** Latin hypercubes: for every key, each of n equally likely strata is sampled exactly once per replicate. */
import type { Plan } from "../contracts.ts";
import { drawsPerKey, flightSeeds, NumberedDraws, type PlanContext } from "./context.ts";
import { wholeNumber } from "./counts.ts";
import { Permutation } from "./permutation.ts";
import { Replicates } from "./replicates.ts";

export function latinPlan(context: PlanContext, flights: number, replicates?: number): Plan {
  const count = wholeNumber(flights, "flights", 1);
  const parts = new Replicates(count, replicates);
  const jitter = drawsPerKey(context);
  const strata = context.vary.map(({ key }) =>
    Array.from(
      { length: parts.count },
      (_, r) => new Permutation(new NumberedDraws(context.seed, `strata:${key}/${r}`), parts.sizeOf(r)),
    ),
  );
  return {
    kind: "latin",
    count,
    dimension: jitter.length,
    ...(parts.count > 1 ? { replicates: parts.count } : {}),
    seedOf: flightSeeds(context),
    pointInto: (k, out) => {
      const r = parts.of(k);
      const size = parts.sizeOf(r);
      for (let j = 0; j < jitter.length; j += 1) {
        out[j] = (strata[j]![r]!.at(parts.indexOf(k)) + jitter[j]!.at(k)) / size;
      }
    },
  };
}
