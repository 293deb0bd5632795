/**
 * Independent flights from a shifted distribution, with weights.
 *
 * A coordinate u has the normal score z = Φ⁻¹(u), which is standard normal under the campaign's own distribution. Nine
 * of ten flights draw the score around the shifted centre instead. The tenth does not, so no weight exceeds 10 (T.
 * Hesterberg: Weighted average importance sampling and defensive mixture distributions, 1995).
 */
import { normalQuantile, parseDurationText } from "@escapement/core";
import * as math from "@escapement/core/math";
import type { Plan } from "../contracts.ts";
import { bisectRising } from "../statistics/beta.ts";
import { normalCdf } from "../statistics/normal.ts";
import { drawsPerKey, flightSeeds, NumberedDraws, type PlanContext, type VariedKey } from "./context.ts";
import { wholeNumber } from "./counts.ts";
import { planErrors } from "./errors.ts";

/** Fraction of the flights that is not shifted. */
const UNSHIFTED = 0.1;
/** No weight exceeds this. */
export const LARGEST_WEIGHT = 1 / UNSHIFTED;

/** @param shift the value around which each shifted key is sampled most often */
export function importancePlan(
  context: PlanContext,
  flights: number,
  shift: Readonly<Record<string, number | string>>,
): Plan {
  for (const key of Object.keys(shift)) {
    if (!context.vary.some((varied) => varied.key === key))
      throw badShift(key, "it is not varied", `vary ${key}, or leave it out of shift`);
  }
  const centres = context.vary.map((varied) => (varied.key in shift ? centreOf(varied, shift[varied.key]!) : 0));
  const draws = drawsPerKey(context);
  const choice = new NumberedDraws(context.seed, "importance");
  const scoresInto = (k: number, out: Float64Array): void => {
    const isShifted = choice.at(k) >= UNSHIFTED;
    for (let j = 0; j < draws.length; j += 1) {
      out[j] = normalQuantile(draws[j]!.at(k)) + (isShifted ? centres[j]! : 0);
    }
  };
  const scores = new Float64Array(draws.length);
  return {
    kind: "importance",
    count: wholeNumber(flights, "flights", 1),
    dimension: draws.length,
    seedOf: flightSeeds(context),
    pointInto: (k, out) => {
      scoresInto(k, out);
      for (let j = 0; j < draws.length; j += 1) out[j] = belowOne(normalCdf(out[j]!));
    },
    weightOf: (k) => {
      scoresInto(k, scores);
      let exponent = 0;
      for (let j = 0; j < draws.length; j += 1) exponent += centres[j]! * (scores[j]! - centres[j]! / 2);
      return 1 / (UNSHIFTED + (1 - UNSHIFTED) * math.exp(exponent));
    },
  };
}

/** Returns the normal score of the coordinate at which a key has a value. */
function centreOf({ key, distribution }: VariedKey, given: number | string): number {
  const value = numberOf(given);
  const valueAt = (u: number): number => numberOf(distribution.valueAt(u));
  if (distribution.size !== undefined)
    throw badShift(key, `its values are discrete (${distribution.kind})`, "leave it out of shift");
  const ends = [valueAt(1e-15), valueAt(1 - 1e-15)] as const;
  if (!(value > ends[0] && value < ends[1]))
    throw badShift(key, `${given} is not inside its range`, `choose a value between ${ends[0]} and ${ends[1]}`);
  return normalQuantile(bisectRising((u) => valueAt(u) - value, 0, 1));
}

/** Returns a number, or a time with its unit in seconds. */
function numberOf(value: unknown): number {
  return parseDurationText(value) ?? NaN;
}

/** Limits a coordinate to the largest number below 1, because the distribution function may round to 1. */
function belowOne(u: number): number {
  return Math.min(u, 1 - 1.1102230246251565e-16);
}

function badShift(key: string, why: string, fix: string) {
  return planErrors.badShift({ what: `${key} cannot be shifted: ${why}`, where: { key: `plan.shift.${key}` }, fix });
}
