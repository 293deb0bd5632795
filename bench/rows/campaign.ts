/**
 * Measures campaigns: the cost of a flight besides its loop, and the speed of two threads relative to one.
 *
 * For one flight, processor time is compared, so that other load matters little. Threads are compared by wall time,
 * which needs a quiet machine with two cores. Both fleets are warm before the first slice is timed, and slices of one
 * and of two threads alternate.
 */
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { assignmentBaseOf, coreRegistry, mustResolve, resolveFlight, Run } from "@escapement/core";
import { type Campaign, CampaignFlyer, resolveCampaign, ThreadFleet } from "@escapement/campaign";
import { encodeLine } from "@escapement/formats";
import type { Effort } from "../measure.ts";
import { measurePairs, type PairTimes, processorMs } from "../pairs.ts";
import { COMMAND_VARIABLE } from "./cold.ts";
import type { Group, Row } from "./row.ts";
import { ThreadPair } from "./thread-pair.ts";

const FLIGHT: Row = {
  name: "a flight of a campaign",
  about:
    "The built-in mission with a varied mass and two requirements, from the flight's number to its row, including the copy for the message and the line of the journal. Least processor time of 40 alternating pairs. 1000 divided by this time is the number of flights per second and core.",
  unit: "ms",
  base: "the loop alone of the same flight, already assembled and without requirements",
  limit: { of: "base", max: 1.06 },
};
const THREADS: Row = {
  name: "a flight of a campaign, two threads",
  about:
    "Wall time per flight of a campaign in two warm threads. 0.526 means 1.9 times as fast as one thread. Compare it with the next row, which shows the gain of two threads on this machine at that time.",
  unit: "ms",
  base: "with one thread",
  limit: { of: "base", max: 1 / 1.9 },
};
const MACHINE: Row = {
  name: "arithmetic, two threads",
  about:
    "Wall time of a million multiplications in two threads, without memory: the best gain that two threads of this machine can have.",
  unit: "ms",
  base: "with one thread",
};
const GAIN: Row = {
  name: "two threads of a campaign against arithmetic",
  about:
    "Wall time per flight in two threads, in slices that alternate with arithmetic. Ratio: (campaign time, two threads ÷ one) ÷ (arithmetic time, two threads ÷ one). With two full cores, 1.081 is a speed-up of 1.85 instead of 2.",
  unit: "ms",
  base: "the gain of two threads with arithmetic",
  limit: { of: "base", max: 2 / 1.85 },
};
const MEMORY: Row = {
  name: "memory of a campaign's second thread",
  about: "Growth of the resident memory of the process per thread, when two more worker threads start and fly.",
  unit: "MB",
  limit: { of: "value", max: 80 },
};

const GIVEN = {
  name: "bench",
  flight: "mission",
  plan: { kind: "sobol", flights: 4096 },
  vary: { "vehicle.massKg": { uniform: [1.4, 1.6] } },
  requirements: ["never tilt > 60 deg", "after takeoff: batteryRemaining > 50 %"],
};

function benchCampaign(): Campaign {
  const layer = { file: "bench", spec: { extends: GIVEN.flight, requirements: GIVEN.requirements } };
  const { campaign, errors } = resolveCampaign(GIVEN, {
    file: "bench",
    base: assignmentBaseOf(layer, coreRegistry),
    resolved: mustResolve(resolveFlight(layer, coreRegistry)),
    code: "bench",
    flownBy: "threads",
  });
  if (campaign === undefined) throw errors[0];
  return campaign;
}

/** Flights of each thread before the first one that is timed. */
const WARM_UPS = 6;

/** Measures a flight with everything around it, and its loop alone. */
function measureFlight(campaign: Campaign, effort: Effort): Promise<PairTimes> {
  const flyer = new CampaignFlyer(campaign, { registry: coreRegistry });
  const whole = async (k: number) => {
    const began = processorMs();
    encodeLine(structuredClone(await flyer.fly({ k })));
    return processorMs() - began;
  };
  const loop = (k: number) => {
    const { requirements: _judged, ...spec } = flyer.flight({ k }).spec;
    const run = new Run(mustResolve(resolveFlight({ file: "bench", spec }, coreRegistry)), { fingerprint: "plant" });
    const began = processorMs();
    run.toEndNow();
    return processorMs() - began;
  };
  return measurePairs(whole, loop, effort);
}

/** A fleet of threads that is kept during the whole measurement. */
class WarmFleet {
  private readonly fleet: ThreadFleet;
  private readonly threads: number;
  private onRow: () => void = () => {};
  private onFailure: (error: Error) => void = () => {};
  private next = 0;

  constructor(campaign: Campaign, threads: number) {
    this.threads = threads;
    const entry = pathToFileURL(join(dirname(process.env[COMMAND_VARIABLE]!), "flight-thread.js"));
    this.fleet = new ThreadFleet(
      { threads, entry, execArgv: [], data: { campaign, modules: [] } },
      { onRow: () => this.onRow(), onFailure: (error) => this.onFailure(error), onNote: () => {} },
    );
  }

  /**
   * Flies a number of flights per thread and returns the wall time in milliseconds per flight. Each thread flies one
   * more flight before these and one after, which are not timed, so that every thread is busy during the measurement.
   */
  async fly(perThread: number): Promise<number> {
    const { threads } = this;
    const flights = perThread * threads;
    let rows = 0;
    let began = 0;
    let ended = 0;
    const all = new Promise<void>((done, fail) => {
      this.onFailure = fail;
      this.onRow = () => {
        rows += 1;
        if (rows === threads) began = performance.now();
        if (rows === threads + flights) ended = performance.now();
        if (rows === flights + 2 * threads) done();
      };
    });
    this.fleet.give(Array.from({ length: flights + 2 * threads }, () => ({ k: this.next++ })));
    await all;
    return (ended - began) / flights;
  }

  async close(): Promise<void> {
    await this.fleet.close("now");
  }
}

/** The minimum wall times in milliseconds with one and with two threads. */
class MinTimes {
  one = Infinity;
  two = Infinity;

  /** The time with two threads divided by the time with one. */
  get ratio(): number {
    return this.two / this.one;
  }

  async measure(one: () => Promise<number>, two: () => Promise<number>): Promise<void> {
    this.one = Math.min(this.one, await one());
    this.two = Math.min(this.two, await two());
  }
}

interface ThreadReadings {
  readonly flights: MinTimes;
  readonly arithmetic: MinTimes;
  readonly memoryMb: number;
}

/** Alternates slices of one and of two threads, of flights and of arithmetic, after everything is warm. */
async function measureThreads(campaign: Campaign, isQuick: boolean): Promise<ThreadReadings> {
  const [perThread, warmUps, slices] = isQuick ? [1, 1, 1] : [6, WARM_UPS, 8];
  const one = new WarmFleet(campaign, 1);
  const two = new WarmFleet(campaign, 2);
  const pair = new ThreadPair();
  const [flights, arithmetic] = [new MinTimes(), new MinTimes()];
  try {
    await pair.both();
    await one.fly(warmUps);
    const beforeMb = process.memoryUsage().rss / 1e6;
    await two.fly(warmUps);
    // The second fleet added two threads.
    const memoryMb = (process.memoryUsage().rss / 1e6 - beforeMb) / 2;
    for (let slice = 0; slice < slices; slice += 1) {
      await flights.measure(
        () => one.fly(perThread),
        () => two.fly(perThread),
      );
      await arithmetic.measure(
        () => pair.one(),
        () => pair.both(),
      );
    }
    return { flights, arithmetic, memoryMb };
  } finally {
    await Promise.all([one.close(), two.close(), pair.close()]);
  }
}

export const campaign: Group = {
  name: "campaign",
  rows: [FLIGHT, THREADS, MACHINE, GAIN, MEMORY],
  measure: async (effort) => {
    const made = benchCampaign();
    const { firstMs, ratio } = await measureFlight(made, effort);
    const { flights, arithmetic, memoryMb } = await measureThreads(made, effort.isQuick);
    return [
      { row: FLIGHT.name, value: firstMs, ratios: { base: ratio } },
      { row: THREADS.name, value: flights.two, ratios: { base: flights.ratio } },
      { row: MACHINE.name, value: arithmetic.two, ratios: { base: arithmetic.ratio } },
      { row: GAIN.name, value: flights.two, ratios: { base: flights.ratio / arithmetic.ratio } },
      { row: MEMORY.name, value: memoryMb, ratios: {} },
    ];
  },
};
