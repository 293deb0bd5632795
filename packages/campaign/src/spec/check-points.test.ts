/** Errors in the varied keys of a campaign: all of them are found in one pass, with the key that causes each. */
import { assignmentBaseOf, coreRegistry } from "@escapement/core";
import { describe, expect, it } from "vitest";
import { keyErrors } from "./check-points.ts";

function errorsOf(vary: Record<string, Record<string, unknown>>): string[] {
  const spec = { extends: "hover", scenario: [{ name: "out", at: "1 s", motorOff: { motor: 2 } }] };
  const base = assignmentBaseOf({ file: "test", spec }, coreRegistry);
  const keys = Object.entries(vary).map(([key, distribution]) => ({ key, distribution }));
  return keyErrors({ file: "test", base, vary: keys }, coreRegistry).map(({ where, what }) => `${where.key}: ${what}`);
}

describe("varied keys", () => {
  it("are valid if their ranges are", () => {
    expect(errorsOf({ "wind.w20Mps": { uniform: [3, 15] }, "vehicle.batteries[0].soc": { choice: [1, 0.5] } })).toEqual(
      [],
    );
  });

  it("are each reported if the flight does not have them or their range is invalid", () => {
    const errors = errorsOf({
      "wind.speed": { uniform: [1, 3] },
      "vehicle.massKg": { uniform: [-5, 9] },
      "scenario.engineOut.at": { uniform: ["1 s", "2 s"] },
      "vehicle.batteries[7].soc": { uniform: [0.5, 1] },
      "wind.w20Mps": { uniform: [3, 15] },
    });
    expect(errors).toHaveLength(4);
    for (const expected of [
      /^vary\.wind\.speed: wind\.speed = 2 makes no valid flight: FLIGHT-002/,
      /^vary\.vehicle\.massKg: vehicle\.massKg = -5 makes no valid flight: FLIGHT-005/,
      /^vary\.scenario\.engineOut\.at: .*"engineOut"/,
      /^vary\.vehicle\.batteries\[7\]\.soc: /,
    ]) {
      expect(errors).toContainEqual(expect.stringMatching(expected));
    }
  });

  it("are not reported as invalid if only the key that they depend on is invalid", () => {
    const own = { "wind.tauS": { uniform: [1, 3] } };
    expect(errorsOf({ "wind.kind": { choice: ["ou"] }, ...own })).toEqual([]);
    const errors = errorsOf({ "wind.kind": { choice: ["oou"] }, ...own });
    expect(errors).toEqual([expect.stringMatching(/^vary\.wind\.kind: /)]);
  });

  it("are reported together if the error names none of them", () => {
    const errors = errorsOf({ "scenario.out.motorOff.motor": { choice: [9] }, "wind.w20Mps": { uniform: [3, 15] } });
    expect(errors).toEqual([expect.stringMatching(/^vary: every key .*scenario\[0\]\.motorOff\.motor/)]);
  });
});
