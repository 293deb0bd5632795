/** Tests the take-off states and the ramp of the climb-rate limit. */
import { describe, expect, it } from "vitest";
import { FlightClock } from "../../time/index.ts";
import { Parameters } from "./parameters.ts";
import { Takeoff, TAKEOFF } from "./takeoff.ts";

const rotor = { posBody: [0, 0, 0], axisBody: [0, 0, -1], torqueRatioM: 0.05, channel: 0 };

function make() {
  const takeoff = new Takeoff(0.01);
  takeoff.configure(new Parameters([rotor]));
  const clock = new FlightClock();
  const at = (us: number) => {
    clock.set(us);
    return clock;
  };
  return { takeoff, at };
}

describe("take-off", () => {
  it("spools up for a second, waits for a take-off request, ramps for three seconds, and lands again", () => {
    const { takeoff, at } = make();
    takeoff.update(at(0), false, true, false, false);
    expect(takeoff.state).toBe(TAKEOFF.disarmed);
    takeoff.update(at(10000), true, true, true, false);
    expect(takeoff.state).toBe(TAKEOFF["spool-up"]);
    takeoff.update(at(1000000), true, true, true, false);
    expect(takeoff.state).toBe(TAKEOFF["spool-up"]);
    takeoff.update(at(1010000), true, true, false, false);
    expect(takeoff.state).toBe(TAKEOFF.ready);
    takeoff.flightLimitMps[0] = 3;
    takeoff.ramp();
    expect(takeoff.upLimitMps).toBeCloseTo(-9.80665 / 4, 12);
    let us = 1020000;
    takeoff.update(at(us), true, true, true, false);
    expect(takeoff.state).toBe(TAKEOFF["ramp-up"]);
    const limits: number[] = [];
    while (takeoff.state === TAKEOFF["ramp-up"]) {
      takeoff.flightLimitMps[0] = 3;
      takeoff.ramp();
      limits.push(takeoff.upLimitMps);
      us += 10000;
      takeoff.update(at(us), true, false, true, false);
    }
    expect(limits.length).toBeGreaterThanOrEqual(300);
    expect(limits.length).toBeLessThanOrEqual(301);
    expect(limits.every((limit, i) => i === 0 || limit > limits[i - 1]!)).toBe(true);
    expect(takeoff.state).toBe(TAKEOFF.flight);
    takeoff.update(at(us + 10000), true, true, true, false);
    expect(takeoff.state).toBe(TAKEOFF.ready);
    takeoff.update(at(us + 20000), false, true, true, false);
    expect(takeoff.state).toBe(TAKEOFF.disarmed);
  });

  it("is skipped by modes that do not control altitude", () => {
    const { takeoff, at } = make();
    takeoff.update(at(0), true, true, false, true);
    expect(takeoff.state).toBe(TAKEOFF.flight);
  });

  it("has no ramp if the ramp time is zero", () => {
    const takeoff = new Takeoff(0.01);
    takeoff.configure(new Parameters([rotor], { MPC_TKO_RAMP_T: 0, COM_SPOOLUP_TIME: 0 }));
    const clock = new FlightClock();
    takeoff.update(clock, true, true, true, false);
    expect(takeoff.state).toBe(TAKEOFF["ramp-up"]);
    takeoff.flightLimitMps[0] = 3;
    takeoff.ramp();
    expect(takeoff.upLimitMps).toBe(3);
    takeoff.update(clock, true, false, true, false);
    expect(takeoff.state).toBe(TAKEOFF.flight);
  });
});
