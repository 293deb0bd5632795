/** Sensitivity of a campaign: the plan determines the method, and rows may have no result. */
import type { Manifest, Row } from "@escapement/formats";
import { describe, expect, it } from "vitest";
import type { Plan } from "../contracts.ts";
import type { PlanContext } from "../plans/context.ts";
import { gridPlan } from "../plans/grid.ts";
import { randomPlan } from "../plans/random.ts";
import { morrisPlan, sobolIndicesPlan } from "../plans/sensitivity-plans.ts";
import { readDistribution } from "../vary/distributions.ts";
import { SensitivityCollector } from "./of-campaign.ts";

const context = (spec: unknown): PlanContext => ({
  seed: 1,
  seeds: "common",
  vary: ["wind", "mass"].map((key) => ({ key, distribution: readDistribution(spec, key) })),
});
const unit = context({ uniform: [0, 1] });

function summaries(plan: Plan, more: Partial<Manifest> = {}) {
  const manifest = {
    keys: ["wind", "mass"].map((key) => ({ key, unit: "", distribution: {} })),
    requirements: [{ name: "stays up", text: "", severity: "error", mustOccur: true, unit: "m" }],
    measures: [
      { name: "errorM", unit: "m", text: "" },
      { name: "settling", unit: "s", text: "first time landed" },
    ],
    criteria: [],
    ...more,
  } as unknown as Manifest;
  const collector = new SensitivityCollector(manifest, plan);
  const point = new Float64Array(2);
  for (let k = plan.count - 1; k >= 0; k -= 1) {
    plan.pointInto(k, point);
    const margin = k === 5 ? Infinity : 3 * point[0]! - point[1]!;
    const verdict = {
      verdict: "holds",
      low: margin,
      high: margin,
      scaledLow: margin,
      scaledHigh: margin,
      binding: null,
    };
    collector.add({ k, verdicts: [verdict], measures: [point[1]!, k === 7 ? null : 2 * point[0]!] } as unknown as Row);
  }
  return collector.finish();
}

describe("sensitivity of a campaign", () => {
  it("uses the method of the plan, for margins and the campaign's own measures", () => {
    const indices = summaries(sobolIndicesPlan(unit, 256));
    expect(indices.map(({ of }) => of)).toEqual(["margin of stays up", "settling"]);
    const [wind] = indices[0]!.keys;
    expect(wind!.effects.map(({ name }) => name)).toEqual(["S1", "ST"]);
    // Variances 9/12 and 1/12: nine tenths belong to the wind.
    expect(Math.abs(wind!.effects[0]!.value - 0.9)).toBeLessThan(0.05);
    const [margin] = summaries(morrisPlan(unit, 12, 4));
    expect(margin!.keys.map(({ effects }) => effects[0]!.value)).toEqual([expect.closeTo(3, 9), expect.closeTo(1, 9)]);
  });

  it("screens only plans that draw a random sample", () => {
    const [margin, settling] = summaries(randomPlan(unit, 300));
    expect(margin!.method).toContain("screening");
    expect(margin!.keys[0]!.effects[0]!.value).toBeGreaterThan(0.9);
    expect(settling!.keys[1]!.effects[0]!.value).toBeLessThan(0.2);
    expect(summaries(gridPlan(context({ list: [0, 0.5, 1] })))).toEqual([]);
    expect(summaries(randomPlan(unit, 10))).toEqual([]);
  });

  it("analyses the measures that a criterion names, and all measures if there is nothing else", () => {
    const criteria = ["q95(errorM) < 1 m"];
    expect(summaries(randomPlan(unit, 60), { criteria }).map(({ of }) => of)).toContain("errorM");
    const measures = [{ name: "errorM", unit: "m", text: "" }];
    expect(summaries(randomPlan(unit, 60), { requirements: [], measures }).map(({ of }) => of)).toEqual(["errorM"]);
  });
});
