/** The loss of the estimate is an event, and the embedded autopilot reacts to it like PX4. */
import { describe, expect, it } from "vitest";
import { coreRegistry, flyFlightNow, mustResolve, resolveFlight, SIGNALS } from "@escapement/core";

const { navState: NAV, estValid: VALID, sensorFaultKind: FAULTS } = SIGNALS;

function fly(spec: Record<string, unknown>) {
  const flown = flyFlightNow(mustResolve(resolveFlight({ file: "test", spec }, coreRegistry)));
  const events = flown.events.map(({ tUs, kind, data }) => ({
    tS: tUs / 1e6,
    kind,
    data: data as Record<string, string>,
  }));
  const find = (kind: string, matches: (data: Record<string, string>) => boolean = () => true) =>
    events.find((event) => event.kind === kind && matches(event.data))?.tS ?? NaN;
  return { flown, events, find };
}

const sensorFaultAt20S = (sensor: string, fault: keyof typeof FAULTS.values, forS?: number) => ({
  atS: 20,
  sensorFault: { sensor, fault },
  ...(forS === undefined ? {} : { forS }),
});

describe("loss of satellite navigation", () => {
  const sensors = { imu: {}, magnetometer: {}, barometer: {}, gnss: {} };

  it("causes a failsafe after five seconds: the vehicle descends, lands and disarms without finishing its mission", () => {
    const { flown, events, find } = fly({
      extends: "mission",
      sensors,
      scenario: [sensorFaultAt20S("gnss", "drop-out")],
    });
    expect(find("failsafe", ({ cause }) => cause === "estimate lost")).toBeCloseTo(25, 1);
    expect(find("mode", ({ mode }) => mode === "descend")).toBeCloseTo(25, 1);
    expect(find("landed")).toBeGreaterThan(30);
    expect(find("disarmed")).toBeGreaterThan(find("landed"));
    expect(events.some(({ kind }) => kind === "missionFinished")).toBe(false);
    expect(flown.signal("estValid").at(24)[0]).toBe(VALID.initial);
    expect(flown.signal("estValid").at(26)[0]).toBe(VALID.initial - VALID.values.posXy - VALID.values.velXy);
    // It descends at MPC_LAND_SPEED.
    expect(flown.signal("velNed").at(32)[2]).toBeCloseTo(0.7, 0);
  });

  it("causes no failsafe if it ends in time, and the mission resumes if it ends later", () => {
    const timeline = { endS: 30 };
    const short = fly({ extends: "mission", sensors, timeline, scenario: [sensorFaultAt20S("gnss", "drop-out", 4.9)] });
    expect(short.events.some(({ kind }) => kind === "failsafe")).toBe(false);
    const long = fly({ extends: "mission", sensors, scenario: [sensorFaultAt20S("gnss", "drop-out", 9)] });
    expect(long.find("mode", ({ mode }) => mode === "descend")).toBeCloseTo(25, 1);
    expect(long.flown.signal("navState").at(29.9)[0]).toBe(NAV.values.descend);
    expect(long.flown.signal("navState").at(30.1)[0]).toBe(NAV.values.mission);
    expect(long.events.some(({ kind }) => kind === "missionFinished")).toBe(true);
  });

  it("is not caused by a receiver that is stuck", () => {
    const timeline = { endS: 30 };
    const stuck = fly({ extends: "mission", sensors, timeline, scenario: [sensorFaultAt20S("gnss", "stuck")] });
    expect(stuck.events.some(({ kind }) => kind === "failsafe")).toBe(false);
  });
});

describe("loss of the estimator", () => {
  it("terminates the flight after one second", () => {
    const { find, flown } = fly({ extends: "mission", scenario: [sensorFaultAt20S("estimator", "drop-out")] });
    expect(find("failsafe", ({ cause }) => cause === "estimate lost")).toBeCloseTo(21, 1);
    expect(find("mode", ({ mode }) => mode === "termination")).toBeCloseTo(21, 1);
    expect(Math.max(...flown.signal("motorCommand").at(21.5))).toBe(0);
    expect(flown.outcome).toBe("crashed");
  });
});

describe("a flight without sensors", () => {
  it.each(["mission", "hover"])("%s keeps a valid estimate to its end", (name) => {
    const { flown, events } = fly({ extends: name });
    const endS = flown.events.at(-1)!.tUs / 1e6;
    for (let tS = 0; tS < endS; tS += 0.5) expect(flown.signal("estValid").at(tS)[0]).toBe(VALID.initial);
    expect(events.some(({ kind }) => kind === "failsafe")).toBe(false);
    expect(flown.outcome).toBe("completed");
  });
});
