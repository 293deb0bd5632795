/** The plan of a campaign, made from its settings. */
import { flightErrors, isMeasured, oneOfNames } from "@escapement/core";
import type { Plan, Search } from "../contracts.ts";
import { FalsifySearch } from "../search/falsify.ts";
import { importancePlan } from "../plans/importance.ts";
import type { PlanContext } from "../plans/context.ts";
import { gridPlan, listPlan } from "../plans/grid.ts";
import { latinPlan } from "../plans/latin.ts";
import { pointsPlan } from "../plans/points.ts";
import { pairsPlan, randomPlan } from "../plans/random.ts";
import { morrisPlan, sobolIndicesPlan } from "../plans/sensitivity-plans.ts";
import { sobolPlan } from "../plans/sobol.ts";
import { SplittingSearch } from "../splitting/splitting-search.ts";
import { readDistribution } from "../vary/distributions.ts";
import type { Campaign } from "./campaign.ts";
import { campaignErrors } from "./errors.ts";
import { PLAN_TABLES, type PlanKind } from "./tables.ts";

type AnyPlan = Plan | Search;

export function isSearch(plan: AnyPlan): plan is Search {
  return "ask" in plan;
}

/** Returns the limit on the number of flights of a plan. */
export function maxFlights(plan: AnyPlan): number {
  return isSearch(plan) ? plan.most : plan.count;
}

export function contextOf({
  vary,
  manifest,
}: Pick<Campaign, "vary"> & { manifest: Pick<Campaign["manifest"], "seed" | "seeds"> }): PlanContext {
  return {
    seed: manifest.seed,
    seeds: manifest.seeds,
    vary: vary.map(({ key, distribution }) => ({ key, distribution: readDistribution(distribution, key) })),
  };
}

/** Throws typed errors of the plan, with the keys of the campaign file. */
export function makePlan(
  settings: Campaign["plan"],
  context: PlanContext,
  requirements: readonly { readonly name: string; readonly mustOccur: boolean }[],
): AnyPlan {
  const number = (key: string) => settings[key] as number;
  const replicates = () => (number("replicates") === 0 ? undefined : number("replicates"));
  const { kind } = settings as { readonly kind: PlanKind | "points" };
  switch (kind) {
    case "points":
      return pointsPlan(context, settings["points"] as readonly (readonly number[])[]);
    case "grid":
      return gridPlan(context);
    case "list":
      return listPlan(context, listLength(context));
    case "random":
      return randomPlan(context, settings["until"] === "decided" ? number("most") : number("flights"));
    case "latin":
      return latinPlan(context, number("flights"), replicates());
    case "sobol":
      return sobolPlan(context, number("flights"), replicates());
    case "morris":
      return morrisPlan(context, number("trajectories"), number("levels"));
    case "sobol-indices":
      return sobolIndicesPlan(context, number("base"));
    case "pairs":
      return pairsPlan(context, number("pairs"));
    case "importance":
      return importancePlan(context, number("flights"), settings["shift"] as Record<string, number | string>);
    case "falsify":
      return new FalsifySearch(context, {
        requirements: searchedRequirements(settings, requirements),
        method: settings["method"] as string,
        most: number("most"),
      });
    case "splitting": {
      const requirement = oneRequirement(settings, requirements);
      return new SplittingSearch(context, {
        requirement,
        mustOccur: requirements[requirement]!.mustOccur,
        particles: number("particles"),
        share: number("share"),
        runs: number("runs"),
        checkPeriodS: number("checkPeriodS"),
        most: number("most"),
      });
    }
    default:
      kind satisfies never;
  }
  throw flightErrors.unknownChoice({
    what: `no plan is called "${String(kind)}"`,
    where: { key: "plan.kind" },
    fix: oneOfNames(kind, Object.keys(PLAN_TABLES)),
  });
}

/** Returns the index of the requirement of a plan `splitting`. */
function oneRequirement(settings: Campaign["plan"], requirements: readonly { readonly name: string }[]): number {
  const [first, ...others] = searchedRequirements(settings, requirements);
  if (others.length === 0) return first!;
  throw flightErrors.missing({
    what: "the plan splitting needs one requirement, but there are several",
    where: { key: "plan.requirement" },
    fix: `name one of them: ${requirements.map(({ name }) => `"${name}"`).join(", ")}`,
  });
}

/** Returns the indices of the requirements that a search tries to violate. */
function searchedRequirements(
  { requirement }: Campaign["plan"],
  requirements: readonly { readonly name: string }[],
): readonly number[] {
  const names = requirements.map(({ name }) => name);
  const found = requirement === "" ? names.map((_, i) => i) : [names.indexOf(String(requirement))];
  if (found.length > 0 && !found.includes(-1)) return found;
  throw flightErrors.unknownChoice({
    what:
      names.length === 0
        ? "the campaign has no requirement to violate"
        : `no requirement is called "${String(requirement)}"`,
    where: { key: "plan.requirement" },
    fix: names.length === 0 ? "add one to the campaign or the flight" : oneOfNames(requirement, names),
  });
}

/** Returns the names of the requirements that contain only yes-or-no conditions, whose margin cannot guide a search. */
export function factRequirements({ plan, judging }: Pick<Campaign, "plan" | "judging">): readonly string[] {
  if (plan.kind !== "falsify" && plan.kind !== "splitting") return [];
  const { requirements } = judging;
  return searchedRequirements(plan, requirements)
    .map((i) => requirements[i]!)
    .filter(({ text }) => !isMeasured(text))
    .map(({ name }) => name);
}

/** Returns the number of rows of a list plan: the number of values that every key lists. */
function listLength({ vary }: PlanContext): number {
  const sizes = vary.map(({ distribution }) => distribution.size);
  const [first = 0] = sizes;
  const at = sizes.findIndex((size) => size === undefined || size !== first);
  if (at < 0) return first;
  const { key } = vary[at]!;
  throw campaignErrors.badVary({
    what:
      sizes[at] === undefined
        ? `${key} is not a list`
        : `${key} lists ${sizes[at]} values, and ${vary[0]!.key} lists ${first}`,
    where: { key: `vary.${key}` },
    fix: "the plan `list` takes one value per flight and key: { list = […] }, all of one length",
  });
}
