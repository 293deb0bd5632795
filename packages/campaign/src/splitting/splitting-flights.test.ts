/** A plan `splitting` on flights: branches are ordinary flights, and the rows determine the estimate. */
import { coreRegistry, mustResolve, type PlainObject, resolveFlight, Run } from "@escapement/core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Row } from "../contracts.ts";
import { CampaignFlyer, type FlightOrder } from "../fly/one.ts";
import type { Checkpoints } from "../fly/particle.ts";
import { ordersOf } from "../run/orders.ts";
import { tiltsDeg, TURBULENT_HOVER } from "../../../../tests/support/rare-tilt.ts";
import { tellRows } from "../search/flown-points.ts";
import { contextOf, makePlan } from "../spec/make-plan.ts";
import { resolveCampaign } from "../spec/resolve-campaign.ts";
import type { SplittingSearch } from "./splitting-search.ts";

const spec = TURBULENT_HOVER;
const level = {
  name: "level",
  text: `never tilt > ${tiltsDeg(spec)[1]!.toFixed(2)} deg`,
  severity: "error",
  mustOccur: false,
} as const;

function resolvedCampaign(plan: PlainObject, more: PlainObject = {}) {
  const resolved = mustResolve(resolveFlight({ file: "test", spec: { ...spec, requirements: [level] } }, coreRegistry));
  const given = { flight: spec, plan, vary: { "wind.w20Mps": { uniform: [11, 13] } }, ...more };
  const base = { spec, filled: undefined };
  return resolveCampaign(given, { file: "test", base, resolved, code: "", flownBy: "threads" });
}

/** One run of eight flights, to keep the test short. */
function smallCampaign(most = 100) {
  const { campaign } = resolvedCampaign({ kind: "splitting", particles: 8 });
  return { ...campaign!, plan: { ...campaign!.plan, runs: 1, most } };
}

async function flown(campaign: ReturnType<typeof smallCampaign>) {
  const flyer = new CampaignFlyer(campaign, { registry: coreRegistry });
  const orders = ordersOf(flyer.plan, { from: 0, to: Infinity }, () => false);
  const all: { readonly order: FlightOrder; readonly row: Row }[] = [];
  while (!orders.isOver) {
    const order = orders.next()!;
    let checkpoints: Checkpoints | undefined;
    const row = await flyer.fly(order, (kept) => (checkpoints = kept));
    orders.accept(row, checkpoints);
    all.push({ order, row });
  }
  return { flyer, all };
}

describe("a plan splitting", () => {
  let flyer: CampaignFlyer;
  let all: Awaited<ReturnType<typeof flown>>["all"];
  beforeAll(async () => {
    ({ flyer, all } = await flown(smallCampaign()));
  });

  const lastBranch = () => all.filter(({ order }) => order.branch !== undefined).at(-1)!;

  it("gives the same rows for branches from checkpoints as for branches flown from the start", async () => {
    const branches = all.filter(({ order }) => order.branch !== undefined);
    expect(branches.length).toBeGreaterThan(4);
    for (const { order, row } of branches.slice(-3)) {
      expect(order.from).toBeDefined();
      const { from: _from, ...whole } = order;
      expect(await flyer.fly(whole)).toEqual(row);
    }
  });

  it("[L11.5] has branches that are ordinary flights with the varied values of their first ancestor", () => {
    const { order, row } = lastBranch();
    const { root, reseeds } = order.branch!;
    expect(row.varied).toEqual(all[root]!.row.varied);
    const { spec: branch } = flyer.flight(order);
    expect((branch["scenario"] as PlainObject[]).slice(-reseeds.length)).toEqual(
      reseeds.map(({ atUs, seed }) => ({ atS: atUs / 1e6, reseed: { seed } })),
    );
    const { result } = new Run(mustResolve(resolveFlight({ file: "branch", spec: branch }, coreRegistry))).toEndNow();
    expect(result.fingerprint).toBe(row.fingerprint);
  });

  it("has flights whose score never falls, and branches that exceed the level of their parents", () => {
    for (const { row } of all) {
      const scores = row.rises!.map(([, score]) => score);
      expect([...scores].sort((a, b) => a - b)).toEqual(scores);
    }
    const { order, row } = lastBranch();
    expect(row.rises![0]![0]).toBe(order.branch!.reseeds.at(-1)!.atUs);
  });

  it("computes the same estimate from the rows", () => {
    const campaign = smallCampaign();
    const again = makePlan(campaign.plan, contextOf(campaign), [level]) as SplittingSearch;
    tellRows(
      again,
      all.map(({ row }) => row),
    );
    expect(again.isComplete).toBe(true);
    const { probability } = (flyer.plan as SplittingSearch).estimate(0.95);
    expect(again.estimate(0.95).probability).toBe(probability);
    expect(probability).toBeLessThan(1);
  });

  it("gives no bound if the limit on the number of flights was reached", async () => {
    const short = await flown(smallCampaign(9));
    const plan = short.flyer.plan as SplittingSearch;
    expect([short.all.length, plan.isComplete]).toEqual([8, false]);
    expect(plan.estimate(0.95)).toMatchObject({ lo: 0, hi: 1 });
  });
});

describe("a plan splitting rejects", () => {
  const wrongKeys = (plan: PlainObject, more?: PlainObject) =>
    resolvedCampaign({ kind: "splitting", ...plan }, more).errors.map(({ where }) => where.key);

  it("one seed for all flights, too few runs, and an unknown requirement", () => {
    expect(wrongKeys({})).toEqual([]);
    expect(wrongKeys({}, { seeds: "common" })).toEqual(["seeds"]);
    expect(wrongKeys({ runs: 7 })).toEqual(["plan.runs"]);
    expect(wrongKeys({ requirement: "far" })).toEqual(["plan.requirement"]);
  });
});
