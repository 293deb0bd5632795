/**
 * Resolves the corners of all ranges and the first flights before anything is flown, so that a range with invalid
 * values is reported at the start and not hours later.
 */
import { type Registry, SimError } from "@escapement/core";
import { CampaignFlyer } from "../fly/one.ts";
import type { PlanContext } from "../plans/context.ts";
import type { Campaign } from "./campaign.ts";
import { campaignErrors } from "./errors.ts";
import { contextOf, isSearch, maxFlights } from "./make-plan.ts";

/** Returns an error for each key with an invalid end; if there is none, an error for the first invalid flight. */
export function pointErrors(campaign: Campaign, registry: Registry, flights: number): SimError[] {
  const flyer = new CampaignFlyer(campaign, { registry });
  const { vary } = contextOf(campaign);
  // The values of a list belong together, so only its flights are tried.
  const atEnds = campaign.plan.kind === "list" ? [] : endErrors(campaign, flyer, vary);
  if (atEnds.length > 0 || isSearch(flyer.plan)) return atEnds;
  for (let k = 0; k < Math.min(flights, maxFlights(flyer.plan)); k += 1) {
    const found = resolutionError(flyer, undefined, k);
    if (found !== undefined) return [pointError(campaign, undefined, `flight ${k}`, found)];
  }
  return [];
}

/** Tries the ends of each key, with the other keys in the middle of their ranges. */
function endErrors(campaign: Campaign, flyer: CampaignFlyer, vary: PlanContext["vary"]): SimError[] {
  const middle = vary.map(() => 0.5);
  const inMiddle = resolutionError(flyer, middle, 0);
  if (inMiddle !== undefined)
    return [pointError(campaign, undefined, "every key in the middle of its range", inMiddle)];
  return vary.flatMap(({ key, distribution }, i) => {
    for (const u of endsOf(distribution.kind)) {
      const point = middle.map((half, j) => (j === i ? u : half));
      const found = resolutionError(flyer, point, 0);
      if (found !== undefined) return [pointError(campaign, key, `${key} = ${String(distribution.valueAt(u))}`, found)];
    }
    return [];
  });
}

/**
 * Returns the unit coordinates of the ends of a distribution. A normal distribution has no ends, so it is tried at ±3σ.
 */
function endsOf(kind: string): readonly number[] {
  return kind.endsWith("normal") ? [0.00135, 0.99865] : [0, 1 - 2 ** -53];
}

function resolutionError(flyer: CampaignFlyer, point: readonly number[] | undefined, k: number): SimError | undefined {
  try {
    const flight = flyer.flight(point === undefined ? { k } : { k, point });
    return flyer.resolve(flight, k).errors[0];
  } catch (error) {
    if (error instanceof SimError) return error;
    throw error;
  }
}

function pointError({ manifest }: Campaign, key: string | undefined, which: string, cause: SimError): SimError {
  const { code, what, where, fix } = cause;
  const at = where.key === undefined ? "" : `${where.key}: `;
  return campaignErrors.pointRefused({
    what: `${which} makes no valid flight: ${code} ${at}${what}`,
    where: { file: manifest.file, key: key === undefined ? "vary" : `vary.${key}` },
    fix,
  });
}
