/** Checkpoints: a flight can be saved before any boundary, and another flight continues from it with the same bits. */
import { describe, expect, it } from "vitest";
import {
  codeOf,
  DIMS,
  flightOf,
  integrator,
  motor,
  RowSink,
  scenario,
  source,
  springCart,
} from "../../../../tests/support/flights.ts";
import { integratorKinds } from "../integrate/index.ts";
import { RandomStream } from "../random/index.ts";
import { Fingerprint, Recorder } from "../record/index.ts";
import type { Snapshot } from "../snapshot/index.ts";
import { type FlightParts, flightLoop, flyNow, type EventFunctions, type Plant, type Source } from "./index.ts";

/** Makes a random wind. A checkpoint must save its random stream. */
function randomWind(): Source<"wind"> {
  const random = new RandomStream(4, "wind");
  return {
    ...source("wind", 20_000, (_clock, bus) => void (bus.windBaseNed[0] = random.gaussian())),
    save: (writer) => random.save(writer),
    load: (reader) => random.load(reader),
  };
}

/** Makes an autopilot that integrates the estimated position, so that a checkpoint must save the integral. */
function autopilotWithMemory(): Source<"autopilot"> {
  const sum = new Float64Array(1);
  return {
    ...source("autopilot", 10_000, (_clock, bus) => {
      sum[0]! += bus.estPosNed[0]!;
      bus.motorCommand[0] = Math.min(1, Math.max(0, 0.5 - 0.1 * sum[0]!));
    }),
    save: (writer) => writer.numbers(sum),
    load: (reader) => reader.numbersInto(sum),
  };
}

/** Makes a scenario that has one event function, inserts later boundaries and counts its crossings. */
function scenarioWithMemory(): NonNullable<FlightParts["scenario"]> {
  const fired = new Float64Array(1);
  let insert: (tUs: number) => void = () => {};
  const eventFunctions: EventFunctions = {
    crossingCount: 1,
    armed: [1],
    crossingsInto: (g, _timeS, x) => void (g[0] = -0.25 - x[0]!),
  };
  return {
    ...scenario("every", (clock, bus) => {
      if (bus.truth.whole()[0]! > -0.25) return;
      fired[0]! += 1;
      bus.windGustNed[0] = fired[0]!;
      if (fired[0] === 1) for (const aheadUs of [1_234, 33_333, 10_000_000]) insert(clock.us + aheadUs);
    }),
    eventFunctions,
    connect: (given) => void (insert = given),
    save: (writer) => writer.numbers(fired),
    load: (reader) => reader.numbersInto(fired),
  };
}

function cartWithHooks(): Plant {
  const plant = springCart();
  return {
    ...plant,
    seamCount: 1,
    seamsInto: (g, _timeS, x) => void (g[0] = x[0]!),
    project: (x) => (x[0]! > 0.9 ? ((x[0] = 0.9), 1) : 0),
    jump: (x, u) => void (x[1] = Math.min(x[1]!, 10 + u[0]!)),
    outputsInto: (y, _timeS, x) => void (y.accNed[0] = x[1]!),
  };
}

function make(kind: string) {
  const fingerprint = new Fingerprint(DIMS);
  const plant = cartWithHooks();
  const flight = flightOf({
    endUs: 700_000,
    plant,
    scenario: scenarioWithMemory(),
    wind: randomWind(),
    estimator: source("estimator", 10_000, (_clock, bus) => void (bus.estPosNed[0] = bus.truth.whole()[0]!)),
    autopilot: autopilotWithMemory(),
    logPeriodUs: 40_000,
    integrator: integrator(kind),
    observers: [fingerprint],
  });
  return { flight, fingerprint };
}

/** Takes a snapshot before every boundary; returns the snapshots and the digests of the whole flight. */
function flyAndSave(kind: string): { snapshots: Snapshot[]; digests: string; boundaries: number } {
  const { flight, fingerprint } = make(kind);
  const snapshots: Snapshot[] = [];
  const loop = flightLoop(flight, { markUs: Float64Array.of(0) });
  for (;;) {
    const step = loop.next();
    if (step.done === true)
      return { snapshots, digests: JSON.stringify(fingerprint.result()), boundaries: step.value.boundaries };
    if (step.value === "mark") snapshots.push(flight.save());
  }
}

describe("checkpoints", () => {
  it.each(integratorKinds.map(({ name }) => name))(
    "[L9.7] save, load and continue: equal bits from every boundary under %s",
    (kind) => {
      const { snapshots, digests, boundaries } = flyAndSave(kind);
      expect(snapshots).toHaveLength(boundaries);
      // 71 autopilot ticks, one crossing, and two boundaries inserted ahead of time.
      expect(boundaries).toBe(74);
      for (const snapshot of snapshots) {
        const { flight, fingerprint } = make(kind);
        flight.load(snapshot);
        flyNow(flight);
        if (JSON.stringify(fingerprint.result()) !== digests) expect.fail(`from ${snapshot.sections[0]!.values[0]} µs`);
      }
    },
  );

  it("[L9.7] loading and saving again gives the same snapshot, bit for bit", () => {
    for (const snapshot of flyAndSave("rk45").snapshots) {
      const { flight } = make("rk45");
      flight.load(snapshot);
      expect(flight.save()).toEqual(snapshot);
    }
  });

  it("[L9.7] a flight under way can be rewound at a mark, with its recorder", () => {
    const { flight, fingerprint } = make("rk45");
    const whole = flyAndSave("rk45").digests;
    let saved: Snapshot | undefined;
    let rewinds = 0;
    const markUs = Float64Array.of(200_000);
    const loop = flightLoop(flight, { markUs });
    for (let step = loop.next(); step.done !== true; step = loop.next()) {
      if (flight.schedule.nowUs === 200_000) saved ??= flight.save();
      else if (rewinds < 3) {
        rewinds += 1;
        flight.load(saved!);
      }
      markUs[0] = rewinds < 3 ? 400_000 : Infinity;
    }
    expect(rewinds).toBe(3);
    expect(JSON.stringify(fingerprint.result())).toBe(whole);
  });

  it("[L9.7] can be taken only before a boundary: inside one, or after the last, it is rejected", () => {
    const codes: string[] = [];
    const flight = flightOf({
      endUs: 20,
      plant: springCart(),
      autopilot: source("autopilot", 10, () => void codes.push(codeOf(() => flight.save()))),
    });
    flight.save();
    flyNow(flight);
    expect(codes).toEqual(["ENGINE-011", "ENGINE-011", "ENGINE-011"]);
    expect(codeOf(() => flight.save())).toBe("ENGINE-011");
  });

  it("[L9.7] can be loaded after the end, and the flight continues from it with the same bits", () => {
    const { snapshots, digests } = flyAndSave("rk45");
    const { flight, fingerprint } = make("rk45");
    flyNow(flight);
    expect(codeOf(() => flyNow(flight))).toBe("ENGINE-009");
    for (const snapshot of [snapshots[40]!, snapshots[3]!, snapshots.at(-1)!]) {
      flight.load(snapshot);
      flyNow(flight);
      expect(JSON.stringify(fingerprint.result())).toBe(digests);
    }
  });

  it("[L9.7] the end of the flight comes from its description, not from the checkpoint", () => {
    const lasting = (endUs: number) => flightOf({ endUs, plant: springCart(), physicsPeriodUs: 10 });
    const short = lasting(100);
    flightLoop(short, { markUs: Float64Array.of(50) }).next();
    const long = lasting(200);
    long.load(short.save());
    expect(flyNow(long).endUs).toBe(200);
    expect(codeOf(() => lasting(40).load(short.save()))).toBe("SNAPSHOT-001");
  });

  it("[L10.6] a checkpoint of another flight is rejected even if the memory has the same layout", () => {
    const named = (hash: string) => flightOf({ endUs: 100, plant: springCart(), physicsPeriodUs: 10, hash });
    const saved = named("aaaa").save();
    expect(saved.flightHash).toBe("aaaa");
    named("aaaa").load(saved);
    expect(codeOf(() => named("bbbb").load(saved))).toBe("SNAPSHOT-002");
  });

  it("[L10.6] a checkpoint whose sections do not fit the flight is rejected", () => {
    const [snapshot] = flyAndSave("rk4").snapshots;
    const other = flightOf({ endUs: 10, plant: springCart(), autopilot: motor(10, () => 0) });
    expect(codeOf(() => other.load(snapshot!))).toBe("SNAPSHOT-001");
  });

  it.each(["fly-again", "refused"] as const)(
    "[L10.7] a part outside the process (%s) is rejected with a typed error",
    (restore) => {
      const external = { ...motor(10, () => 0), restore };
      const flight = flightOf({ endUs: 100, plant: springCart(), autopilot: external });
      expect(codeOf(() => flight.save())).toBe("ENGINE-008");
    },
  );

  it("[L9.7] a recorder that did not record the beginning cannot be rewound into the middle", () => {
    const withRecorder = () => {
      const plant = springCart();
      const recorder = new Recorder(DIMS, plant.layout);
      return { flight: flightOf({ endUs: 100, plant, physicsPeriodUs: 10, observers: [recorder] }), recorder };
    };
    const first = withRecorder();
    const loop = flightLoop(first.flight, { markUs: Float64Array.of(50) });
    loop.next();
    const saved = first.flight.save();
    const second = withRecorder();
    expect(codeOf(() => second.flight.load(saved))).toBe("RECORD-009");
  });

  it("[L9.7] a checkpoint at the start can be loaded, and sinks open as in any flight", () => {
    const { flight } = make("rk4");
    const saved = flight.save();
    const sink = new RowSink();
    const fingerprint = new Fingerprint(DIMS);
    const again = flightOf({
      ...flight.parts,
      scenario: scenarioWithMemory(),
      wind: randomWind(),
      autopilot: autopilotWithMemory(),
      observers: [fingerprint],
      sinks: [sink],
    });
    again.load(saved);
    flyNow(again);
    expect(JSON.stringify(fingerprint.result())).toBe(flyAndSave("rk4").digests);
    expect(sink.timesUs[0]).toBe(0);
  });
});
