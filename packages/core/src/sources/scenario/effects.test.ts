/**
 * Tests the effects of events in the engine: gusts, faults, parameters, stops, and the memory that a checkpoint saves.
 */
import { describe, expect, it } from "vitest";
import { type Flight, flightLoop } from "../../engine/index.ts";
import { at, bobbing, build, event, flyScenario, when } from "../../../../../tests/support/scenario-flights.ts";
import type { ScenarioEvent } from "./event.ts";

describe("effects", () => {
  it("overlapping gusts add, and each ends at its own time", () => {
    const events = [
      event(at(100_000), "gust", { velNedMps: [1, 0, 0] }, { forUs: 300_000 }),
      event(at(200_000), "gust", { velNedMps: [0, 2, 0.5] }, { forUs: 400_000 }),
      event(at(300_000), "windMean", { velNedMps: [0.25, 0, 0] }),
    ];
    const { at: value } = flyScenario(events);
    expect(value("windGustNed", 150_000)).toEqual([1, 0, 0]);
    expect(value("windGustNed", 250_000)).toEqual([1, 2, 0.5]);
    expect(value("windGustNed", 350_000)).toEqual([1.25, 2, 0.5]);
    expect(value("windGustNed", 450_000)).toEqual([0.25, 2, 0.5]);
    expect(value("windGustNed", 650_000)).toEqual([0.25, 0, 0]);
  });

  it("[L5] gusts change the wind immediately, even between wind ticks", () => {
    const { at: value } = flyScenario([event(at(123_456), "gust", { velNedMps: [3, 0, 0] })]);
    expect(value("windNed", 123_455)).toEqual([0, 0, 0]);
    expect(value("windNed", 123_456)).toEqual([3, 0, 0]);
  });

  it("a one-minus-cosine gust rises to its peak in the middle and falls back, even if no condition makes the scenario run periodically", () => {
    const events = [
      event(at(1_000_000), "gust", { velNedMps: [8, 0, 0], shape: "one-minus-cosine" }, { forUs: 1_000_000 }),
    ];
    const { at: value } = flyScenario(events, { periodUs: 10_000 });
    for (const share of [0, 0.25, 0.5, 0.75]) {
      expect(value("windGustNed", 1_000_000 + share * 1e6)[0]!).toBeCloseTo(
        4 * (1 - Math.cos(2 * Math.PI * share)),
        12,
      );
    }
    expect(value("windGustNed", 2_000_000)).toEqual([0, 0, 0]);
  });

  it("every kind of motor fault sets its signals, and ends with its window or with motorOn", () => {
    const { at: value } = flyScenario([
      event(at(100_000), "motorOff", { motor: 1 }, { forUs: 100_000 }),
      event(at(100_000), "motorLoss", { motor: 2, gain: 0.25 }),
      event(at(100_000), "motorStuck", { motor: 3, duty: 0.7 }),
      event(at(100_000), "motorJam", { motor: 4 }),
      event(at(100_000), "propellerChip", { motor: 3, share: 0.1 }),
      event(at(100_000), "propellerImbalance", { motor: 2, imbalanceGmm: 5 }),
      event(at(300_000), "motorOn", { motor: 3 }),
    ]);
    expect(value("propellerChip", 100_000)).toEqual([0, 0, 0.1, 0]);
    expect(value("propellerImbalance", 100_000)).toEqual([0, 5e-6, 0, 0]);
    expect(value("propellerChip", 300_000)).toEqual([0, 0, 0, 0]);
    expect(value("motorGain", 100_000)).toEqual([0, 0.25, 0, 1]);
    expect(value("motorOffset", 100_000)).toEqual([0, 0, 0.7, 0]);
    expect(value("motorJam", 100_000)).toEqual([0, 0, 0, 1]);
    expect(value("motorGain", 200_000)).toEqual([1, 0.25, 0, 1]);
    expect([value("motorGain", 300_000), value("motorOffset", 300_000)]).toEqual([
      [1, 0.25, 1, 1],
      [0, 0, 0, 0],
    ]);
  });

  it("the later of two faults of one motor wins, in any order in the list", () => {
    const { at: value } = flyScenario([
      event(at(500_000), "motorOff", { motor: 2 }),
      event(at(300_000), "motorOn", { motor: 2 }),
      event(at(200_000), "motorLoss", { motor: 2, gain: 0.5 }),
    ]);
    expect([250_000, 350_000, 550_000].map((tUs) => value("motorGain", tUs)[1])).toEqual([0.5, 1, 0]);
  });

  it("batteries are disconnected one by one or all together, and reconnected", () => {
    const { at: value } = flyScenario([
      event(at(100_000), "batteryOff", { battery: 2 }),
      event(at(200_000), "batteryOff"),
      event(at(300_000), "batteryOn", { battery: 1 }),
    ]);
    expect([100_000, 200_000, 300_000].map((tUs) => value("batteryConnected", tUs))).toEqual([
      [1, 0],
      [0, 0],
      [1, 0],
    ]);
  });

  it("sensor faults name the sensor, the kind and the level", () => {
    const { at: value } = flyScenario([
      event(at(100_000), "sensorFault", { sensor: "baro", fault: "drift", level: 0.5 }, { forUs: 50_000 }),
    ]);
    expect(value("sensorFaultKind", 100_000)).toEqual([0, 0, 0, 3, 0, 0, 0, 0]);
    expect(value("sensorFaultLevel", 100_000)).toEqual([0, 0, 0, 0.5, 0, 0, 0, 0]);
    expect(value("sensorFaultKind", 150_000)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it("parameter changes set their bit once and permanently", () => {
    const { changes } = flyScenario([
      event(at(300_000), "parameter", { name: "A", value: 1, bit: 1 }),
      event(at(200_000), "parameter", { name: "B", value: 2, bit: 2 }),
    ]);
    expect(changes("parameterChanges")).toEqual([
      [200_000, 2],
      [300_000, 3],
    ]);
  });

  it("motor noise has its standard deviation, and differs between events and between seeds", () => {
    const noise = (motor: number) => event(at(0), "motorNoise", { motor, sigma: 0.1 });
    const samples = (seed: number, motor: number, events: readonly ScenarioEvent[]) => {
      const run = flyScenario(events, { periodUs: 1000, seed });
      return run.timesUs.slice(0, 3000).map((tUs) => run.at("motorOffset", tUs)[motor - 1]!);
    };
    const alone = samples(1, 2, [noise(2)]);
    const deviation = Math.sqrt(alone.reduce((sum, value) => sum + value * value, 0) / alone.length);
    // The standard deviation of n draws has itself a standard deviation of σ/√(2n); four times that is 0.0052.
    expect(Math.abs(deviation - 0.1)).toBeLessThan(0.0052);
    expect(samples(2, 2, [noise(2)])).not.toEqual(alone);
    // A second event does not change the noise of the first.
    expect(samples(1, 2, [noise(2), noise(3)])).toEqual(alone);
  });
});

describe("motor noise", () => {
  it("has no effect on a motor that is off or stuck", () => {
    const noise = event(at(200_000), "motorNoise", { motor: 1, sigma: 0.3 });
    const offset = (before: ScenarioEvent) => flyScenario([before, noise]).at("motorOffset", 300_000)[0];
    expect(offset(event(at(100_000), "motorOff", { motor: 1 }))).toBe(0);
    expect(offset(event(at(100_000), "motorStuck", { motor: 1, duty: 0.4 }))).toBe(0.4);
    expect(offset(event(at(100_000), "motorLoss", { motor: 1, gain: 0.4 }))).not.toBe(0);
  });
});

describe("stop", () => {
  it("[L7] ends the flight at its boundary; the first stop wins", () => {
    const { end, timesUs } = flyScenario([
      event(when("altitudeM > 1"), "stop", { outcome: "crashed" }),
      event(at(1_000_001), "stop"),
      event(at(2_000_000), "stop"),
    ]);
    expect([end.endUs, end.stop]).toEqual([1_000_001, 2]);
    expect(timesUs.at(-1)).toBe(1_000_001);
  });
});

describe("save, load and continue", () => {
  const events = [
    event(at(400_000), "gust", { velNedMps: [1, 0, 0] }, { forUs: 900_000 }),
    event(
      when("altitudeM > 0.5", { hysteresis: 0.6 }),
      "gust",
      { velNedMps: [0, 2, 0] },
      { forUs: 310_000, repeats: true },
    ),
    event(when("climbMps > 2", { holdUs: 70_000 }), "motorOff", { motor: 1 }),
    event(when("climbMps < -1", { afterUs: 150_000, snapUs: 7_000 }), "motorNoise", { motor: 2, sigma: 0.3 }),
    event(at(1_500_000), "motorOn", { motor: 1 }),
  ];
  const options = { plant: bobbing(Math.PI), physicsPeriodUs: 5000, periodUs: 10_000, endUs: 4_000_000 };

  it("gives the same bits from any boundary", () => {
    const whole = build(events, options);
    const atUs = [0, 405_000, 1_000_000, 1_640_000, 1_700_000, 2_340_000];
    const snapshots = new Map<number, ReturnType<Flight["save"]>>();
    const markUs = Float64Array.of(atUs[0]!);
    const loop = flightLoop(whole.flight, { markUs });
    for (let pause = loop.next(); pause.done !== true; pause = loop.next()) {
      if (pause.value === "mark") snapshots.set(whole.flight.schedule.nowUs, whole.flight.save());
      markUs[0] = atUs[snapshots.size] ?? Infinity;
    }
    expect([...snapshots.keys()]).toEqual(atUs);
    for (const [tUs, snapshot] of snapshots) {
      const again = build(events, options);
      again.flight.load(snapshot);
      const rest = flightLoop(again.flight);
      while (rest.next().done !== true);
      expect(again.rows).toEqual(whole.rows.filter((row) => row.tUs >= tUs));
    }
  });
});
