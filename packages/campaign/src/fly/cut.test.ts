/** Flights that end as soon as all their requirements are decided have the verdicts of whole flights. */
import { assignmentBaseOf, coreRegistry, mustResolve, resolveFlight, type SimError } from "@escapement/core";
import { beforeAll, describe, expect, it } from "vitest";
import { EARLY_TAKE_OFF } from "../../../../tests/support/early-take-off.ts";
import type { Row } from "../contracts.ts";
import { resolveCampaign } from "../spec/resolve-campaign.ts";
import { CampaignFlyer } from "./one.ts";

const FLIGHTS = 4;

interface Given {
  readonly cutWhenDecided?: boolean;
  readonly plan?: Record<string, unknown>;
  readonly criteria?: readonly string[];
}

function resolve(requirements: readonly string[], { plan, ...given }: Given = {}) {
  const spec = {
    extends: "hover",
    ...EARLY_TAKE_OFF,
    timeline: { endS: 5.5 },
    scenario: [{ name: "push", at: "2 s", for: "1 s", gust: { velNedMps: [0, 8, 0] } }],
  };
  const layer = { file: "test", spec: { ...spec, requirements } };
  const resolved = mustResolve(resolveFlight(layer, coreRegistry));
  return resolveCampaign(
    { flight: "hover", plan: plan ?? { kind: "random", flights: FLIGHTS }, vary: VARY, ...given },
    { file: "test", base: assignmentBaseOf(layer, coreRegistry), resolved, code: "", flownBy: "threads" },
  );
}
const VARY = { "scenario.push.gust.velNedMps[1]": { uniform: [0, 16] } };

async function rowsOf(requirements: readonly string[], cutWhenDecided: boolean): Promise<Row[]> {
  const { campaign, errors } = resolve(requirements, { cutWhenDecided });
  expect(errors).toEqual([]);
  const flyer = new CampaignFlyer(campaign!, { registry: coreRegistry });
  const rows: Row[] = [];
  for (let k = 0; k < FLIGHTS; k += 1) rows.push(await flyer.fly({ k }));
  return rows;
}

/** Requirements, and whether flights with them are cut. */
const CASES: readonly (readonly [text: string, isEverCut: readonly boolean[]])[] = [
  ["never tilt > 12 deg", [true, false]],
  ["always tilt < 12 deg during 1 s..4 s", [true]],
  ["eventually tilt > 12 deg", [true, false]],
  ["before push: altitude < 20 m", [true]],
  ["within 2 s after push: tilt < 8 deg", [false]],
  ["at 3 s: for 1 s: tilt < 12 deg", [true]],
  ["if tilt > 12 deg then within 100 ms: tilt < 8 deg", [true, false]],
  ["always altitude < 20 m", [false]],
];

describe("a flight that is cut when it is decided", () => {
  let whole: Row[];
  beforeAll(async () => {
    whole = await rowsOf(
      CASES.map(([text]) => text),
      false,
    );
  });

  it.each(CASES.map(([text, isEverCut], i) => [text, isEverCut, i] as const))(
    "has the verdicts of the whole flight: %s",
    async (text, isEverCut, i) => {
      const cut = await rowsOf([text], true);
      expect(cut.map(({ verdicts }) => verdicts[0]!.verdict)).toEqual(
        whole.map(({ verdicts }) => verdicts[i]!.verdict),
      );
      expect(new Set(cut.map(({ outcome }) => outcome === "cut"))).toEqual(new Set(isEverCut));
      for (const [k, row] of cut.entries()) {
        const { endUs, fingerprint, verdicts } = whole[k]!;
        if (row.outcome === "cut") expect(row.endUs).toBeLessThan(endUs);
        else expect([row.fingerprint, row.verdicts[0]]).toEqual([fingerprint, verdicts[i]]);
      }
    },
  );

  it("flies on until the last requirement is decided", async () => {
    const early = await rowsOf(["always tilt < 12 deg during 1 s..4 s"], true);
    const late = await rowsOf(
      ["always tilt < 12 deg during 1 s..4 s", "always altitude < 20 m during 0 s..4.5 s"],
      true,
    );
    for (const [k, { endUs, outcome }] of late.entries()) {
      expect(outcome).toBe("cut");
      expect(endUs).toBeGreaterThanOrEqual(4.5e6);
      expect(early[k]!.endUs).toBeLessThan(4.5e6);
    }
  });

  it("is rejected if margins or measures of whole flights are needed, or if there is no requirement", () => {
    const codes = (errors: readonly SimError[]) => errors.map(({ code, where }) => [code, where.key]);
    const refused = [["FLIGHT-012", "cutWhenDecided"]];
    const cutWhenDecided = true;
    const upright = ["never tilt > 12 deg"];
    const indices = { kind: "sobol-indices", base: 8 };
    expect(codes(resolve(upright, { cutWhenDecided, plan: indices }).errors)).toEqual(refused);
    expect(codes(resolve(upright, { cutWhenDecided, criteria: ["mean(energyWh) < 12 Wh"] }).errors)).toEqual(refused);
    expect(codes(resolve([], { cutWhenDecided }).errors)).toEqual(refused);
    const counted = ["P(never tilt > 12 deg) >= 10 % with 90 % confidence"];
    expect(resolve(upright, { cutWhenDecided, criteria: counted }).errors).toEqual([]);
  });
});
