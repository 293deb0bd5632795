/**
 * Tests recording and replay: the streams, the errors, and replays that reproduce the same bits with any stage live.
 */
import { describe, expect, it } from "vitest";
import {
  cart,
  codeOf,
  commandCart,
  DIMS,
  flightOf,
  flyRecorded,
  integrator,
  motor,
  noMemory,
  scenario,
  source,
  springCart,
  windCart,
} from "../../../../tests/support/flights.ts";
import { dueNames, flightLoop, flyNow, type FlightParts, type Plant, type ScenarioSource } from "../engine/index.ts";
import { integratorKinds } from "../integrate/index.ts";
import { RandomStream } from "../random/index.ts";
import { listedAxis } from "../time/index.ts";
import {
  checkRecording,
  findStream,
  Fingerprint,
  Recorder,
  type Recording,
  replayParts,
  sampleExactInto,
  sampleHoldInto,
} from "./index.ts";

const kinds = integratorKinds.map(({ name }) => name);

describe("streams", () => {
  it("[L9.6] have a row whenever the bits of their signal change, from the first time its writer ran", () => {
    const { recording } = flyRecorded({
      endUs: 100_000,
      plant: commandCart(),
      autopilot: motor(10_000, (tUs) => (tUs < 50_000 ? 0 : 1)),
      wind: source("wind", 20_000, (_clock, bus) => void (bus.windBaseNed[1] = 3)),
      logPeriodUs: 50_000,
    });
    const motors = findStream(recording, "motorCommand");
    expect([...motors.timesUs]).toEqual([0, 50_000]);
    expect([motors.values[0], motors.values[12]]).toEqual([0, 1]);
    expect([...findStream(recording, "windBaseNed").timesUs]).toEqual([0]);
    expect([...findStream(recording, "state").timesUs]).toEqual([0, 50_000, 100_000]);
    expect(findStream(recording, "estPosNed").timesUs).toHaveLength(0);
  });

  it("[L9.3] a change from 0 to -0 is a change", () => {
    const { recording } = flyRecorded({
      endUs: 40_000,
      plant: commandCart(),
      autopilot: motor(10_000, (tUs) => (tUs < 20_000 ? 0 : -0)),
    });
    const motors = findStream(recording, "motorCommand");
    expect([...motors.timesUs]).toEqual([0, 20_000]);
    expect(Object.is(motors.values[12], -0)).toBe(true);
  });

  it("[L5.2] hold base and gust separately, and not their sum", () => {
    const { recording } = flyRecorded({
      endUs: 10,
      plant: windCart(),
      scenario: scenario(10, () => {}),
      wind: source("wind", 10, () => {}),
    });
    expect(recording.streams.map(({ name }) => name)).toEqual(expect.arrayContaining(["windBaseNed", "windGustNed"]));
    expect(codeOf(() => findStream(recording, "windNed"))).toBe("RECORD-003");
  });

  it("[L9.6] hold every boundary with the stages that were due, and mark inserted ones", () => {
    let insert: (tUs: number) => void = () => {};
    const { recording } = flyRecorded({
      endUs: 20,
      plant: commandCart(),
      scenario: scenario(100, (clock) => void (clock.us === 0 && insert(7)), {
        connect: (given) => void (insert = given),
      }),
      autopilot: motor(10, () => 0),
      physicsPeriodUs: 5,
    });
    const { timesUs, due } = recording.boundaries;
    expect([...timesUs].map((tUs, i) => [tUs, dueNames(due[i]!).join(" ")])).toEqual([
      [0, "scenario autopilot physics"],
      [5, "physics"],
      [7, "scenario inserted"],
      [10, "autopilot physics"],
      [15, "physics"],
      [20, "autopilot log physics"],
    ]);
  });

  it("are sampled exactly or held, and throw for times before their start", () => {
    const stream = { name: "s", size: 2, timesUs: Float64Array.of(10, 20), values: Float64Array.of(1, 2, 3, 4) };
    const out = new Float64Array(2);
    const hold = (tUs: number) => (sampleHoldInto(out, stream, tUs), [...out]);
    expect([hold(10), hold(19), hold(20), hold(999)]).toEqual([
      [1, 2],
      [1, 2],
      [3, 4],
      [3, 4],
    ]);
    sampleExactInto(out, stream, 20);
    expect([...out]).toEqual([3, 4]);
    expect(codeOf(() => sampleHoldInto(out, stream, 9))).toBe("RECORD-004");
    expect(codeOf(() => sampleExactInto(out, stream, 15))).toBe("RECORD-005");
    expect(() => sampleHoldInto(out, stream, 9)).toThrow('stream "s" starts at 10 µs and has no value at 9 µs');
  });
});

/** Makes a flight in which every source writes, some of them from random streams. */
function fullFlight(): Omit<FlightParts, "integrator"> & { scenario: ScenarioSource } {
  const random = {
    wind: new RandomStream(1, "wind"),
    estimator: new RandomStream(1, "estimator"),
    imu: new RandomStream(1, "imu"),
  };
  let insert: (tUs: number) => void = () => {};
  const plant: Plant = {
    ...springCart(),
    outputsInto: (y, _timeS, x, u) => void (y.accNed[0] = x[0]! + u[0]!),
    jump: (x, u) => void (x[1] = Math.max(x[1]!, -4 + u[0]!)),
    project: (x) => (x[0]! > 0.95 ? ((x[0] = 0.95), 1) : 0),
  };
  const events: ScenarioSource = {
    ...scenario("every", (clock, bus) => {
      const x = bus.truth.whole()[0]!;
      bus.windGustNed[0] = x < -0.2 ? 2 : 0;
      bus.requestMode[0] = clock.us >= 95_500 ? 1 : 0;
      if (clock.us === 50_000) insert(61_803);
    }),
    axis: listedAxis([35_000, 50_000, 95_500]),
    eventFunctions: { crossingCount: 1, armed: [1], crossingsInto: (g, _timeS, x) => void (g[0] = -0.2 - x[0]!) },
    connect: (given) => void (insert = given),
  };
  return {
    endUs: 900_000,
    plant,
    scenario: events,
    wind: source("wind", 20_000, (_clock, bus) => void (bus.windBaseNed[0] = random.wind.gaussian())),
    sensors: [
      source("imu", 10_000, (_clock, bus) => void (bus.gyroRateBody[0] = bus.accNed[0]! + 0.1 * random.imu.gaussian())),
    ],
    estimator: source("estimator", 5_000, (_clock, bus) => {
      bus.estPosNed[0] = bus.truth.whole()[0]! + bus.gyroRateBody[0]! + 0.01 * random.estimator.gaussian();
    }),
    autopilot: source("autopilot", 5_000, (_clock, bus) => {
      bus.motorCommand[0] = Math.min(1, Math.max(0, 0.5 - bus.estPosNed[0]! + bus.requestMode[0]!));
    }),
    logPeriodUs: 30_000,
  };
}

describe("replay", () => {
  it.each(kinds)("[L9.6] of everything reproduces the plant digest under %s", (kind) => {
    const live = flyRecorded({ ...fullFlight(), integrator: integrator(kind) });
    checkRecording(live.recording);
    expect(live.recording.boundaries.due.some((due) => dueNames(due).includes("inserted"))).toBe(true);
    const { plant } = fullFlight();
    const replayed = flyRecorded({ plant, ...replayParts(live.recording, plant.layout), integrator: integrator(kind) });
    expect(replayed.fingerprint.text()).toBe(live.fingerprint.text());
    expect(replayed.recording.boundaries).toEqual(live.recording.boundaries);
    expect(replayed.recording.streams).toEqual(live.recording.streams);
    expect(replayed.recording.logged).toEqual(live.recording.logged);
    expect(replayed.recording.digests).toEqual(live.recording.digests);
  });

  it.each(["scenario", "wind", "sensors", "estimator", "autopilot"] as const)(
    "[L9.6] with the %s live and the rest replayed reproduces every digest",
    (stage) => {
      const live = flyRecorded({ ...fullFlight(), integrator: integrator("rk45") });
      const again = fullFlight();
      const parts = replayParts(live.recording, again.plant.layout, { live: { [stage]: again[stage] } });
      const replayed = flyRecorded({ plant: again.plant, ...parts, integrator: integrator("rk45") });
      expect(replayed.recording.digests).toEqual(live.recording.digests);
      expect(replayed.recording.boundaries).toEqual(live.recording.boundaries);
    },
  );

  it.each(["scenario", "wind", "sensors", "estimator", "autopilot"] as const)(
    "[L9.6] with only the %s replayed reproduces every digest",
    (stage) => {
      const live = flyRecorded({ ...fullFlight(), integrator: integrator("rk4") });
      const { plant, scenario: events, wind, sensors, estimator, autopilot } = fullFlight();
      const running = { scenario: events, wind, sensors, estimator, autopilot, [stage]: undefined };
      const parts = replayParts(live.recording, plant.layout, { live: running as never });
      const replayed = flyRecorded({ plant, ...parts, integrator: integrator("rk4") });
      expect(replayed.recording.digests).toEqual(live.recording.digests);
    },
  );

  it("[L9.4] with a different wind has different digests of plant and wind, which show where the difference began", () => {
    const live = flyRecorded({ ...fullFlight(), integrator: integrator("rk4") });
    const { plant } = fullFlight();
    const other = source("wind", 20_000, (_clock, bus) => void (bus.windBaseNed[0] = 1));
    const replayed = flyRecorded({
      plant,
      ...replayParts(live.recording, plant.layout, { live: { wind: other } }),
      integrator: integrator("rk4"),
    });
    const [before, after] = [live.recording.digests, replayed.recording.digests];
    expect(after.plant).not.toBe(before.plant);
    expect(after.writers.wind).not.toBe(before.writers.wind);
    expect(after.writers.autopilot).toBe(before.writers.autopilot);
    expect(after.writers.scenario).toBe(before.writers.scenario);
  });

  it("[L9.6] compares integrators under identical inputs: Euler is off by 5e-4 m, RK4 is exact", () => {
    const step = {
      endUs: 200_000,
      plant: commandCart(),
      autopilot: motor(10_000, (tUs) => (tUs < 100_000 ? 0 : 1)),
      logPeriodUs: 10_000,
      physicsPeriodUs: 10_000,
    };
    const { recording } = flyRecorded(step);
    const positions = (kind: string) => {
      const parts = replayParts(recording, step.plant.layout);
      return flyRecorded({ plant: step.plant, ...parts, integrator: integrator(kind) }).sink.column("position_m");
    };
    const reference = positions("rk4");
    const worst = Math.max(...positions("euler").map((x, i) => Math.abs(x - reference[i]!)));
    expect(worst).toBeCloseTo(5e-4, 12);
    expect(positions("rk4")).toEqual(reference);
  });

  it("[L9.6] base wind and a gust at 35 ms between wind ticks: 0.33 m/s and 0.011625 m after 80 ms, replayed exactly", () => {
    const parts = {
      endUs: 80_000,
      plant: windCart(),
      scenario: scenario("every", (clock, bus) => void (bus.windGustNed[0] = clock.us >= 35_000 ? 2 : 0), {
        axis: listedAxis([35_000]),
      }),
      wind: source("wind", 20_000, (_clock, bus) => void (bus.windBaseNed[0] = 3)),
      autopilot: motor(5_000, () => 0),
      logPeriodUs: 10_000,
    };
    const live = flyRecorded(parts);
    expect(live.flight.x[1]).toBeCloseTo(0.33, 12);
    expect(live.flight.x[0]).toBeCloseTo(0.011625, 12);
    const replayed = flyRecorded({ plant: parts.plant, ...replayParts(live.recording, parts.plant.layout) });
    expect(replayed.recording.logged).toEqual(live.recording.logged);
  });

  it("[L7.3] [L9.6] of a flight that stopped early ends at the same time", () => {
    const stopping = (): Omit<FlightParts, "integrator"> => ({
      endUs: 500_000,
      plant: springCart(),
      scenario: scenario("every", (clock, bus) => void (bus.stop[0] = clock.us >= 123_456 ? 2 : 0)),
      autopilot: motor(10_000, () => 0.5),
    });
    const live = flyRecorded(stopping());
    const { plant } = stopping();
    const replayed = flyRecorded({ plant, ...replayParts(live.recording, plant.layout) });
    expect(replayed.end).toMatchObject({ endUs: 130_000, stop: 2 });
    expect(replayed.fingerprint.text()).toBe(live.fingerprint.text());
  });

  it("[L9.7] can itself be saved and loaded", () => {
    const live = flyRecorded({ ...fullFlight(), integrator: integrator("rk45") });
    const { plant } = fullFlight();
    const make = () => {
      const fingerprint = new Fingerprint(DIMS);
      return {
        fingerprint,
        flight: flightOf({
          plant,
          ...replayParts(live.recording, plant.layout),
          integrator: integrator("rk45"),
          observers: [fingerprint],
        }),
      };
    };
    const first = make();
    flightLoop(first.flight, { markUs: Float64Array.of(300_000) }).next();
    const second = make();
    second.flight.load(first.flight.save());
    flyNow(second.flight);
    expect(second.fingerprint.text()).toBe(live.fingerprint.text());
  });

  it("[L10.5] rejects another plant, and a source that is due before its recorded stage ran", () => {
    const live = flyRecorded({ endUs: 20, plant: commandCart(), autopilot: motor(10, () => 0) });
    const other = { ...springCart(), layout: fullFlight().plant.layout };
    expect(
      codeOf(() => replayParts({ ...live.recording, stateBlocks: [{ name: "q", size: 2, unit: "1" }] }, other.layout)),
    ).toBe("RECORD-006");
    const streams = live.recording.streams.map((stream) =>
      stream.name === "motorCommand"
        ? { ...stream, timesUs: Float64Array.of(10), values: stream.values.slice(0, 12) }
        : stream,
    );
    const parts = replayParts({ ...live.recording, streams }, commandCart().layout);
    expect(codeOf(() => flyNow(flightOf({ plant: commandCart(), ...parts })))).toBe("RECORD-008");
  });
});

describe("fingerprints", () => {
  const run = (more: Partial<FlightParts> = {}, kind = "rk4") =>
    flyRecorded({ ...fullFlight(), ...more, integrator: integrator(kind) });

  it("[L9.1] the same flight twice: equal digests, equal rows, equal recording, bit for bit", () => {
    const [a, b] = [run(), run()];
    expect(b.recording).toEqual(a.recording);
    expect(Buffer.from(Float64Array.from(b.sink.rows.flatMap((row) => [...row])).buffer)).toEqual(
      Buffer.from(Float64Array.from(a.sink.rows.flatMap((row) => [...row])).buffer),
    );
  });

  it("[L9.3] include the input at t0 and whenever its bits change, so a command of -0 is a different flight", () => {
    const fly = (duty: number) =>
      flyRecorded({
        endUs: 100,
        plant: cart(() => 0),
        autopilot: motor(10, (tUs) => (tUs === 50 ? duty : 0)),
      }).fingerprint.text();
    expect(fly(-0)).not.toBe(fly(0));
    expect(fly(0)).toBe(fly(0));
  });

  it("[L9.3] observers see that the input changed at the first boundary and whenever any bit changed", () => {
    const changed: number[] = [];
    const observe = ({ clock, inputChanged }: { clock: { us: number }; inputChanged: boolean }) =>
      void (inputChanged && changed.push(clock.us));
    flyNow(
      flightOf({
        endUs: 100,
        plant: commandCart(),
        autopilot: motor(10, (tUs) => (tUs >= 30 && tUs < 60 ? 0.5 : 0)),
        wind: source("wind", 5, (clock, bus) => void (bus.windBaseNed[0] = clock.us >= 85 ? -0 : 0)),
        scenario: scenario(45, (clock, bus) => void (bus.windGustNed[0] = clock.us >= 85 ? -0 : 0)),
        observers: [{ observe, ...noMemory }],
      }),
    );
    // At 85 µs the base becomes -0, but 0 + -0 is 0. At 90 µs the gust becomes -0 too, and -0 + -0 is -0.
    expect(changed).toEqual([0, 30, 60, 90]);
  });

  it("[L9.4] switching off the writers' digests does not change the plant's", () => {
    const lean = new Fingerprint(DIMS, { writers: false });
    const { fingerprint } = run({ observers: [lean] });
    expect(lean.text()).toBe(fingerprint.text());
    expect(lean.result().writers).toEqual({});
    expect(lean.text()).toMatch(/^fp1:([0-9a-f]{4}-){3}[0-9a-f]{4}$/);
  });

  it("[L9.8] differ for a different integrator or log period", () => {
    const texts = [
      run().fingerprint.text(),
      run({}, "rk45").fingerprint.text(),
      run({ logPeriodUs: 29_000 }).fingerprint.text(),
    ];
    expect(new Set(texts).size).toBe(3);
  });
});

describe("the recording of a flight that an error ended", () => {
  it("[D14] [L10.4] is readable, valid, and replays to the same digest", () => {
    const plant = cart(() => 1);
    const fingerprint = new Fingerprint(DIMS);
    const recorder = new Recorder(DIMS, plant.layout);
    const flight = flightOf({
      endUs: 1_000_000,
      plant: {
        ...plant,
        derivativesInto: (dx, t, x, u) => (
          plant.derivativesInto(dx, t, x, u),
          void (x[0]! > 0.004 && (dx[1] = Infinity))
        ),
      },
      autopilot: motor(10_000, () => 0.25),
      logPeriodUs: 20_000,
      observers: [fingerprint, recorder],
      integrator: integrator("euler"),
    });
    expect(codeOf(() => flyNow(flight))).toBe("STATE-002");
    const recording = recorder.finish({ digests: fingerprint.result() });
    checkRecording(recording);
    expect(recording.endUs).toBeGreaterThan(50_000);
    expect(recording.boundaries.timesUs).toHaveLength(recording.endUs / 10_000 + 1);
    const again = flyRecorded({ plant, ...replayParts(recording, plant.layout), integrator: integrator("euler") });
    // The logged rows may differ: the end of a complete flight is always logged, but the last boundary before an error
    // is logged only if it is a log tick.
    expect(again.recording.boundaries.timesUs).toEqual(recording.boundaries.timesUs);
    expect(again.fingerprint.text()).toBe(fingerprint.text());
  });

  it("[L10.4] is rejected if it has no boundary", () => {
    const recording = new Recorder(DIMS, commandCart().layout).finish({ digests: new Fingerprint(DIMS).result() });
    expect(codeOf(() => checkRecording(recording))).toBe("RECORD-002");
  });
});

describe("checkRecording", () => {
  const whole = flyRecorded({ ...fullFlight(), endUs: 100_000, integrator: integrator("rk4") }).recording;
  const withStream = (
    name: string,
    change: (stream: Recording["streams"][number]) => Partial<Recording["streams"][number]>,
  ): Recording => ({
    ...whole,
    streams: whole.streams.map((stream) => (stream.name === name ? { ...stream, ...change(stream) } : stream)),
    logged: whole.logged.map((stream) => (stream.name === name ? { ...stream, ...change(stream) } : stream)),
  });
  const { timesUs, due } = whole.boundaries;

  it("accepts a recorder's result; a flight assembled in code has no definition and no hash", () => {
    checkRecording(whole);
    expect([whole.resolved, whole.resolvedHash]).toEqual([null, ""]);
  });

  it.each<[string, string, Recording]>([
    ["another format version", "RECORD-001", { ...whole, version: 9 }],
    ["another signal table", "RECORD-001", { ...whole, signalTableVersion: 0 }],
    [
      "no boundaries",
      "RECORD-002",
      { ...whole, boundaries: { timesUs: new Float64Array(0), due: new Uint16Array(0) } },
    ],
    ["more boundaries than due sets", "RECORD-002", { ...whole, boundaries: { timesUs, due: due.slice(1) } }],
    ["a start that is not the first boundary", "RECORD-002", { ...whole, startUs: 1 }],
    ["an end that is not the last boundary", "RECORD-002", { ...whole, endUs: 99 }],
    [
      "boundary times that do not increase",
      "RECORD-002",
      { ...whole, boundaries: { timesUs: timesUs.map((t, i) => (i === 2 ? timesUs[1]! : t)), due } },
    ],
    [
      "a boundary between microseconds",
      "RECORD-002",
      { ...whole, boundaries: { timesUs: timesUs.map((t, i) => (i === 1 ? t + 0.5 : t)), due } },
    ],
    [
      "stream times that do not increase",
      "RECORD-002",
      withStream("windBaseNed", (s) => ({ timesUs: s.timesUs.map((t, i) => (i === 1 ? 0 : t)) })),
    ],
    ["a stream with too few values", "RECORD-002", withStream("windBaseNed", (s) => ({ values: s.values.slice(1) }))],
    [
      "a stream with a sample between boundaries",
      "RECORD-002",
      withStream("windBaseNed", (s) => ({ timesUs: s.timesUs.map((t, i) => (i === 1 ? t + 1 : t)) })),
    ],
    [
      "a stream of another size",
      "RECORD-002",
      withStream("windBaseNed", (s) => ({
        size: 1,
        timesUs: s.timesUs,
        values: s.values.slice(0, s.timesUs.length),
      })),
    ],
    ["a stream that is not a signal", "RECORD-002", withStream("windBaseNed", () => ({ name: "motors" }))],
    [
      "a stream with NaN",
      "RECORD-002",
      withStream("windBaseNed", (s) => ({ values: s.values.map((v, i) => (i === 3 ? NaN : v)) })),
    ],
    [
      "a state of another size",
      "RECORD-002",
      withStream("state", (s) => ({ size: 1, values: s.values.slice(0, s.timesUs.length) })),
    ],
    [
      "a state with a sample between boundaries",
      "RECORD-002",
      withStream("state", (s) => ({ timesUs: s.timesUs.map((t, i) => (i === 1 ? t + 1 : t)) })),
    ],
    ["an initial state of another size", "RECORD-002", { ...whole, initialState: new Float64Array(5) }],
    ["the same stream twice", "RECORD-002", { ...whole, streams: [...whole.streams, whole.streams[0]!] }],
  ])("[L10.5] rejects %s", (_what, code, recording) => {
    expect(codeOf(() => checkRecording(recording))).toBe(code);
  });

  it("[L10.6] names the stream and the time", () => {
    const damaged = withStream("windBaseNed", (s) => ({ timesUs: s.timesUs.map((t, i) => (i === 1 ? t + 1 : t)) }));
    expect(() => checkRecording(damaged)).toThrow(
      /stream "windBaseNed" has a sample at \d+ µs, at which there was no boundary/,
    );
    expect(() => checkRecording({ ...whole, version: 9 })).toThrow("version 9, but this program reads version 1");
  });
});
