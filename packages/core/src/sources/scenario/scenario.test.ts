/**
 * When events act: at given times, at steps, on conditions and at located crossings. Each test runs the engine and
 * compares with results computed by hand.
 */
import { describe, expect, it } from "vitest";
import { flightLoop, type Plant } from "../../engine/index.ts";
import type { Snapshot } from "../../snapshot/index.ts";
import { StateLayout } from "../../state/index.ts";
import { listedAxis, partsOf, periodicAxis } from "../../time/index.ts";
import { codeOf, scalarBlock } from "../../../../../tests/support/flights.ts";
import {
  at,
  bobbing,
  build,
  event,
  flyScenario,
  step,
  thrown,
  when,
} from "../../../../../tests/support/scenario-flights.ts";
import { Scenario } from "./scenario.ts";

describe("events at a time", () => {
  it("[L8] are boundaries of their own, at any autopilot period", () => {
    const { timesUs, changes } = flyScenario([event(at(123_457), "arm")]);
    expect(timesUs).toContain(123_457);
    expect(changes("requestArmed")).toEqual([[123_457, 1]]);
  });

  it("[L4] have half-open windows: on from their start, off at their end", () => {
    const { changes, timesUs } = flyScenario([event(at(250_000), "gust", { velNedMps: [3, 0, 0] }, { forUs: 30_001 })]);
    expect(changes("windGustNed")).toEqual([
      [250_000, 3],
      [280_001, 0],
    ]);
    expect(timesUs).toEqual(expect.arrayContaining([250_000, 280_001]));
  });

  it("leave the scenario idle between them: it reports idle only if none of its signals changed", () => {
    const events = [
      event(at(500_000), "arm"),
      event(when("altitudeM > 1.2"), "land"),
      event(at(2_000_000), "gust", { velNedMps: [3, 0, 0] }, { forUs: 300_000 }),
    ];
    const { flight, rows, idleUs } = build(events, { periodUs: 20_000 });
    for (const _pause of flightLoop(flight));
    const [from, size] = flight.bus.layout.ranges.scenario;
    const signals = rows.map(({ bus }) => [...bus.subarray(from, from + size)]);
    rows.forEach(({ tUs }, i) => {
      if (idleUs.includes(tUs)) expect(signals[i], `${tUs} µs`).toEqual(signals[i - 1]);
    });
    // Once an effect has fired, effects are applied at every boundary.
    expect(idleUs).toEqual(expect.arrayContaining([20_000, 480_000, 520_000, 1_980_000]));
    expect(idleUs.filter((tUs) => tUs === 0 || tUs === 500_000 || tUs >= 2_000_000)).toEqual([]);
  });

  it("of a flight by hand never leave the scenario idle, because sticks move between events", () => {
    const { flight, idleUs } = build([event(at(0), "sticks", { series: { timesS: [0.5], roll: [1] } })]);
    for (const _pause of flightLoop(flight));
    expect(idleUs).toEqual([]);
  });

  it("act at equal times in the order in which they are listed", () => {
    const { at: value, changes } = flyScenario([
      event(at(500_000), "rtl"),
      event(at(500_000), "land"),
      event(at(500_000), "hold"),
    ]);
    expect(changes("requestMode")).toEqual([[500_000, 3]]);
    expect(value("requestCount", 500_000)).toEqual([3]);
  });

  it("act in the order of their times, not of the list", () => {
    const { changes } = flyScenario([event(at(600_000), "land"), event(at(500_000), "rtl")]);
    expect(changes("requestMode")).toEqual([
      [500_000, 2],
      [600_000, 4],
    ]);
  });

  it("act at the start and at the end of the flight, but not after it", () => {
    const early = flyScenario([event(at(0), "arm")]);
    expect(early.at("requestArmed", 0)).toEqual([1]);
    const late = flyScenario([event(at(3_000_000), "arm"), event(at(3_000_001), "land")]);
    expect([late.at("requestArmed", 3_000_000), late.at("requestMode", 3_000_000)]).toEqual([[1], [0]]);
  });

  it("number requests to arm (positive) and to disarm (negative) consecutively", () => {
    const requests = (["arm", "arm", "disarm", "disarm", "arm"] as const).map((action, i) =>
      event(at(100_000 * (i + 1)), action),
    );
    expect(flyScenario(requests).changes("requestArmed")).toEqual([
      [100_000, 1],
      [200_000, 2],
      [300_000, -3],
      [400_000, -4],
      [500_000, 5],
    ]);
  });

  it("fire once", () => {
    expect(flyScenario([event(at(500_000), "arm"), event(at(700_000), "disarm")]).changes("requestCount")).toEqual([
      [500_000, 1],
      [700_000, 2],
    ]);
  });
});

describe("events at a step", () => {
  it("fire at the boundary of that number, counted over every boundary", () => {
    const { changes, timesUs } = flyScenario([event(step(7), "arm")], { physicsPeriodUs: 10_000, periodUs: 100_000 });
    expect(changes("requestArmed")).toEqual([[timesUs[7], 1]]);
    expect(timesUs[7]).toBe(70_000);
    expect(flyScenario([event(step(0), "arm")]).at("requestArmed", 0)).toEqual([1]);
  });

  it("[L4.2] have windows whose length is exact to the microsecond", () => {
    const gust = event(step(100), "gust", { velNedMps: [3, 0, 0] }, { forUs: 10_500 });
    expect(flyScenario([gust], { physicsPeriodUs: 1000 }).changes("windGustNed")).toEqual([
      [100_000, 3],
      [110_500, 0],
    ]);
  });
});

describe("conditions", () => {
  it("that hold at the start fire there", () => {
    expect(flyScenario([event(when("armed == 0"), "arm")]).at("requestArmed", 0)).toEqual([1]);
  });

  it("on held signals are evaluated at the scenario's period, or at every boundary if it has none", () => {
    const signals = (tUs: number) => ({ missionIndex: tUs >= 1_000_000 ? 2 : 1 });
    const atPeriod = flyScenario([event(when("missionItem == 2"), "rtl")], { signals, periodUs: 300_000 });
    expect(atPeriod.changes("requestMode")).toEqual([[1_200_000, 2]]);
    // The scenario reads the autopilot's signals of one boundary at the next boundary.
    const everywhere = flyScenario([event(when("missionItem == 2"), "rtl")], { signals });
    expect(everywhere.changes("requestMode")).toEqual([[1_100_000, 2]]);
  });

  it("react to a gust at the boundary after it", () => {
    const events = [event(when("windMps > 1"), "land"), event(at(200_000), "gust", { velNedMps: [2, 0, 0] })];
    // The wind sum runs after the scenario, so the gust acts at its own boundary, and conditions read it at the next.
    expect(flyScenario(events).changes("requestMode")).toEqual([[300_000, 4]]);
  });

  it("joined by `and` must all hold", () => {
    const signals = (tUs: number) => ({ missionIndex: tUs >= 500_000 ? 2 : 0, armed: tUs >= 900_000 ? 1 : 0 });
    expect(
      flyScenario([event(when("missionItem >= 2 and armed == 1"), "rtl")], { signals }).changes("requestMode"),
    ).toEqual([[1_000_000, 2]]);
  });

  it("are rejected if the state has no block for the value that they compare", () => {
    const layout = new StateLayout([scalarBlock("position", "m")]);
    const make = () => new Scenario({ events: [event(when("altitudeM > 1"), "arm")], layout, seed: 1, startUs: 0 });
    expect(codeOf(make)).toMatch(/^STATE-/);
  });
});

describe("[L8] located crossings", () => {
  // h(t) = 20 t − 4.905 t² passes 10 m upward at (20 − √(400 − 196.2)) / 9.81 s.
  const plant = thrown({ upMps: 20, gravity: 9.81 });
  const exactUs = 1e6 * ((20 - Math.sqrt(400 - 4 * 4.905 * 10)) / 9.81);

  it.each(["rk4", "rk23", "rk45"])("lie at the first whole microsecond at which the condition holds: %s", (method) => {
    const { changes, timesUs, states } = flyScenario([event(when("altitudeM > 10"), "hold")], {
      plant,
      method,
      autopilotPeriodUs: 250_000,
    });
    const [[firedUs]] = changes("requestMode") as [[number, number]];
    expect(Math.abs(firedUs - Math.ceil(exactUs))).toBeLessThanOrEqual(1);
    expect(timesUs).toContain(firedUs);
    expect(-states[timesUs.indexOf(firedUs)]![2]!).toBeGreaterThan(10);
  });

  it("are found between the ticks of a slow scenario", () => {
    const { changes } = flyScenario([event(when("altitudeM >= 10"), "hold")], {
      plant,
      periodUs: 1_000_000,
      autopilotPeriodUs: 500_000,
    });
    expect(Math.abs(changes("requestMode")[0]![0] - Math.ceil(exactUs))).toBeLessThanOrEqual(1);
  });

  it("of falling quantities are located too", () => {
    // The vertical speed passes −5 m/s at 25 / 9.81 s.
    const { changes } = flyScenario([event(when("climbMps < -5"), "rtl")], { plant });
    expect(Math.abs(changes("requestMode")[0]![0] - 25e6 / 9.81)).toBeLessThan(2);
  });

  it("distinguish > from >= if a whole microsecond meets the threshold exactly", () => {
    const at1 = (text: string) =>
      flyScenario([event(when(text), "hold")], {
        plant: thrown({ upMps: 0.5 }),
        autopilotPeriodUs: 2_000_000,
        endUs: 2_000_000,
        method: "euler",
      }).changes("requestMode")[0]![0];
    expect(at1("altitudeM >= 0.5")).toBe(1_000_000);
    expect(at1("altitudeM > 0.5")).toBe(1_000_001);
  });

  it("are not located any more after a one-shot event has fired", () => {
    const { changes, timesUs } = flyScenario([event(when("altitudeM > 0"), "arm")], {
      plant: bobbing(7),
      endUs: 6_000_000,
    });
    expect(changes("requestCount")).toHaveLength(0);
    expect(timesUs.every((tUs) => tUs % 100_000 === 0)).toBe(true);
  });

  it("repeat with hysteresis: once per oscillation, only after the value has left the margin", () => {
    // cos(ωt) crosses 0.5 upward once per period. It falls below 0.5 by more than 0.6 (below −0.1), but never by 1.6.
    const times = (hysteresis: number) =>
      flyScenario([event(when("altitudeM > 0.5", { hysteresis }), "arm", {}, { repeats: true })], {
        plant: bobbing(Math.PI),
        endUs: 9_000_000,
        physicsPeriodUs: 1000,
      })
        .changes("requestCount")
        .map(([tUs]) => tUs / 1e6);
    const expected = [5 / 3, 11 / 3, 17 / 3, 23 / 3];
    const found = times(0.6);
    expect(found).toHaveLength(expected.length);
    found.forEach((time, i) => expect(Math.abs(time - expected[i]!)).toBeLessThan(1e-5));
    expect(times(1.6)).toEqual([]);
  });

  it("do not chatter at a threshold that is never left", () => {
    const still: Plant = { ...thrown(), derivativesInto: (dx) => void dx.fill(0), initialInto: (x) => void x.fill(0) };
    const { changes, timesUs } = flyScenario([event(when("altitudeM > 0"), "arm", {}, { repeats: true })], {
      plant: still,
    });
    expect(changes("requestCount")).toEqual([]);
    expect(timesUs).toHaveLength(31);
  });
});

describe("equality", () => {
  it("re-arms as soon as it no longer holds, at any hysteresis", () => {
    const signals = (tUs: number) => ({ missionIndex: Math.floor(tUs / 500_000) % 2 });
    const { changes } = flyScenario(
      [event(when("missionItem == 1", { hysteresis: 0.5 }), "arm", {}, { repeats: true })],
      {
        signals,
      },
    );
    expect(changes("requestCount").map(([tUs]) => tUs)).toEqual([600_000, 1_600_000, 2_600_000]);
  });
});

describe("from", () => {
  it("[L8] is a boundary of its own, at which a condition that already holds fires", () => {
    const { changes, timesUs } = flyScenario([event(when("armed == 0", { fromUs: 1_234_567 }), "rtl")]);
    expect(changes("requestMode")).toEqual([[1_234_567, 2]]);
    expect(timesUs).toContain(1_234_567);
  });

  it("is the earliest time at which the time of `hold` can begin", () => {
    const held = event(when("armed == 0", { fromUs: 1_234_567, holdUs: 400_000 }), "rtl");
    expect(flyScenario([held]).changes("requestMode")).toEqual([[1_634_567, 2]]);
  });

  it("is the time from which crossings are located", () => {
    // cos(πt) crosses 0.5 upward at 5/3, 11/3, 17/3 … seconds.
    const crossing = (fromUs: number) =>
      flyScenario([event(when("altitudeM > 0.5", { fromUs }), "arm")], {
        plant: bobbing(Math.PI),
        endUs: 9_000_000,
        physicsPeriodUs: 1000,
        periodUs: 100_000,
      });
    const late = crossing(2_500_000);
    expect(Math.abs(late.changes("requestCount")[0]![0] - 11e6 / 3)).toBeLessThan(10);
    expect(late.timesUs.filter((tUs) => tUs < 2_500_000 && tUs % 1000 !== 0)).toEqual([]);
    // The condition holds at that time, so the event fires then, without a crossing.
    expect(crossing(2_000_000).changes("requestCount")).toEqual([[2_000_000, 1]]);
  });

  it.each(["rk4", "rk45"])("[L8.10] does not change the flight before it: %s", (method) => {
    const options = { plant: bobbing(7), method, periodUs: 30_000, autopilotPeriodUs: 70_000 };
    const others = [event(at(400_000), "gust", { velNedMps: [1, 0, 0] }, { forUs: 77_777 })];
    const without = build(others, options);
    const added = [
      event(when("altitudeM > 0.2", { fromUs: 1_500_001 }), "land"),
      event(at(1_600_000), "gust", { velNedMps: [1, 0, 0], shape: "one-minus-cosine" }, { forUs: 100_000 }),
      event(at(1_600_000), "motorNoise", { motor: 1, sigma: 0.1 }),
    ];
    const withThem = build([...others, ...added], options);
    for (const { flight } of [without, withThem]) for (const _ of flightLoop(flight));
    const before = ({ rows }: typeof without) => rows.filter(({ tUs }) => tUs < 1_500_001);
    expect(before(withThem)).toEqual(before(without));
    expect(before(without).length).toBeGreaterThan(20);
    expect(withThem.rows).not.toEqual(without.rows);
  });

  it("the scenario's periodic ticks begin at the first `from`, at multiples of the period since the start", () => {
    const { axis } = build([event(when("armed == 1", { fromUs: 100_001 }), "rtl")], { periodUs: 30_000 }).scenario;
    expect(partsOf(axis)).toEqual([listedAxis([0, 100_001]), periodicAxis({ startUs: 120_000, periodUs: 30_000 })]);
  });

  it("continues with the same crossings from a checkpoint before or after it", () => {
    const events = [event(when("altitudeM > 0.5", { fromUs: 2_500_000 }), "arm", {}, { repeats: true })];
    const options = { plant: bobbing(Math.PI), endUs: 6_000_000, physicsPeriodUs: 10_000, periodUs: 300_000 };
    const whole = build(events, options);
    const marks = [1_640_000, 2_490_000, 2_700_000, 3_660_000];
    const saved: Snapshot[] = [];
    const markUs = Float64Array.of(marks[0]!);
    for (const pause of flightLoop(whole.flight, { markUs })) {
      if (pause !== "mark") continue;
      saved.push(whole.flight.save());
      markUs[0] = marks[saved.length] ?? Infinity;
    }
    expect(saved).toHaveLength(marks.length);
    saved.forEach((snapshot, i) => {
      const again = build(events, options);
      again.flight.load(snapshot);
      for (const _ of flightLoop(again.flight));
      expect(again.rows).toEqual(whole.rows.filter(({ tUs }) => tUs >= marks[i]!));
    });
  });
});

describe("hold, after and snap", () => {
  it("hold: the condition must have held that long, to the microsecond", () => {
    const { changes, timesUs } = flyScenario([event(when("altitudeM > 1", { holdUs: 333_333 }), "rtl")]);
    expect(changes("requestMode")).toEqual([[1_000_001 + 333_333, 2]]);
    expect(timesUs).toContain(1_333_334);
  });

  it("hold: starts again after the condition was false", () => {
    const signals = (tUs: number) => ({ armed: (tUs >= 500_000 && tUs < 800_000) || tUs >= 1_200_000 ? 1 : 0 });
    const { changes } = flyScenario([event(when("armed == 1", { holdUs: 400_000 }), "rtl")], { signals });
    expect(changes("requestMode")).toEqual([[1_700_000, 2]]);
  });

  it("after: the action follows a fixed time later, whether or not the condition still holds", () => {
    const signals = (tUs: number) => ({ armed: tUs === 500_000 ? 1 : 0 });
    const { changes, timesUs } = flyScenario([event(when("armed == 1", { afterUs: 777_777 }), "rtl")], { signals });
    expect(changes("requestMode")).toEqual([[600_000 + 777_777, 2]]);
    expect(timesUs).toContain(1_377_777);
  });

  it("snap: the action follows at the first multiple of `snap` that is not earlier", () => {
    expect(flyScenario([event(when("altitudeM > 1", { snapUs: 4000 }), "rtl")]).changes("requestMode")).toEqual([
      [1_004_000, 2],
    ]);
    const exact = flyScenario([event(when("altitudeM >= 1", { snapUs: 4000 }), "rtl")], {
      autopilotPeriodUs: 2_000_000,
      endUs: 2_000_000,
      method: "euler",
    });
    expect(exact.changes("requestMode")).toEqual([[1_000_000, 2]]);
  });

  it("[L8] windows that a condition opens insert a boundary at their end", () => {
    const { changes, timesUs } = flyScenario(
      [event(when("altitudeM > 1"), "gust", { velNedMps: [0, 2, 0] }, { forUs: 12_345 })],
      { autopilotPeriodUs: 1_000_000 },
    );
    expect(changes("windGustNed").map(([tUs]) => tUs)).toEqual([1_000_001, 1_012_346]);
    expect(timesUs).toContain(1_012_346);
  });
});
