/** Assembly: parameter changes between two autopilot ticks take effect in the order of their times. */
import { describe, expect, it } from "vitest";
import { coreRegistry, mustResolve, resolveFlight } from "../describe/index.ts";
import { flyFlightNow } from "./fly-flight.ts";
import { eventText } from "./event-texts.ts";

const flown = (spec: object) =>
  flyFlightNow(
    mustResolve(resolveFlight({ file: "flight", spec: { vehicle: "iris", wind: "none", ...spec } }, coreRegistry)),
  );

describe("parameter changes", () => {
  const change = (atS: number, value: number) => ({ atS, parameter: { name: "MPC_THR_HOVER", value } });

  it.each([
    ["listed in order", [change(1.001, 0.3), change(1.003, 0.4)]],
    ["listed in reverse", [change(1.003, 0.4), change(1.001, 0.3)]],
  ])("between two ticks of the autopilot act in the order of their times (%s)", (_name, scenario) => {
    const { events, signal } = flown({ timeline: { endS: 2, autopilotPeriodS: 0.004 }, scenario });
    expect(signal("hoverThrust").at(1.9)[0]).toBe(0.4);
    expect(events.map(eventText)).toEqual(["MPC_THR_HOVER = 0.3", "MPC_THR_HOVER = 0.4"]);
  });
});
