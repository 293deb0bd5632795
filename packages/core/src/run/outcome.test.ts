/** The four outcomes of a flight and their exit codes. */
import { describe, expect, it } from "vitest";
import { EXIT_CODES, outcomeOf } from "./outcome.ts";
import { coreRegistry } from "../describe/registry.ts";
import type { FlightDefinition } from "../describe/definition/definition.ts";
import type { FlightEvent } from "./events/events.ts";
import { mustResolve, resolveFlight } from "../describe/resolve/resolve.ts";

const definitionOf = (spec: object): FlightDefinition =>
  mustResolve(resolveFlight({ file: "test", spec: { ...spec } }, coreRegistry)).definition;
const touchdown = { tUs: 1, speedMps: 9.44, distanceM: 12.34 };
const nothing = { events: [] };
const event = (kind: FlightEvent["kind"], data: object = {}): FlightEvent =>
  ({ tUs: 1, kind, severity: "info", data }) as FlightEvent;

describe("the outcome", () => {
  const mission = definitionOf({
    extends: "mission",
    scenario: [
      { atS: 5, stop: { outcome: "failed", reason: "enough" } },
      { atS: 6, stop: true },
    ],
  });
  /** Returns the number of the stop event with this outcome, counted from 1 among all events. */
  const stopNumberOf = (action: string, outcome: string) =>
    mission.scenario.findIndex((event) => event.action === action && event.params["outcome"] === outcome) + 1;

  it("is the outcome of the stop event", () => {
    expect(outcomeOf(mission, { stop: stopNumberOf("stop", "failed") }, nothing)).toEqual({
      kind: "failed",
      reason: "enough",
    });
    expect(outcomeOf(mission, { stop: stopNumberOf("stop", "completed") }, nothing).kind).toBe("completed");
  });

  it("of a completed flight names the first mission item that was not reached", () => {
    const landing = { stop: stopNumberOf("stop", "completed") };
    const { reason } = outcomeOf(mission, landing, { events: [event("missionItem", { index: 0 }), event("landed")] });
    expect(reason).toMatch(/; the mission did not reach: waypoint 1$/);
    const whole = outcomeOf(mission, landing, { events: [event("missionFinished")] });
    expect(whole.reason).not.toContain("mission");
  });

  it("of a crash gives the speed and the place", () => {
    expect(outcomeOf(mission, { stop: stopNumberOf("stop", "crashed") }, { touchdown, events: [] })).toEqual({
      kind: "crashed",
      reason: "hit the ground at 9.4 m/s, 12.3 m from home",
    });
    expect(outcomeOf(mission, { stop: stopNumberOf("stop", "crashed") }, nothing).reason).toBe("hit the ground");
  });

  it("is `time ran out` if the timeline ended and the scenario has a stop event with outcome `completed`", () => {
    expect(outcomeOf(mission, { stop: 0 }, nothing).kind).toBe("time ran out");
    expect(outcomeOf(definitionOf({ extends: "drop" }), { stop: 0 }, nothing).kind).toBe("completed");
  });

  it("of an open-ended mission is `completed` only if every item up to the last was reached", () => {
    const hover = definitionOf({ extends: "hover" });
    expect(outcomeOf(hover, { stop: 0 }, nothing)).toEqual({
      kind: "time ran out",
      reason: "the timeline ended before the mission reached: take-off height",
    });
    const reached = { events: [event("missionItem", { index: 0 })] };
    expect(outcomeOf(hover, { stop: 0 }, reached).kind).toBe("completed");

    const square = definitionOf({ extends: "mission", stop: { onLanding: false } });
    expect(outcomeOf(square, { stop: 0 }, { events: [event("missionItem", { index: 4 })] }).reason).toContain(
      "waypoint 5",
    );
    const nearlyDown = { events: [event("missionItem", { index: 6 })] };
    expect(outcomeOf(square, { stop: 0 }, nearlyDown).reason).toContain("landing");
    const landed = { events: [...nearlyDown.events, event("landed")] };
    expect(outcomeOf(square, { stop: 0 }, landed).kind).toBe("completed");
    expect(outcomeOf(square, { stop: 0 }, { events: [event("missionFinished")] }).kind).toBe("completed");
  });

  it("has one exit code each", () => {
    expect(EXIT_CODES).toEqual({ completed: 0, failed: 1, "time ran out": 3, crashed: 4 });
  });
});
