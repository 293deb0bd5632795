/**
 * Measures rows that have no counterpart in C++. Each time is given as two ratios, to one RK4 step of the kernel and to
 * one RK4 step of C++ -O2, so that it can be compared between machines.
 */
import { measure, type Effort, type Variant } from "../measure.ts";
import { vehicle } from "../scene.ts";
import { restingInput } from "../../packages/core/src/multirotor/plant.ts";
import type { YardstickName } from "../yardstick.ts";
import { yardsticks } from "../yardsticks.ts";

type TimesWithRatios = readonly { readonly ns: number; readonly ratios: Partial<Record<YardstickName, number>> }[];

/** Returns the minimum time per unit of each variant, and its ratios to a step of the kernel and of C++ -O2. */
export function measureWithRatios(variants: readonly Variant[], effort: Effort): TimesWithRatios {
  const plant = vehicle("iris-reference");
  const chosen = yardsticks(plant).filter(({ name }) => name === "kernel" || name === "cppO2");
  const stepping = chosen.map(({ name, rk4 }): Variant => {
    const [x, u] = [new Float64Array(plant.layout.size), restingInput(plant.dims)];
    const prepare = () => plant.initialInto(x);
    const run = (units: number) => {
      rk4(x, u, units, 1000);
      return units;
    };
    return { name, guessNs: 600, prepare, run };
  });
  const times = measure([...stepping, ...variants], effort);
  return variants.map((_, i) => {
    const ns = times[chosen.length + i]!;
    return { ns, ratios: Object.fromEntries(chosen.map(({ name }, k) => [name, ns / times[k]!])) };
  });
}
