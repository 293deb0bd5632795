/**
 * For any input, the autopilot outputs no NaN and its commands stay in range; an estimate that is not a valid state is
 * rejected with a typed error.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Snapshot } from "../../snapshot/index.ts";
import { SIGNALS, type SignalName } from "../../signals/table.ts";
import {
  eventsUntil,
  OracleFlight,
  referenceFlight,
  type OracleOptions,
} from "../../../../../tests/support/px4-flights.ts";
import { volume } from "../../../../../tests/support/volume.ts";

const { setup } = referenceFlight("simple");
const own: OracleOptions = { preset: "default", ownLandDetector: true };
const published = (Object.keys(SIGNALS) as SignalName[]).filter((name) => SIGNALS[name].writer === "autopilot");

function expectValidOutputs(flight: OracleFlight): void {
  for (const name of published) {
    for (const value of flight.all.signal(name)) {
      if (!Number.isFinite(value)) expect.fail(`${name} is ${value} at ${flight.t} s`);
    }
  }
  for (const command of flight.bus.motorCommand) {
    if (!(command >= 0 && command <= 1)) expect.fail(`a motor is commanded ${command}`);
  }
}

/** Runs one tick of the autopilot alone, with an estimate that the test provides. */
function tick(flight: OracleFlight, estimate: () => void): void {
  flight.tick += 1;
  flight.clock.set(flight.tick * 4000);
  estimate();
  flight.autopilot.update(flight.clock, flight.bus);
  expectValidOutputs(flight);
}

describe("estimates", () => {
  it("[L10.2] with any values lead to finite commands between 0 and 1", () => {
    const size = fc.double({ min: -1, max: 1, noNaN: true });
    const vector = (scale: number) =>
      fc.array(size, { minLength: 3, maxLength: 3 }).map((v) => v.map((x) => x * scale));
    const attitude = fc
      .array(size, { minLength: 4, maxLength: 4 })
      .filter((q) => Math.hypot(...q) > 0.1)
      .map((q) => q.map((x) => x / Math.hypot(...q)));
    const state = fc.tuple(
      vector(1e4),
      vector(300),
      vector(1e3),
      attitude,
      vector(60),
      vector(1e4),
      fc.integer({ min: 1, max: 40 }),
    );
    fc.assert(
      fc.property(fc.array(state, { minLength: 3, maxLength: 12 }), fc.integer({ min: 0, max: 5 }), (states, mode) => {
        const flight = new OracleFlight(setup, own);
        while (flight.t < 6) flight.step();
        flight.all.signal("requestMode")[0] = mode;
        flight.all.signal("requestCount")[0] = 9;
        for (const [pos, vel, acc, q, rate, rateDot, ticks] of states) {
          for (let i = 0; i < ticks; i += 1) {
            tick(flight, () => {
              flight.all.signal("estPosNed").set(pos);
              flight.all.signal("estVelNed").set(vel);
              flight.all.signal("estAccNed").set(acc);
              flight.all.signal("estQBodyToNed").set(q);
              flight.all.signal("estRateBody").set(rate);
              flight.all.signal("estRateDotBody").set(rateDot);
            });
          }
        }
      }),
      { numRuns: volume(8, 25) },
    );
  });

  it("of a vehicle that starts in the air lead to valid outputs", () => {
    const flight = new OracleFlight(setup, own);
    flight.plant.pos.set([5, -3, -20]);
    flight.plant.vel.set([2, 1, -0.5]);
    for (let i = 0; i < 1000; i += 1) flight.step(() => expectValidOutputs(flight));
  });

  it("that freeze in flight for a minute leave the commands finite", () => {
    const flight = new OracleFlight(setup, own);
    while (flight.t < 17) flight.step();
    for (let i = 0; i < 15000; i += 1) tick(flight, () => undefined);
  });

  it("that are not finite, too large or without a unit quaternion are rejected with a typed error", () => {
    const wrong: readonly [SignalName, number, number][] = [
      ["estPosNed", 1, NaN],
      ["estVelNed", 0, Infinity],
      ["estAccNed", 2, -1e10],
      ["estQBodyToNed", 0, 0.5],
      ["estQBodyToNed", 3, NaN],
      ["estRateBody", 2, NaN],
      ["estRateDotBody", 0, NaN],
    ];
    for (const [name, at, value] of wrong) {
      const flight = new OracleFlight(setup, own);
      flight.step();
      const before = Snapshot.of(flight.autopilot);
      const set = () => {
        flight.all.signal(name)[at] = value;
      };
      expect(() => tick(flight, set), `${name}[${at}] = ${value}`).toThrow(/AUTOPILOT-005/);
      expect(Snapshot.of(flight.autopilot)).toEqual(before);
    }
  });
});

describe("a failing plant", () => {
  it("with a dead motor, an empty battery or a storm still gets finite commands", () => {
    const storm = { ...setup, wind: { velocity_ned: [25, -15, 4] as [number, number, number] } };
    const flight = new OracleFlight(storm, own);
    const command = flight.all.signal("motorCommand");
    const events = eventsUntil(flight, 60, () => {
      expectValidOutputs(flight);
      if (flight.t > 20) flight.all.signal("batteryRemaining")[0] = 0;
      if (flight.t > 30) command[1] = 0;
    });
    expect(events.length).toBeGreaterThan(5);
  });
});

describe("checkpoints", () => {
  it("[L9.7] at random ticks of a mission continue with the same bits", () => {
    const reference = new OracleFlight(setup, own);
    const ticks = fc.sample(fc.integer({ min: 1, max: 17500 }), { numRuns: 12, seed: 5 }).sort((a, b) => a - b);
    for (const stop of ticks) {
      while (reference.tick < stop) reference.step();
      const copy = new OracleFlight(setup, own);
      Snapshot.of(reference.autopilot).into(copy.autopilot);
      copy.all.values.set(reference.all.values);
      for (const part of ["pos", "vel", "acc", "q", "w", "wDot", "motors"] as const)
        copy.plant[part].set(reference.plant[part]);
      copy.tick = reference.tick;
      for (let i = 0; i < 60; i += 1) {
        reference.step();
        copy.step();
        expect(copy.all.values).toEqual(reference.all.values);
      }
      expect(Snapshot.of(copy.autopilot)).toEqual(Snapshot.of(reference.autopilot));
    }
  });

  it("contain only finite numbers", () => {
    const flight = new OracleFlight(setup, own);
    for (let i = 0; i < 8; i += 1) {
      while (flight.t < i * 2) flight.step();
      for (const { values } of Snapshot.of(flight.autopilot).sections) {
        for (const value of values) expect(Number.isFinite(value)).toBe(true);
      }
    }
  });

  it("contain the parameter changes made before them", () => {
    const options = { ...own, parameterChanges: [{ name: "MPC_XY_CRUISE", value: 2, t: 15 }] };
    const flight = new OracleFlight(setup, options);
    while (flight.t < 16) flight.step();
    const copy = new OracleFlight(setup, options);
    Snapshot.of(flight.autopilot).into(copy.autopilot);
    expect(copy.autopilot.parameters.get("MPC_XY_CRUISE")).toBe(2);
  });
});
