/** Judging again: the same flights with other requirements, including flights that a search chose. */
import { coreRegistry, mustResolve, resolveFlight } from "@escapement/core";
import { describe, expect, it } from "vitest";
import type { Row, Search } from "../contracts.ts";
import { askedFlights } from "../search/flown-points.ts";
import { judgeAgain } from "./judge-again.ts";
import { contextOf, makePlan } from "./make-plan.ts";
import { resolveCampaign } from "./resolve-campaign.ts";

const upright = { name: "upright", text: "never tilt > 60 deg", severity: "error", mustOccur: false } as const;
const low = { name: "low", text: "always altitude < 5 m", severity: "error", mustOccur: false } as const;

function campaignWith(plan: Record<string, unknown>) {
  const spec = { extends: "hover", requirements: [upright] };
  const resolved = mustResolve(resolveFlight({ file: "test", spec }, coreRegistry));
  const base = { spec: { ...coreRegistry.flights["hover"] }, filled: undefined };
  const given = { flight: "hover", plan, vary: { "wind.w20Mps": { uniform: [3, 15] } } };
  const { campaign, errors } = resolveCampaign(given, {
    file: "test",
    base,
    resolved,
    code: "old",
    flownBy: "threads",
  });
  expect(errors).toEqual([]);
  return campaign!;
}

/** A margin that falls with the number of the flight, so that the search moves. */
function rowOf(k: number): Row | undefined {
  const margin = 10 - k / 10;
  const verdict = { verdict: "holds", low: margin, high: margin, scaledLow: margin, scaledHigh: margin, binding: null };
  const row = { k, hash: "", fingerprint: "", outcome: "completed", reason: "", endUs: 0, varied: [], measures: [] };
  return k < 40 ? ({ ...row, verdicts: [verdict] } as unknown as Row) : undefined;
}

describe("a campaign that is judged again", () => {
  it("has the same flights and one more requirement", () => {
    const campaign = campaignWith({ kind: "random", flights: 5 });
    const again = judgeAgain(campaign, { registry: coreRegistry, require: [low], code: "new", rowOf });
    expect(again.plan).toEqual(campaign.plan);
    expect(again.manifest.identity).toBe(campaign.manifest.identity);
    expect(again.manifest.judged).not.toBe(campaign.manifest.judged);
    expect(again.manifest.requirements.map(({ name, unit }) => [name, unit])).toEqual([
      ["upright", "deg"],
      ["low", "m"],
    ]);
  });

  it("keeps the flights that a search chose for the old requirements", () => {
    const campaign = campaignWith({ kind: "falsify", most: 100 });
    const again = judgeAgain(campaign, { registry: coreRegistry, require: [low], code: "new", rowOf });
    const search = makePlan(campaign.plan, contextOf(campaign), [upright]) as Search;
    const asked = [...askedFlights(search, rowOf)].filter(({ k }) => k < 40);
    expect(again.manifest.flights).toBe(40);
    const plan = makePlan(again.plan, contextOf(again), again.manifest.requirements);
    const point = new Float64Array(1);
    for (const flight of asked) {
      plan.pointInto(flight.k, point);
      expect([...point]).toEqual(flight.point);
    }
    expect(() =>
      judgeAgain(campaign, { registry: coreRegistry, require: [{ ...low, text: "altitud > 2 m" }], code: "", rowOf }),
    ).toThrow(/altitude/);
  });
});
