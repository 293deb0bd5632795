/**
 * The row of a flight that cannot be flown names the error that its complete resolution reports, whichever check
 * detects an error first.
 */
import {
  assignmentBaseOf,
  coreRegistry,
  mustResolve,
  type PlainObject,
  resolveFlight,
  type SimError,
} from "@escapement/core";
import { describe, expect, it } from "vitest";
import { resolveCampaign } from "../spec/resolve-campaign.ts";
import { CampaignFlyer } from "./one.ts";

function flyer(spec: PlainObject, vary: PlainObject): CampaignFlyer {
  const layer = { file: "test", spec: { extends: "hover", timeline: { endS: 0.1 }, ...spec } };
  const { campaign, errors } = resolveCampaign(
    { flight: "hover", plan: { kind: "grid" }, vary },
    {
      file: "test",
      base: assignmentBaseOf(layer, coreRegistry),
      resolved: mustResolve(resolveFlight(layer, coreRegistry)),
      code: "",
      flownBy: "threads",
    },
  );
  expect(errors).toEqual([]);
  return new CampaignFlyer(campaign!, { registry: coreRegistry });
}

function reasonOf({ code, where, what }: SimError): string {
  return `${code} ${where.key}: ${what}`.split("\n")[0]!;
}

describe("a flight that cannot be flown", () => {
  it.each<[string, PlainObject, PlainObject]>([
    [
      "only the integrator detects",
      { integrator: { kind: "rk45", minStepUs: 10 } },
      { "integrator.maxStepUs": { list: [1000, 5] } },
    ],
    ["only the plant detects", {}, { "environment.atmosphere.temperatureOffsetK": { list: [0, -150] } }],
    ["the table of a section detects", {}, { "vehicle.massKg": { list: [1.5, -1] } }],
  ])("is refused with an error that %s", async (_name, spec, vary) => {
    const flying = flyer(spec, vary);
    const [good, bad] = [await flying.fly({ k: 0 }), await flying.fly({ k: 1 })];
    expect(good.outcome).toBe("time ran out");
    const [error] = flying.resolve(flying.flight({ k: 1 }), 1).errors;
    expect([bad.outcome, bad.reason, bad.hash]).toEqual(["refused", reasonOf(error!), ""]);
    expect(bad.varied).toHaveLength(1);
  });
});
