/** Tests flights by the pilot's sticks against the behaviour that PX4 documents for position mode. */
import { describe, expect, it } from "vitest";
import type { PlainObject } from "../../params/index.ts";
import { coreRegistry } from "../../describe/registry.ts";
import { mustResolve, resolveFlight } from "../../describe/resolve/resolve.ts";
import { flyFlightNow } from "../../run/fly-flight.ts";
import { FlightSession } from "../../run/session/session.ts";
import type { Scenario } from "../../sources/scenario/index.ts";
import { SIGNALS } from "../../signals/table.ts";
import { shapeStick } from "./trajectory/stick-task.ts";

const NAV = SIGNALS.navState.values;
/**
 * A take-off to 30 m, above the heights at which vertical speed is limited; from about 22 s the vehicle holds there.
 */
const items = [{ takeoff: { altitudeM: 30 } }];

const resolve = (spec: PlainObject) => {
  const base = { vehicle: "iris", wind: "none", mission: { items }, timeline: { endS: 31 } };
  return resolveFlight({ file: "test", spec: { ...base, ...spec } }, coreRegistry);
};

function fly(scenario: readonly PlainObject[], more: PlainObject = {}) {
  const flight = flyFlightNow(mustResolve(resolve({ ...more, scenario })));
  return { flight, at: (name: string, atS: number) => [...flight.signal(name as "posNed").at(atS)] };
}

function headingDeg(q: readonly number[]): number {
  const [w, x, y, z] = q as [number, number, number, number];
  return (Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) * 180) / Math.PI;
}

describe("sticks in position mode", () => {
  it("have a dead zone, then a curve that ends at the full value", () => {
    for (const stick of [0, 0.05, -0.1, 0.1]) expect(shapeStick(stick, 0.1, 0.6)).toBe(0);
    expect(shapeStick(1, 0.1, 0.6)).toBeCloseTo(1, 12);
    expect(shapeStick(-1, 0.1, 0.6)).toBeCloseTo(-1, 12);
    expect(shapeStick(0.55, 0.1, 0)).toBeCloseTo(0.5, 12);
    expect(shapeStick(0.55, 0.1, 0.6)).toBeCloseTo(0.4 * 0.5 + 0.6 * 0.125, 12);
  });

  it("fly forward at MPC_VEL_MANUAL along the heading, and hold the position when they are released", () => {
    const { at } = fly(
      [
        { atS: 24, sticks: { pitch: 1 } },
        { atS: 31, sticks: {} },
      ],
      { autopilot: { kind: "embedded", parameters: { MPC_VEL_MANUAL: 5 } }, timeline: { endS: 50 } },
    );
    expect(at("navState", 24.1)[0]).toBe(NAV.position);
    const heading = headingDeg(at("qBodyToNed", 23.9)) * (Math.PI / 180);
    const [n, e, d] = at("velNed", 30.9) as [number, number, number];
    expect(Math.hypot(n, e)).toBeCloseTo(5, 0);
    expect(Math.cos(Math.atan2(e, n) - heading)).toBeGreaterThan(0.999);
    expect(Math.abs(d)).toBeLessThan(0.2);
    const held = at("setPosNed", 39);
    expect(at("setPosNed", 50)).toEqual(held);
    expect(Math.hypot(...at("velNed", 50))).toBeLessThan(0.1);
    expect(Math.hypot(...at("estPosNed", 50).map((value, i) => value - held[i]!))).toBeLessThan(0.2);
  });

  it("fly to the right with the roll stick; two sticks are not faster than one", () => {
    const { at } = fly([{ atS: 24, sticks: { roll: 1, pitch: 1 } }], {
      autopilot: { kind: "embedded", parameters: { MPC_VEL_MANUAL: 4 } },
    });
    const heading = headingDeg(at("qBodyToNed", 23.9));
    const [n, e] = at("setVelNed", 30) as [number, number];
    expect(Math.hypot(n, e)).toBeCloseTo(4, 6);
    const course = (Math.atan2(e, n) * 180) / Math.PI;
    expect(((course - heading + 540) % 360) - 180).toBeCloseTo(45, 0);
  });

  it("climb and sink at the maximum speeds, slower near the ground, and land the vehicle", () => {
    const { flight, at } = fly(
      [
        { atS: 24, sticks: { throttle: 1 } },
        { atS: 28, sticks: { throttle: -1 } },
      ],
      { timeline: { endS: 80 } },
    );
    expect(at("velNed", 27.9)[2]).toBeCloseTo(-3, 1);
    expect(at("velNed", 34)[2]).toBeCloseTo(1.5, 1);
    // Below MPC_LAND_ALT2 (5 m) the vehicle sinks at MPC_LAND_SPEED.
    const low = flight.signal("posNed");
    let tS = 34;
    while (-low.at(tS)[2]! > 3) tS += 1;
    expect(at("setVelNed", tS)[2]).toBeCloseTo(0.7, 6);
    expect(flight.outcome).toBe("completed");
    expect(flight.events.map(({ kind }) => kind)).toContain("disarmed");
  });

  it("turn at MPC_MAN_Y_MAX and keep the heading when they are released", () => {
    const { at } = fly(
      [
        { atS: 24, sticks: { yaw: 1 } },
        { atS: 28, sticks: {} },
      ],
      { autopilot: { kind: "embedded", parameters: { MPC_MAN_Y_MAX: 45 } }, timeline: { endS: 40 } },
    );
    const turned = headingDeg(at("qBodyToNed", 27)) - headingDeg(at("qBodyToNed", 26));
    expect((turned + 360) % 360).toBeCloseTo(45, 0);
    expect(headingDeg(at("qBodyToNed", 40))).toBeCloseTo(headingDeg(at("qBodyToNed", 38)), 0);
  });

  it("take off from the ground when the throttle is above 30 %", () => {
    const scenario = [
      { atS: 1, arm: true },
      { atS: 2, sticks: { throttle: 0.25 } },
      { atS: 6, sticks: { throttle: 0.8 } },
      { atS: 14, sticks: {} },
    ];
    const { at } = fly(scenario, { mission: undefined as never, timeline: { endS: 25 } });
    expect(at("posNed", 5.9)[2]).toBeCloseTo(at("posNed", 1.5)[2]!, 2);
    expect(-at("posNed", 25)[2]!).toBeGreaterThan(2);
    expect(Math.abs(at("velNed", 25)[2]!)).toBeLessThan(0.1);
  });

  it("keep their positions until the next event, and a requested mode ends position mode", () => {
    const { at } = fly([
      { atS: 24, sticks: { pitch: 0.5, yaw: -0.2 } },
      { atS: 30, hold: true },
    ]);
    expect(at("sticks", 29.9)).toEqual([0, 0.5, -0.2, 0]);
    expect(at("navState", 29.9)[0]).toBe(NAV.position);
    expect(at("navState", 30.1)[0]).toBe(NAV.hold);
  });
});

describe("a series of stick movements", () => {
  const series = { timesS: [1, 2.5, 4], pitch: [0.6, 0.6, 0], yaw: [0, -0.3, 0] };

  it("moves the sticks as separate events do", () => {
    const { flight, at } = fly([{ atS: 24, sticks: { roll: 0.2, series } }]);
    expect(at("sticks", 24.5)).toEqual([0.2, 0, 0, 0]);
    expect(at("sticks", 25)).toEqual([0, 0.6, 0, 0]);
    expect(at("sticks", 27)).toEqual([0, 0.6, -0.3, 0]);
    expect(at("sticks", 28)).toEqual([0, 0, 0, 0]);
    const separate = fly([
      { atS: 24, sticks: { roll: 0.2 } },
      { atS: 25, sticks: { pitch: 0.6 } },
      { atS: 26.5, sticks: { pitch: 0.6, yaw: -0.3 } },
      { atS: 28, sticks: {} },
    ]);
    expect(flight.digests).toEqual(separate.flight.digests);
  });

  it("begins with its event, even if a condition triggers the event", () => {
    const { at } = fly([{ when: "altitudeM > 20", sticks: { series } }]);
    let startS = 0;
    while (at("navState", startS)[0] !== NAV.position) startS += 0.25;
    expect(at("sticks", startS + 2)).toEqual([0, 0.6, 0, 0]);
    expect(at("sticks", startS + 3)).toEqual([0, 0.6, -0.3, 0]);
    expect(at("sticks", startS + 4.5)).toEqual([0, 0, 0, 0]);
  });

  it("requests no mode, so that a mode requested later stays, and ends at the next event that moves the sticks", () => {
    const held = fly([
      { atS: 24, sticks: { series } },
      { atS: 25.5, hold: true },
    ]);
    expect(held.at("navState", 27)[0]).toBe(NAV.hold);
    const replaced = fly([
      { atS: 24, sticks: { series } },
      { atS: 25.5, sticks: { roll: 0.4 } },
    ]);
    expect(replaced.at("sticks", 27)).toEqual([0.4, 0, 0, 0]);
  });

  it("continues from a checkpoint, and gives the same bits as the same movements made during the flight", () => {
    const spec = { scenario: [{ atS: 24, sticks: { series } }] };
    const whole = flyFlightNow(mustResolve(resolve(spec)));
    const session = new FlightSession(mustResolve(resolve(spec)));
    session.advance(26e6);
    session.rewindTo(25.2e6);
    session.advance();
    expect(session.result().digests).toEqual(whole.digests);
    const live = new FlightSession(mustResolve(resolve({ scenario: [{ atS: 24, sticks: {} }] })));
    const scenario = live.flight.parts.scenario as Scenario;
    for (const [i, timeS] of series.timesS.entries()) {
      live.advance((24 + timeS - 0.02) * 1e6);
      scenario.steer((24 + timeS) * 1e6, [0, series.pitch[i]!, series.yaw[i]!, 0]);
    }
    live.advance();
    expect(live.result().digests).toEqual(whole.digests);
  });

  it.each([
    [{ timesS: [1, 1], pitch: [0, 1] }, "series.timesS"],
    [{ timesS: [0, 1], pitch: [0, 1] }, "series.timesS[0]"],
    [{ timesS: [1.0000001] }, "series.timesS[0]"],
    [{ timesS: [1, 2], pitch: [0] }, "series.pitch"],
    [{ timesS: [1], yaw: [1.5] }, "series.yaw[0]"],
  ])("is rejected if it is %j", (faulty, key) => {
    const found = resolve({ scenario: [{ atS: 24, sticks: { series: faulty } }] });
    expect(JSON.stringify(found)).toContain(`scenario[0].sticks.${key}`);
    expect(() => mustResolve(found)).toThrow();
  });
});

describe("the signal of the sticks", () => {
  it("exists only in flights with events that move the sticks", () => {
    const columns = (scenario: readonly PlainObject[]) =>
      new FlightSession(mustResolve(resolve({ scenario }))).flight.columns.map(({ name }) => name);
    expect(columns([]).some((name) => name.startsWith("sticks"))).toBe(false);
    const moved = columns([{ atS: 24, sticks: {} }]).filter((name) => name.startsWith("sticks"));
    expect(moved).toEqual(["sticks_roll", "sticks_pitch", "sticks_yaw", "sticks_throttle"]);
  });

  it("[L11.1] lets a branch continue from its parent's memory only if both have the signal", () => {
    const first = new FlightSession(mustResolve(resolve({})));
    first.advance(30e6);
    const second = first.branch({ atUs: 24e6, events: [{ sticks: { pitch: 1 } }] });
    expect(second.isGrafted).toBe(false);
    second.session.advance(30e6);
    const third = second.session.branch({ atUs: 26e6, events: [{ sticks: { roll: 1 } }] });
    expect(third.isGrafted).toBe(true);
    third.session.advance();
    const whole = flyFlightNow(third.session.resolved);
    expect(third.session.result().digests).toEqual(whole.digests);
  });

  it("is rejected for a PX4 outside the process", () => {
    const embedded = coreRegistry.autopilots.find(({ name }) => name === "embedded")!;
    const found = resolveFlight(
      { file: "test", spec: { autopilot: "px4-sitl", scenario: [{ atS: 1, sticks: {} }] } },
      coreRegistry.with({ autopilots: [{ ...embedded, name: "px4-sitl" }] }),
    );
    expect(JSON.stringify(found)).toContain("does not receive the pilot's sticks");
  });
});
