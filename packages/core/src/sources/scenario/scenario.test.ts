/** The scenario flown in the engine: every trigger, window, order and located crossing, against what can be worked out by hand. */
import { describe, expect, it } from "vitest";
import { checkParams, type Complaint } from "../../params/index.ts";
import { type Block, StateLayout } from "../../state/index.ts";
import { type Dims, type Flight, fly, type Plant, type SignalName } from "../../engine/index.ts";
import { codeOf, flightOf, integrator, scalarBlock, source, watcher } from "../../../../../tests/support/flights.ts";
import { ACTIONS, type ActionName } from "./actions.ts";
import { parseCondition, type Condition } from "./condition.ts";
import type { ConditionTrigger, ScenarioEvent } from "./event.ts";
import { Scenario } from "./scenario.ts";

const DIMS: Dims = { rotors: 4, batteries: 2, buses: 1 };
const vectorBlock = (name: string, unit: string): Block => ({ ...scalarBlock(name, unit), size: 3 });

/** A point in free fall from a height, thrown upward: altitude h(t) = h0 + v·t − a·t²/2. */
function thrown({
  height = 0,
  upMps = 1,
  gravity = 0,
}: { height?: number; upMps?: number; gravity?: number } = {}): Plant {
  return {
    layout: new StateLayout([vectorBlock("posNed", "m"), vectorBlock("velNed", "m/s")]),
    initialInto: (x) => x.set([0, 0, -height, 0, 0, -upMps]),
    derivativesInto(dx, _timeS, x) {
      dx.set(x.subarray(3, 6));
      dx.set([0, 0, gravity], 3);
    },
  };
}

/** Altitude is cos(ωt). */
function bobbing(omega: number): Plant {
  return {
    ...thrown(),
    initialInto: (x) => x.set([0, 0, -1, 0, 0, 0]),
    derivativesInto(dx, _timeS, x) {
      dx.set(x.subarray(3, 6));
      dx.set([0, 0, -omega * omega * x[2]!], 3);
    },
  };
}

interface EventOptions {
  readonly forUs?: number;
  readonly repeats?: boolean;
}

function event(
  trigger: ScenarioEvent["trigger"],
  action: ActionName,
  given: Record<string, unknown> = {},
  options: EventOptions = {},
): ScenarioEvent {
  const complaints: Complaint[] = [];
  const { bit, ...rest } = given;
  const params = checkParams(ACTIONS[action].params, rest, complaints);
  expect(complaints).toEqual([]);
  return {
    trigger,
    repeats: false,
    action,
    params: (bit === undefined ? params : { ...params, bit }) as ScenarioEvent["params"],
    ...options,
  };
}

const at = (tUs: number) => ({ at: "time", tUs }) as const;
const step = (boundary: number) => ({ at: "step", boundary }) as const;
const when = (text: string, more: Partial<ConditionTrigger> = {}): ConditionTrigger => ({
  at: "condition",
  condition: parseCondition(text) as Condition,
  holdUs: 0,
  hysteresis: 0,
  afterUs: 0,
  snapUs: 0,
  ...more,
});

interface FlyOptions {
  readonly plant?: Plant;
  readonly endUs?: number;
  readonly periodUs?: number;
  readonly physicsPeriodUs?: number;
  readonly method?: string;
  readonly seed?: number;
  /** Signals written by others, as functions of the time. */
  readonly signals?: (tUs: number) => Partial<Record<"missionIndex" | "armed", number>>;
  readonly autopilotPeriodUs?: number;
}

function build(events: readonly ScenarioEvent[], options: FlyOptions = {}) {
  const {
    plant = thrown(),
    endUs = 3_000_000,
    physicsPeriodUs,
    method = "rk4",
    seed = 1,
    signals,
    autopilotPeriodUs = 100_000,
  } = options;
  const scenario = new Scenario({
    events,
    layout: plant.layout,
    seed,
    startUs: 0,
    ...(options.periodUs === undefined ? {} : { periodUs: options.periodUs }),
  });
  const rows: { tUs: number; bus: Float64Array; x: Float64Array }[] = [];
  const flight: Flight = flightOf({
    endUs,
    dims: DIMS,
    plant,
    scenario,
    integrator: integrator(method),
    autopilot: source("autopilot", autopilotPeriodUs, (clock, bus) => {
      const said = signals?.(clock.us) ?? {};
      bus.missionIndex[0] = said.missionIndex ?? 0;
      bus.armed[0] = said.armed ?? 0;
    }),
    ...(physicsPeriodUs === undefined ? {} : { physicsPeriodUs }),
    observers: [
      watcher(({ frame, bus, stateSize }) =>
        rows.push({ tUs: frame[0]!, bus: bus.slice(), x: frame.slice(1, 1 + stateSize) }),
      ),
    ],
  });
  return { flight, rows, scenario };
}

/** Flies and gives, by signal, the value at each boundary. */
function flown(events: readonly ScenarioEvent[], options: FlyOptions = {}) {
  const { flight, rows } = build(events, options);
  const loop = fly(flight);
  let end = loop.next();
  while (end.done !== true) end = loop.next();
  const read = (name: SignalName, row: (typeof rows)[number]) => {
    const { offset, size } = flight.bus.layout.find(name);
    return Array.from(row.bus.subarray(offset, offset + size));
  };
  return {
    end: end.value,
    timesUs: rows.map(({ tUs }) => tUs),
    states: rows.map(({ x }) => x),
    /** The value in force at a time. */
    at: (name: SignalName, tUs: number) => read(name, rows.filter((row) => row.tUs <= tUs).at(-1)!),
    /** Times at which a signal changed, with its first component. */
    changes: (name: SignalName) => {
      const changes: [number, number][] = [];
      let before: string | undefined;
      for (const row of rows) {
        const value = read(name, row);
        if (before !== undefined && String(value) !== before) changes.push([row.tUs, value[0]!]);
        before = String(value);
      }
      return changes;
    },
  };
}

describe("events at a time", () => {
  it("[L8] are boundaries of their own, whatever the autopilot's cadence", () => {
    const { timesUs, changes } = flown([event(at(123_457), "arm")]);
    expect(timesUs).toContain(123_457);
    expect(changes("requestArmed")).toEqual([[123_457, 1]]);
  });

  it("[L4] have half-open windows: on from their start, off at their end", () => {
    const { changes, timesUs } = flown([event(at(250_000), "gust", { velNedMps: [3, 0, 0] }, { forUs: 30_001 })]);
    expect(changes("windGustNed")).toEqual([
      [250_000, 3],
      [280_001, 0],
    ]);
    expect(timesUs).toEqual(expect.arrayContaining([250_000, 280_001]));
  });

  it("act at equal times in the order in which they are listed", () => {
    const { at: value, changes } = flown([
      event(at(500_000), "rtl"),
      event(at(500_000), "land"),
      event(at(500_000), "hold"),
    ]);
    expect(changes("requestMode")).toEqual([[500_000, 3]]);
    expect(value("requestCount", 500_000)).toEqual([3]);
  });

  it("act in the order of their times, not of the list", () => {
    const { changes } = flown([event(at(600_000), "land"), event(at(500_000), "rtl")]);
    expect(changes("requestMode")).toEqual([
      [500_000, 2],
      [600_000, 4],
    ]);
  });

  it("before the start act at the start, at the end still act, after it never", () => {
    const early = flown([event(at(0), "arm")]);
    expect(early.at("requestArmed", 0)).toEqual([1]);
    const late = flown([event(at(3_000_000), "arm"), event(at(3_000_001), "land")]);
    expect([late.at("requestArmed", 3_000_000), late.at("requestMode", 3_000_000)]).toEqual([[1], [0]]);
  });

  it("fire once", () => {
    expect(flown([event(at(500_000), "arm"), event(at(700_000), "disarm")]).changes("requestCount")).toEqual([
      [500_000, 1],
      [700_000, 2],
    ]);
  });
});

describe("events at a step", () => {
  it("fire at the boundary of that number, counted over every boundary", () => {
    const { changes, timesUs } = flown([event(step(7), "arm")], { physicsPeriodUs: 10_000, periodUs: 100_000 });
    expect(changes("requestArmed")).toEqual([[timesUs[7], 1]]);
    expect(timesUs[7]).toBe(70_000);
    expect(flown([event(step(0), "arm")]).at("requestArmed", 0)).toEqual([1]);
  });
});

describe("conditions", () => {
  it("that hold at the start fire there", () => {
    expect(flown([event(when("armed == 0"), "arm")]).at("requestArmed", 0)).toEqual([1]);
  });

  it("on held signals are looked at with their period, at every boundary without one", () => {
    const signals = (tUs: number) => ({ missionIndex: tUs >= 1_000_000 ? 2 : 1 });
    const atPeriod = flown([event(when("missionItem == 2"), "rtl")], { signals, periodUs: 300_000 });
    expect(atPeriod.changes("requestMode")).toEqual([[1_200_000, 2]]);
    // What the autopilot says at a boundary, the scenario sees at the next one.
    const everywhere = flown([event(when("missionItem == 2"), "rtl")], { signals });
    expect(everywhere.changes("requestMode")).toEqual([[1_100_000, 2]]);
  });

  it("see what came before them at the same boundary", () => {
    const events = [event(when("windMps > 1"), "land"), event(at(200_000), "gust", { velNedMps: [2, 0, 0] })];
    // The wind is summed after the scenario spoke, so the gust is felt from its boundary on and seen at the next.
    expect(flown(events).changes("requestMode")).toEqual([[300_000, 4]]);
  });

  it("joined by `and` must all hold", () => {
    const signals = (tUs: number) => ({ missionIndex: tUs >= 500_000 ? 2 : 0, armed: tUs >= 900_000 ? 1 : 0 });
    expect(flown([event(when("missionItem >= 2 and armed == 1"), "rtl")], { signals }).changes("requestMode")).toEqual([
      [1_000_000, 2],
    ]);
  });

  it("need the state they compare", () => {
    const layout = new StateLayout([scalarBlock("position", "m")]);
    const make = () => new Scenario({ events: [event(when("altitudeM > 1"), "arm")], layout, seed: 1, startUs: 0 });
    expect(codeOf(make)).toMatch(/^STATE-/);
  });
});

describe("[L8] located crossings", () => {
  // h(t) = 20 t − 4.905 t²: 10 m is passed upward at (20 − √(400 − 196.2)) / 9.81 s.
  const plant = thrown({ upMps: 20, gravity: 9.81 });
  const exactUs = 1e6 * ((20 - Math.sqrt(400 - 4 * 4.905 * 10)) / 9.81);

  it.each(["rk4", "rk23", "rk45"])("lie at the first whole microsecond at which the condition holds: %s", (method) => {
    const { changes, timesUs, states } = flown([event(when("altitudeM > 10"), "hold")], {
      plant,
      method,
      autopilotPeriodUs: 250_000,
    });
    const [[firedUs]] = changes("requestMode") as [[number, number]];
    expect(Math.abs(firedUs - Math.ceil(exactUs))).toBeLessThanOrEqual(1);
    expect(timesUs).toContain(firedUs);
    expect(-states[timesUs.indexOf(firedUs)]![2]!).toBeGreaterThan(10);
  });

  it("fall between the looks of a slow scenario", () => {
    const { changes } = flown([event(when("altitudeM >= 10"), "hold")], {
      plant,
      periodUs: 1_000_000,
      autopilotPeriodUs: 500_000,
    });
    expect(Math.abs(changes("requestMode")[0]![0] - Math.ceil(exactUs))).toBeLessThanOrEqual(1);
  });

  it("downward are located too", () => {
    // −5 m/s is passed at 25 / 9.81 s.
    const { changes } = flown([event(when("climbMps < -5"), "rtl")], { plant });
    expect(Math.abs(changes("requestMode")[0]![0] - 25e6 / 9.81)).toBeLessThan(2);
  });

  it("tell > from >= where a whole microsecond meets the threshold exactly", () => {
    const at1 = (text: string) =>
      flown([event(when(text), "hold")], {
        plant: thrown({ upMps: 0.5 }),
        autopilotPeriodUs: 2_000_000,
        endUs: 2_000_000,
        method: "euler",
      }).changes("requestMode")[0]![0];
    expect(at1("altitudeM >= 0.5")).toBe(1_000_000);
    expect(at1("altitudeM > 0.5")).toBe(1_000_001);
  });

  it("are not repeated while a one-shot event has fired", () => {
    const { changes, timesUs } = flown([event(when("altitudeM > 0"), "arm")], { plant: bobbing(7), endUs: 6_000_000 });
    expect(changes("requestCount")).toHaveLength(0);
    expect(timesUs.every((tUs) => tUs % 100_000 === 0)).toBe(true);
  });

  it("repeat with their hysteresis: once a period, and only after the margin was left", () => {
    // cos(ωt) crosses 0.5 upward once a period; a margin of 0.6 is left (below −0.1), one of 1.6 never is.
    const times = (hysteresis: number) =>
      flown([event(when("altitudeM > 0.5", { hysteresis }), "arm", {}, { repeats: true })], {
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

  it("at a threshold that is never left do not chatter", () => {
    const still: Plant = { ...thrown(), derivativesInto: (dx) => void dx.fill(0), initialInto: (x) => void x.fill(0) };
    const { changes, timesUs } = flown([event(when("altitudeM > 0"), "arm", {}, { repeats: true })], { plant: still });
    expect(changes("requestCount")).toEqual([]);
    expect(timesUs).toHaveLength(31);
  });
});

describe("equality", () => {
  it("re-arms once it was left, whatever the margin", () => {
    const signals = (tUs: number) => ({ missionIndex: Math.floor(tUs / 500_000) % 2 });
    const { changes } = flown([event(when("missionItem == 1", { hysteresis: 0.5 }), "arm", {}, { repeats: true })], {
      signals,
    });
    expect(changes("requestCount").map(([tUs]) => tUs)).toEqual([600_000, 1_600_000, 2_600_000]);
  });
});

describe("hold, after and snap", () => {
  it("hold: the condition must have held that long, to the microsecond", () => {
    const { changes, timesUs } = flown([event(when("altitudeM > 1", { holdUs: 333_333 }), "rtl")]);
    expect(changes("requestMode")).toEqual([[1_000_001 + 333_333, 2]]);
    expect(timesUs).toContain(1_333_334);
  });

  it("hold: begins again when the condition was left", () => {
    const signals = (tUs: number) => ({ armed: (tUs >= 500_000 && tUs < 800_000) || tUs >= 1_200_000 ? 1 : 0 });
    const { changes } = flown([event(when("armed == 1", { holdUs: 400_000 }), "rtl")], { signals });
    expect(changes("requestMode")).toEqual([[1_700_000, 2]]);
  });

  it("after: a fixed time later, whether or not the condition still holds", () => {
    const signals = (tUs: number) => ({ armed: tUs === 500_000 ? 1 : 0 });
    const { changes, timesUs } = flown([event(when("armed == 1", { afterUs: 777_777 }), "rtl")], { signals });
    expect(changes("requestMode")).toEqual([[600_000 + 777_777, 2]]);
    expect(timesUs).toContain(1_377_777);
  });

  it("snap: at the next tick", () => {
    expect(flown([event(when("altitudeM > 1", { snapUs: 4000 }), "rtl")]).changes("requestMode")).toEqual([
      [1_004_000, 2],
    ]);
    const exact = flown([event(when("altitudeM >= 1", { snapUs: 4000 }), "rtl")], {
      autopilotPeriodUs: 2_000_000,
      endUs: 2_000_000,
      method: "euler",
    });
    expect(exact.changes("requestMode")).toEqual([[1_000_000, 2]]);
  });

  it("[L8] windows that open while flying insert the boundary of their end", () => {
    const { changes, timesUs } = flown(
      [event(when("altitudeM > 1"), "gust", { velNedMps: [0, 2, 0] }, { forUs: 12_345 })],
      { autopilotPeriodUs: 1_000_000 },
    );
    expect(changes("windGustNed").map(([tUs]) => tUs)).toEqual([1_000_001, 1_012_346]);
    expect(timesUs).toContain(1_012_346);
  });
});

describe("effects", () => {
  it("overlapping gusts add, and none takes another's end", () => {
    const events = [
      event(at(100_000), "gust", { velNedMps: [1, 0, 0] }, { forUs: 300_000 }),
      event(at(200_000), "gust", { velNedMps: [0, 2, 0.5] }, { forUs: 400_000 }),
      event(at(300_000), "windMean", { velNedMps: [0.25, 0, 0] }),
    ];
    const { at: value } = flown(events);
    expect(value("windGustNed", 150_000)).toEqual([1, 0, 0]);
    expect(value("windGustNed", 250_000)).toEqual([1, 2, 0.5]);
    expect(value("windGustNed", 350_000)).toEqual([1.25, 2, 0.5]);
    expect(value("windGustNed", 450_000)).toEqual([0.25, 2, 0.5]);
    expect(value("windGustNed", 650_000)).toEqual([0.25, 0, 0]);
  });

  it("[L5] gusts reach the wind at once, also between wind ticks", () => {
    const { at: value } = flown([event(at(123_456), "gust", { velNedMps: [3, 0, 0] })]);
    expect(value("windNed", 123_455)).toEqual([0, 0, 0]);
    expect(value("windNed", 123_456)).toEqual([3, 0, 0]);
  });

  it("one minus cosine rises to its peak in the middle and falls back, with no condition to keep the scenario awake", () => {
    const events = [
      event(at(1_000_000), "gust", { velNedMps: [8, 0, 0], shape: "one-minus-cosine" }, { forUs: 1_000_000 }),
    ];
    const { at: value } = flown(events, { periodUs: 10_000 });
    for (const share of [0, 0.25, 0.5, 0.75]) {
      expect(value("windGustNed", 1_000_000 + share * 1e6)[0]!).toBeCloseTo(
        4 * (1 - Math.cos(2 * Math.PI * share)),
        12,
      );
    }
    expect(value("windGustNed", 2_000_000)).toEqual([0, 0, 0]);
  });

  it("every kind of motor fault sets its signals, and health returns with the window's end or by a word", () => {
    const { at: value } = flown([
      event(at(100_000), "motorOff", { motor: 1 }, { forUs: 100_000 }),
      event(at(100_000), "motorLoss", { motor: 2, gain: 0.25 }),
      event(at(100_000), "motorStuck", { motor: 3, duty: 0.7 }),
      event(at(100_000), "motorJam", { motor: 4 }),
      event(at(300_000), "motorOn", { motor: 3 }),
    ]);
    expect(value("motorGain", 100_000)).toEqual([0, 0.25, 0, 1]);
    expect(value("motorOffset", 100_000)).toEqual([0, 0, 0.7, 0]);
    expect(value("motorJam", 100_000)).toEqual([0, 0, 0, 1]);
    expect(value("motorGain", 200_000)).toEqual([1, 0.25, 0, 1]);
    expect([value("motorGain", 300_000), value("motorOffset", 300_000)]).toEqual([
      [1, 0.25, 1, 1],
      [0, 0, 0, 0],
    ]);
  });

  it("of two words about one motor the later counts, wherever it is listed", () => {
    const { at: value } = flown([
      event(at(500_000), "motorOff", { motor: 2 }),
      event(at(300_000), "motorOn", { motor: 2 }),
      event(at(200_000), "motorLoss", { motor: 2, gain: 0.5 }),
    ]);
    expect([250_000, 350_000, 550_000].map((tUs) => value("motorGain", tUs)[1])).toEqual([0.5, 1, 0]);
  });

  it("batteries are cut off singly or all, and come back", () => {
    const { at: value } = flown([
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
    const { at: value } = flown([
      event(at(100_000), "sensorFault", { sensor: "baro", fault: "drift", level: 0.5 }, { forUs: 50_000 }),
    ]);
    expect(value("sensorFaultKind", 100_000)).toEqual([0, 0, 0, 3, 0, 0, 0, 0]);
    expect(value("sensorFaultLevel", 100_000)).toEqual([0, 0, 0, 0.5, 0, 0, 0, 0]);
    expect(value("sensorFaultKind", 150_000)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it("parameter changes set their bit once and for good", () => {
    const { changes } = flown([
      event(at(300_000), "parameter", { name: "A", value: 1, bit: 1 }),
      event(at(200_000), "parameter", { name: "B", value: 2, bit: 2 }),
    ]);
    expect(changes("parameterChanges")).toEqual([
      [200_000, 2],
      [300_000, 3],
    ]);
  });

  it("motor noise has its deviation, and other dice for other events and seeds", () => {
    const noise = (motor: number) => event(at(0), "motorNoise", { motor, sigma: 0.1 });
    const samples = (seed: number, motor: number, events: readonly ScenarioEvent[]) => {
      const run = flown(events, { periodUs: 1000, seed });
      return run.timesUs.slice(0, 3000).map((tUs) => run.at("motorOffset", tUs)[motor - 1]!);
    };
    const alone = samples(1, 2, [noise(2)]);
    const deviation = Math.sqrt(alone.reduce((sum, value) => sum + value * value, 0) / alone.length);
    // The deviation of a sample deviation over n draws is σ/√(2n): four of them are 0.0052.
    expect(Math.abs(deviation - 0.1)).toBeLessThan(0.0052);
    expect(samples(2, 2, [noise(2)])).not.toEqual(alone);
    // Another event behind it changes nothing of this one.
    expect(samples(1, 2, [noise(2), noise(3)])).toEqual(alone);
  });
});

describe("stop", () => {
  it("[L7] ends the flight at its boundary; the first word counts", () => {
    const { end, timesUs } = flown([
      event(when("altitudeM > 1"), "stop", { outcome: "crashed" }),
      event(at(1_000_001), "stop"),
      event(at(2_000_000), "stop"),
    ]);
    expect([end.endUs, end.stop]).toEqual([1_000_001, 2]);
    expect(timesUs.at(-1)).toBe(1_000_001);
  });
});

describe("save → load → continue", () => {
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

  it("gives the same bits from any boundary on", () => {
    const whole = build(events, options);
    const atUs = [0, 405_000, 1_000_000, 1_640_000, 1_700_000, 2_340_000];
    const snapshots = new Map<number, ReturnType<Flight["save"]>>();
    const loop = fly(whole.flight, { isMarked: (tUs) => atUs.includes(tUs) });
    for (let pause = loop.next(); pause.done !== true; pause = loop.next()) {
      if (pause.value === "mark") snapshots.set(whole.flight.schedule.nowUs, whole.flight.save());
    }
    expect([...snapshots.keys()]).toEqual(atUs);
    for (const [tUs, snapshot] of snapshots) {
      const again = build(events, options);
      again.flight.load(snapshot);
      const rest = fly(again.flight);
      while (rest.next().done !== true);
      expect(again.rows).toEqual(whole.rows.filter((row) => row.tUs >= tUs));
    }
  });
});
