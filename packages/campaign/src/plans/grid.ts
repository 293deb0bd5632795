/** Every combination of listed values. The last key changes fastest. */
import type { Plan } from "../contracts.ts";
import { flightSeeds, type PlanContext } from "./context.ts";
import { wholeNumber } from "./counts.ts";
import { planErrors } from "./errors.ts";

export function gridPlan(context: PlanContext): Plan {
  const sizes = context.vary.map(({ key, distribution }) => {
    if (distribution.size !== undefined) return distribution.size;
    throw planErrors.needsList({
      what: `${key} varies continuously (${distribution.kind})`,
      where: { key: `vary.${key}` },
      fix: "write { list = [...] }, or choose the plan random, latin or sobol",
    });
  });
  const count = wholeNumber(
    sizes.reduce((product, size) => product * size, 1),
    "flights",
    1,
  );
  return {
    kind: "grid",
    count,
    dimension: sizes.length,
    seedOf: flightSeeds(context),
    pointInto: (k, out) => {
      let rest = k;
      for (let j = sizes.length - 1; j >= 0; j -= 1) {
        out[j] = ((rest % sizes[j]!) + 0.5) / sizes[j]!;
        rest = Math.floor(rest / sizes[j]!);
      }
    },
  };
}

/** Flight k is row k of a table: every varied key lists one value per flight. */
export function listPlan(context: PlanContext, flights: number): Plan {
  const count = wholeNumber(flights, "flights", 1);
  return {
    kind: "list",
    count,
    dimension: context.vary.length,
    seedOf: flightSeeds(context),
    pointInto: (k, out) => {
      for (let j = 0; j < context.vary.length; j += 1) out[j] = (k + 0.5) / count;
    },
  };
}
