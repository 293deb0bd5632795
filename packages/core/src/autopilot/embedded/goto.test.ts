/**
 * Tests requests to go to a position with the embedded autopilot. `real-library.test.ts` compares the same flights with
 * PX4's own navigator.
 */
import { describe, expect, it } from "vitest";
import type { PlainObject } from "../../params/index.ts";
import { coreRegistry } from "../../describe/registry.ts";
import { mustResolve, resolveFlight } from "../../describe/resolve/resolve.ts";
import { flyFlightNow } from "../../run/fly-flight.ts";
import { SIGNALS } from "../../signals/table.ts";
import { FlightClock } from "../../time/index.ts";
import { Leg } from "./navigator/leg.ts";
import { Reposition } from "./navigator/reposition.ts";
import { Vehicle } from "./vehicle.ts";

const NAV = SIGNALS.navState.values;
const items = [{ takeoff: { altitudeM: 10 } }, { waypoint: { northM: 200, altitudeM: 10 } }];

function fly(spec: PlainObject) {
  const base = { vehicle: "iris", wind: "none", mission: { items }, timeline: { endS: 40 } };
  const resolved = mustResolve(resolveFlight({ file: "test", spec: { ...base, ...spec } }, coreRegistry));
  const flight = flyFlightNow(resolved);
  const position = (atS: number) => [...flight.signal("posNed").at(atS)];
  return { flight, position, mode: (atS: number) => flight.signal("navState").at(atS)[0] };
}

function expectNear(posNed: readonly number[], target: readonly number[], toleranceM = 0.3): void {
  target.forEach((value, i) => expect(Math.abs(posNed[i]! - value)).toBeLessThan(toleranceM));
}

describe("a request to go to a position", () => {
  it("ends the mission, flies there, turns to the heading and holds", () => {
    const { flight, position, mode } = fly({ scenario: [{ atS: 14, goto: { posNedM: [20, 15, -14], yawDeg: 90 } }] });
    expect(mode(13.9)).toBe(NAV.mission);
    expect(mode(14.1)).toBe(NAV.hold);
    for (const atS of [30, 35, 40]) expectNear(position(atS), [20, 15, -14]);
    const q = flight.signal("qBodyToNed").at(40);
    expect(2 * Math.atan2(q[3]!, q[0]!)).toBeCloseTo(Math.PI / 2, 1);
    expect(flight.extremes.speedMaxMps).toBeLessThan(7);
  });

  it("replaces the previous request; without a heading, the vehicle turns towards the position", () => {
    const scenario = [
      { atS: 14, goto: { posNedM: [20, 15, -14], yawDeg: 90 } },
      { atS: 15, goto: { posNedM: [0, -20, -8] } },
    ];
    const { flight, position } = fly({ scenario });
    expectNear(position(40), [0, -20, -8]);
    expect(flight.signal("setYaw").at(40)[0]).toBeLessThan(-1);
  });

  it("takes off if the vehicle is armed on the ground, and does nothing while it is disarmed", () => {
    const scenario = [
      { atS: 2, goto: { posNedM: [0, 30, -20] } },
      { atS: 3, arm: true },
      { atS: 6, goto: { posNedM: [10, 5, -5] } },
    ];
    const { position } = fly({ mission: undefined as never, scenario });
    expectNear(position(5.9), [0, 0, 0], 0.2);
    expectNear(position(40), [10, 5, -5]);
  });

  it.each([
    ["too far", { GF_MAX_HOR_DIST: 60 }, [100, 0, -10]],
    ["too high", { GF_MAX_VER_DIST: 30 }, [0, 0, -50]],
  ])("outside the fence (%s) only holds the current position", (_why, parameters, posNedM) => {
    const spec = { scenario: [{ atS: 17, goto: { posNedM } }] };
    const refused = fly({ ...spec, autopilot: { kind: "embedded", parameters }, timeline: { endS: 27 } });
    expect(refused.mode(18)).toBe(NAV.hold);
    const [north] = refused.position(17) as [number];
    expect(Math.abs(refused.position(27)[0]! - north)).toBeLessThan(15);
    expect(refused.position(27)[2]).toBeCloseTo(-10, 0);
    const warns = fly({ ...spec, autopilot: { kind: "embedded", parameters: { ...parameters, GF_ACTION: 1 } } });
    expectNear(warns.position(40), posNedM, 1);
  });

  it.each([
    [0.499, true],
    [0.5, false],
  ])("is carried out only if hold mode starts within 0.5 s (after %s s: %s)", (waitS, isCarriedOut) => {
    const land = { landed: false, maybeLanded: false, groundContact: false };
    const leg = new Leg(new Vehicle(), new Float64Array(3), new Float64Array(1), land);
    leg.armed = true;
    const reposition = new Reposition(leg, () => false);
    const clock = new FlightClock();
    reposition.request([1, 2, -3], NaN);
    clock.set(7_000_000);
    reposition.accept(clock, false);
    clock.set(7_000_000 + 1e6 * waitS);
    expect(reposition.apply(clock)).toBe(isCarriedOut);
    expect(leg.triplet.current.valid).toBe(isCarriedOut);
    expect(reposition.apply(clock)).toBe(false);
  });
});
