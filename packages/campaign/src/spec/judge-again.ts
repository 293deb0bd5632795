/**
 * Makes a campaign that judges the flights of another campaign with more requirements. It has the same flights, so it
 * has the same identity.
 */
import {
  marginUnit,
  mustResolve,
  type Registry,
  resolveFlight,
  type ResolvedFlight,
  type SimError,
} from "@escapement/core";
import type { Row } from "../contracts.ts";
import { askedFlights } from "../search/flown-points.ts";
import { type Campaign, judgedHash } from "./campaign.ts";
import { campaignErrors } from "./errors.ts";
import { contextOf, isSearch, makePlan } from "./make-plan.ts";

interface JudgeAgainOptions {
  readonly registry: Registry;
  /** Requirements in addition to those of the campaign. */
  readonly require: readonly ResolvedFlight["judged"]["requirements"][number][];
  /** Replaces the criteria of the campaign. */
  readonly criteria?: readonly string[];
  /** Hash of the code of this program, which judges the flights again. */
  readonly code: string;
  /** Returns the row of a flight, if it has one. The flights of a search are reconstructed from its rows. */
  readonly rowOf: (k: number) => Row | undefined;
}

export function judgeAgain(campaign: Campaign, options: JudgeAgainOptions): Campaign {
  const { manifest, base, judging } = campaign;
  const requirements = [...judging.requirements, ...options.require];
  const { judged } = mustResolve(
    resolveFlight({ file: manifest.file, spec: { ...base, requirements } }, options.registry),
  );
  const newJudging = { ...judging, requirements: judged.requirements };
  const plan = planAgain(campaign, options.rowOf);
  return {
    ...campaign,
    judging: newJudging,
    plan,
    manifest: {
      ...manifest,
      plan,
      flights: plan.kind === "points" ? (plan["points"] as readonly unknown[]).length : manifest.flights,
      code: options.code,
      judged: judgedHash(newJudging),
      requirements: judged.requirements.map((given) => ({ ...given, unit: marginUnit(given.text) ?? null })),
      criteria: options.criteria ?? manifest.criteria,
    },
  };
}

/**
 * Turns a search into a list of the points that it chose, because other requirements would make it choose other
 * flights.
 */
function planAgain(campaign: Campaign, rowOf: JudgeAgainOptions["rowOf"]): Campaign["plan"] {
  const plan = makePlan(campaign.plan, contextOf(campaign), campaign.manifest.requirements);
  if (!isSearch(plan)) return campaign.plan;
  if (plan.branchOf !== undefined) throw notJudgedAgain(campaign);
  const flown = [...askedFlights(plan, rowOf)].filter(({ k }) => rowOf(k) !== undefined);
  return { kind: "points", of: campaign.plan.kind, points: flown.map(({ point }) => point) };
}

function notJudgedAgain({ manifest: { file } }: Campaign): SimError {
  return campaignErrors.needsFeedback({
    what: "the flights of a plan splitting were chosen for one requirement, and cannot be used for others",
    where: { key: "plan.kind" },
    fix: `write the requirement into ${file === "" ? "the campaign" : file} and fly it again`,
  });
}
