/**
 * Assembly: parameter changes between two autopilot ticks take effect in the order of their times. Labels of events and
 * events that begin after the end of the flight change no digest.
 */
import { describe, expect, it } from "vitest";
import { coreRegistry, mustResolve, resolveFlight } from "../describe/index.ts";
import { flyFlightNow } from "./fly-flight.ts";
import { eventText } from "./events/event-texts.ts";

const fly = (spec: object) =>
  flyFlightNow(
    mustResolve(resolveFlight({ file: "flight", spec: { vehicle: "iris", wind: "none", ...spec } }, coreRegistry)),
  );

describe("parameter changes", () => {
  const change = (atS: number, value: number) => ({ atS, parameter: { name: "MPC_THR_HOVER", value } });

  it.each([
    ["listed in order", [change(1.001, 0.3), change(1.003, 0.4)]],
    ["listed in reverse", [change(1.003, 0.4), change(1.001, 0.3)]],
  ])("between two ticks of the autopilot act in the order of their times (%s)", (_name, scenario) => {
    const { events, signal } = fly({ timeline: { endS: 2, autopilotPeriodS: 0.004 }, scenario });
    expect(signal("hoverThrust").at(1.9)[0]).toBe(0.4);
    expect(events.map(eventText)).toEqual(["MPC_THR_HOVER = 0.3", "MPC_THR_HOVER = 0.4"]);
  });
});

describe("events that have no effect on the flight", () => {
  const spec = {
    extends: "mission",
    wind: "dryden",
    sensors: { imu: true, gnss: true },
    timeline: { endS: 5 },
    scenario: [{ at: "4.1 s", motorLoss: { motor: 1, gain: 0.9 } }],
  };
  const plain = fly(spec);

  it("names and notes change the hash of the definition, but no digest", () => {
    const [event] = spec.scenario;
    const labelled = fly({ ...spec, scenario: [{ ...event, name: "weak-motor", note: "Bearing worn out." }] });
    expect(labelled.digests).toEqual(plain.digests);
    expect(labelled.resolved.hash).not.toBe(plain.resolved.hash);
  });

  it.each([
    ["with stop rules", spec],
    ["without any other condition", { ...spec, stop: { onCrash: false, onLanding: false } }],
  ])("[L8.10] events that begin after the end change no digest: %s", (_name, base) => {
    const late = [
      { when: "altitudeM > 0.1", from: "5.000001 s", land: true },
      { when: "armed == 1 and altitudeM > -1", fromS: 5.5, motorOff: { motor: 2 } },
      { at: "5.2 s", for: "1 s", gust: { velNedMps: [5, 0, 0], shape: "one-minus-cosine" } },
      { at: "5.2 s", motorNoise: { motor: 2, sigma: 0.1 } },
    ];
    expect(fly({ ...base, scenario: [...base.scenario, ...late] }).digests).toEqual(fly(base).digests);
  });
});
