/** The four outcomes of a flight and their exit codes. */
import { describe, expect, it } from "vitest";
import { EXIT_CODES, outcomeOf } from "./outcome.ts";
import { coreRegistry } from "../describe/registry.ts";
import type { FlightDefinition } from "../describe/definition.ts";
import { mustResolve, resolveFlight } from "../describe/resolve.ts";

const definitionOf = (spec: object): FlightDefinition =>
  mustResolve(resolveFlight({ file: "test", spec: { ...spec } }, coreRegistry)).definition;
const touchdown = { tUs: 1, speedMps: 9.44, distanceM: 12.34 };

describe("the outcome", () => {
  const mission = definitionOf({
    extends: "mission",
    scenario: [
      { atS: 5, stop: { outcome: "failed", reason: "enough" } },
      { atS: 6, stop: true },
    ],
  });
  const codeOf = (action: string, outcome: string) =>
    mission.scenario.findIndex((event) => event.action === action && event.params["outcome"] === outcome) + 1;

  it("is what the stop says", () => {
    expect(outcomeOf(mission, { stop: codeOf("stop", "failed") })).toEqual({ kind: "failed", reason: "enough" });
    expect(outcomeOf(mission, { stop: codeOf("stop", "completed") }).kind).toBe("completed");
  });

  it("of a crash tells how fast and where", () => {
    expect(outcomeOf(mission, { stop: codeOf("stop", "crashed") }, touchdown)).toEqual({
      kind: "crashed",
      reason: "hit the ground at 9.4 m/s, 12.3 m from home",
    });
    expect(outcomeOf(mission, { stop: codeOf("stop", "crashed") }).reason).toBe("hit the ground");
  });

  it("at the timeline's end depends on whether there was something to complete", () => {
    expect(outcomeOf(mission, { stop: 0 }).kind).toBe("time ran out");
    expect(outcomeOf(definitionOf({ extends: "hover" }), { stop: 0 }).kind).toBe("completed");
    expect(outcomeOf(definitionOf({ extends: "drop" }), { stop: 0 }).kind).toBe("completed");
  });

  it("has one exit code each", () => {
    expect(EXIT_CODES).toEqual({ completed: 0, failed: 1, "time ran out": 3, crashed: 4 });
  });
});
