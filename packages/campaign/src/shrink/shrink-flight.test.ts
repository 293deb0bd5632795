/**
 * Shrinking of real flights: the result keeps only the parts that the violation needs, and the written file violates
 * the requirement too.
 */
import { coreRegistry, mustResolve, type PlainObject, resolveFlight, Run } from "@escapement/core";
import { readFlightText } from "@escapement/formats";
import { describe, expect, it } from "vitest";
import type { Campaign } from "../spec/campaign.ts";
import { shrinkSourceOf } from "./shrink-source.ts";
import { stepTowards } from "./rounding.ts";
import { shrinkFlight } from "./shrink-flight.ts";

const requirement = { name: "upright", text: "never tilt > 60 deg", severity: "error", mustOccur: false } as const;
const base: PlainObject = { vehicle: "iris", ...hover(), timeline: { endS: 9 }, scenario: events(0, 1, 6, 8) };

function hover(): PlainObject {
  const { about: _about, ...spec } = coreRegistry.flights["hover"] as PlainObject;
  return spec;
}

function events(gustMps: number, gain: number, gustS: number, weakS: number): PlainObject[] {
  return [
    { name: "gust", at: `${gustS} s`, for: "1 s", gust: { velNedMps: [gustMps, 0, 0] } },
    { name: "weak", at: `${weakS} s`, for: "1 s", motorLoss: { motor: 3, gain } },
  ];
}

const vary = [
  { key: "vehicle.massKg", distribution: { uniform: [1.3, 1.7] } },
  { key: "scenario.gust.at", distribution: { uniform: ["5 s", "8 s"] } },
  { key: "scenario.gust.gust.velNedMps[0]", distribution: { uniform: [0, 4] } },
  { key: "scenario.weak.motorLoss.motor", distribution: { choice: [1, 2, 3, 4] } },
  { key: "scenario.weak.motorLoss.gain", distribution: { uniform: [0, 1] } },
];
const campaign = {
  base,
  vary,
  plan: { kind: "random" },
  manifest: { seed: 1, seeds: "common" },
} as unknown as Campaign;
const flight = {
  ...base,
  seed: 7,
  vehicle: { extends: "iris", massKg: 1.6123 },
  scenario: events(2.2345, 0.1234, 6.1234, 8.2),
  requirements: [requirement],
};

function verdictOf(text: string): string {
  const { object } = readFlightText(text, "small.toml");
  const resolved = mustResolve(resolveFlight({ file: "small.toml", spec: object }, coreRegistry));
  return new Run(resolved, { fingerprint: "none" }).toEndNow().result.verdicts[0]!.verdict;
}

describe("a flight of a campaign that tips over", () => {
  const source = shrinkSourceOf(campaign, { name: "gusts.campaign.toml#7", flight, root: "hover" }, coreRegistry);
  const shrunk = shrinkFlight(source, requirement, { registry: coreRegistry });

  it("has ranges for its numbers, and does not change numbers with discrete values", () => {
    expect(source.keys).toEqual([["vehicle", "massKg"]]);
    expect(source.ranges.get("scenario[0].atS")).toEqual([5, 8]);
    expect(source.ranges.get("scenario[0].gust.velNedMps[0]")).toEqual([0, 4]);
    expect(source.fixed).toEqual(["scenario[1].motorLoss.motor"]);
  });

  it("keeps only the weak motor: no gust, no changed mass, no wind, no seed", () => {
    expect(shrunk.isMinimal).toBe(true);
    expect(shrunk.flights).toBeLessThanOrEqual(100);
    expect(shrunk.phrases[0]).toMatch(/^at 8(\.\d)? s: motor 3 keeps \d+ % of its duty for 1 s$/);
    expect(shrunk.phrases.slice(1)).toEqual(["wind = none", "estimator = truth"]);
    expect(shrunk.verdict).toMatchObject({ name: "upright", verdict: "violated" });
  });

  it("is written as differences from the built-in flight; flown from that text, it violates the requirement", () => {
    expect(shrunk.text).toContain("# Shrunk from gusts.campaign.toml#7 in ");
    expect(shrunk.text).toContain('extends = "hover"');
    expect(shrunk.text).toContain('{ name = "upright", text = "never tilt > 60 deg" }');
    expect(shrunk.text.split("\n").length).toBeLessThan(25);
    expect(verdictOf(shrunk.text)).toBe("violated");
  });

  it("is 1-minimal: if its gain is one unit of the last digit nearer to 1, the requirement is not violated", () => {
    const [, gain] = /gain = ([\d.]+)/.exec(shrunk.text)!;
    const milder = shrunk.text.replace(`gain = ${gain}`, `gain = ${stepTowards(Number(gain), 1)}`);
    expect(milder).not.toBe(shrunk.text);
    expect(verdictOf(milder)).not.toBe("violated");
  });

  it("is rejected if it does not violate the requirement", () => {
    const mild = { ...source, bad: base };
    expect(() => shrinkFlight(mild, requirement, { registry: coreRegistry })).toThrow(
      /does not violate "never tilt > 60 deg": holds/,
    );
  });
});
