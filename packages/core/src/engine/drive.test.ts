/** The loop's pauses and its two drivers: pauses change nothing, and sinks are always closed. */
import fc from "fast-check";
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
  RowSink,
  scenario,
  source,
  springCart,
} from "../../../../tests/support/flights.ts";
import { invariant } from "../errors/index.ts";
import { Fingerprint } from "../record/index.ts";
import { RandomStream } from "../random/index.ts";
import { flightLoop, flyAsync, flyNow, type FlightParts, type Pause, type Source } from "./index.ts";

/** An autopilot in another process: its answer arrives when the test releases it. */
class ExternalAutopilot implements Source<"autopilot"> {
  readonly writer = "autopilot";
  readonly axis = motor(10_000, () => 0).axis;
  waiting = false;
  asked = 0;
  private readonly duty: (tUs: number) => number;

  constructor(duty: (tUs: number) => number) {
    this.duty = duty;
  }

  readonly update: Source<"autopilot">["update"] = () => {
    this.waiting = true;
    this.asked += 1;
  };

  readonly answer: NonNullable<Source<"autopilot">["answer"]> = (clock, bus) => {
    bus.motorCommand[0] = this.duty(clock.us);
  };

  save(): void {}
  load(): void {}
}

/** A sink that is full after every row until it is drained. */
class SlowSink extends RowSink {
  override readonly neverFull = false as never;
  override isFull = false as never;
  drained = 0;

  override row(...row: Parameters<RowSink["row"]>): void {
    super.row(...row);
    this.isFull = true as never;
  }

  override async drain(): Promise<void> {
    this.drained += 1;
    this.isFull = false as never;
  }
}

const duty = (tUs: number) => (tUs / 10_000) % 2;

function parts(): Omit<FlightParts, "integrator"> {
  const random = new RandomStream(1, "gusts");
  return {
    endUs: 200_000,
    plant: springCart(),
    scenario: scenario(17_000, (clock, bus) => void (bus.requestCount[0] = clock.us)),
    wind: source("wind", 20_000, (_clock, bus) => void (bus.windBaseNed[0] = random.gaussian())),
    autopilot: motor(10_000, duty),
    logPeriodUs: 50_000,
  };
}

function digestOf(
  more: Partial<FlightParts> = {},
  run: (flight: ReturnType<typeof flightOf>) => void = flyNow,
): string {
  const fingerprint = new Fingerprint(DIMS);
  run(flightOf({ ...parts(), ...more, observers: [fingerprint] }));
  return JSON.stringify(fingerprint.result());
}

describe("pauses", () => {
  it("[L1.4] have a reason: `mark` before a requested boundary, `yield` after a number of boundaries", () => {
    const pauses: [Pause, number][] = [];
    const flight = flightOf(parts());
    const markUs = Float64Array.of(50_000);
    const loop = flightLoop(flight, { yieldEvery: 10, markUs });
    for (let step = loop.next(); step.done !== true; step = loop.next()) {
      pauses.push([step.value, flight.schedule.nowUs]);
      if (step.value === "mark") markUs[0] = Infinity;
    }
    expect(pauses.filter(([pause]) => pause === "mark")).toEqual([["mark", 50_000]]);
    expect(pauses.filter(([pause]) => pause === "yield")).toHaveLength(3);
  });

  it("[L1.4] of kind `yield` come at the same boundaries after a checkpoint was loaded", () => {
    const yieldsUs = (flight: ReturnType<typeof flightOf>) => {
      const timesUs: number[] = [];
      const loop = flightLoop(flight, { yieldEvery: 7 });
      while (loop.next().done !== true) timesUs.push(flight.schedule.nowUs);
      return timesUs;
    };
    const whole = yieldsUs(flightOf(parts()));
    const first = flightOf(parts());
    const loop = flightLoop(first, { markUs: Float64Array.of(50_000) });
    loop.next();
    const second = flightOf(parts());
    second.load(first.save());
    expect(yieldsUs(second)).toEqual(whole.filter((tUs) => tUs > 50_000));
    expect(whole.length).toBeGreaterThan(3);
  });

  it("[L1.4] at random change no bit", async () => {
    const expected = digestOf();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (gapsUs, yieldEvery) => {
          const fingerprint = new Fingerprint(DIMS);
          const sink = new SlowSink();
          const external = new ExternalAutopilot(duty);
          const flight = flightOf({ ...parts(), autopilot: external, sinks: [sink], observers: [fingerprint] });
          let pauses = 0;
          const markUs = Float64Array.of(0);
          await flyAsync(flight, {
            yieldEvery,
            markUs,
            onPause: async (pause) => {
              if (pause === "mark") markUs[0]! += gapsUs[(pauses += 1) % gapsUs.length]!;
              await Promise.resolve();
            },
            untilAnswer: async () => void (external.waiting = (pauses += 1) % 3 === 0),
          });
          expect(JSON.stringify(fingerprint.result())).toBe(expected);
          expect(sink.drained).toBeGreaterThan(3);
        },
      ),
      { numRuns: 20 },
    );
  });

  it("[L1.4] the answer of an external autopilot is applied at the same boundary and checked like any command", async () => {
    const external = new ExternalAutopilot(() => 0.5);
    const flight = flightOf({ endUs: 100_000, plant: commandCart(), autopilot: external });
    await flyAsync(flight, { untilAnswer: async () => void (external.waiting = false) });
    expect(external.asked).toBe(11);
    expect(flight.x[1]).toBeCloseTo(0.05, 12);
    const wild = new ExternalAutopilot(() => 2);
    const run = flyAsync(flightOf({ endUs: 100_000, plant: commandCart(), autopilot: wild }), {
      untilAnswer: async () => void (wild.waiting = false),
    });
    await expect(run).rejects.toMatchObject({ code: "ENGINE-003" });
  });
});

describe("drivers", () => {
  it("[L1.5] the synchronous one rejects, before the first boundary, flights that may have to wait", () => {
    const waits = flightOf({ ...parts(), autopilot: new ExternalAutopilot(duty) });
    expect(codeOf(() => flyNow(waits))).toBe("ENGINE-006");
    const sink = new SlowSink();
    expect(codeOf(() => flyNow(flightOf({ ...parts(), sinks: [sink] })))).toBe("ENGINE-006");
    expect([sink.rows.length, sink.columns.length]).toEqual([0, 0]);
  });

  it("[L1.5] the asynchronous one rejects an external autopilot without `untilAnswer`", async () => {
    const flight = flightOf({ ...parts(), autopilot: new ExternalAutopilot(duty) });
    await expect(flyAsync(flight)).rejects.toMatchObject({ code: "ENGINE-013" });
  });

  it("[L1.5] both fly the same flight", async () => {
    const fingerprint = new Fingerprint(DIMS);
    await flyAsync(flightOf({ ...parts(), observers: [fingerprint] }));
    expect(JSON.stringify(fingerprint.result())).toBe(digestOf());
  });

  it("[L1.5] close every sink at the end, once", async () => {
    const sinks = [new RowSink(), new RowSink()];
    flyNow(flightOf({ ...parts(), sinks }));
    expect(sinks.map(({ closed }) => closed)).toEqual([1, 1]);
    const slow = new SlowSink();
    await flyAsync(flightOf({ ...parts(), sinks: [slow] }));
    expect(slow.closed).toBe(1);
  });

  it("[L1.5] do not touch the sinks of a flight that they reject", async () => {
    const sink = new SlowSink();
    const flight = flightOf({ ...parts(), sinks: [sink] });
    const first = flyAsync(flight);
    await expect(flyAsync(flight)).rejects.toMatchObject({ code: "ENGINE-009" });
    expect(sink.closed).toBe(0);
    await first;
    expect(sink.closed).toBe(1);
    const rows = new RowSink();
    const flown = flightOf({ ...parts(), sinks: [rows] });
    flyNow(flown);
    expect(codeOf(() => flyNow(flown))).toBe("ENGINE-009");
    const withoutAnswer = flightOf({ ...parts(), autopilot: new ExternalAutopilot(duty), sinks: [rows] });
    await expect(flyAsync(withoutAnswer)).rejects.toMatchObject({ code: "ENGINE-013" });
    expect(rows.closed).toBe(1);
  });

  const failing = (): Omit<FlightParts, "integrator"> => ({
    endUs: 100_000,
    plant: cart((u) => (u[0]! === u[0]! ? Infinity : 0)),
    logPeriodUs: 10_000,
  });

  it("[L10.4] close sinks after an error too, with all rows up to it", async () => {
    const sink = new RowSink();
    expect(codeOf(() => flyNow(flightOf({ ...failing(), sinks: [sink], integrator: integrator("euler") })))).toBe(
      "STATE-002",
    );
    expect([sink.closed, sink.timesUs]).toEqual([1, [0]]);
    const slow = new SlowSink();
    const run = flyAsync(flightOf({ ...failing(), sinks: [slow], integrator: integrator("euler") }));
    await expect(run).rejects.toMatchObject({ code: "STATE-002" });
    expect([slow.closed, slow.timesUs]).toEqual([1, [0]]);
  });

  it("[L10.4] if a sink fails to close, the other sinks are closed and the failure is reported", async () => {
    const broken = Object.assign(new SlowSink(), { close: () => Promise.reject(new Error("disk full")) });
    const whole = new SlowSink();
    await expect(flyAsync(flightOf({ ...parts(), sinks: [broken, whole] }))).rejects.toThrow("disk full");
    expect(whole.closed).toBe(1);
  });

  it("[L10.4] rethrow the error that ended the flight, and add the failure of the sink", async () => {
    const broken = Object.assign(new SlowSink(), { close: () => Promise.reject(new Error("disk full")) });
    const run = flyAsync(flightOf({ ...failing(), sinks: [broken], integrator: integrator("euler") }));
    await expect(run).rejects.toMatchObject({
      code: "STATE-002",
      what: expect.stringContaining("closing a sink failed too: Error: disk full"),
    });
    const plant = { ...springCart(), jump: () => invariant(false, "two is odd") };
    const ours = flyAsync(flightOf({ ...parts(), plant, sinks: [broken] }));
    await expect(ours).rejects.toThrow(/two is odd[^]*closing a sink failed too: Error: disk full/);
  });
});

describe("observers and sinks", () => {
  it("[L9.9] sinks, probes, recorders and digests change no bit", () => {
    const bare = digestOf();
    const probed = digestOf({ probes: [{ observe: () => {} }], sinks: [new RowSink(), new RowSink()] });
    expect(probed).toBe(bare);
    const { fingerprint } = flyRecorded(parts());
    expect(JSON.stringify(fingerprint.result())).toBe(bare);
  });

  it("[L9.9] a sink may take every n-th row: it never adds ticks", () => {
    const every = new RowSink();
    const third = new (class extends RowSink {
      private n = 0;
      override row(...row: Parameters<RowSink["row"]>): void {
        if (this.n++ % 3 === 0) super.row(...row);
      }
    })();
    const { end } = flyRecorded({ ...parts(), logPeriodUs: 10_000, sinks: [every, third] });
    expect(third.timesUs).toEqual(every.timesUs.filter((_, i) => i % 3 === 0));
    expect(end.boundaries).toBe(flyRecorded({ ...parts(), logPeriodUs: 10_000 }).end.boundaries);
  });
});
