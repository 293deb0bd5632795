/**
 * Measures campaigns: what a flight costs besides its loop, and how much faster two threads are than one.
 *
 * For one flight, processor time is compared, so that other load does not matter. Threads are compared by wall time,
 * which needs a quiet machine with two cores. Fleets take turns, and their first flights only warm up.
 */
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { assemble, assignmentBaseOf, coreRegistry, flyNow, mustResolve, resolveFlight } from "@escapement/core";
import { type Campaign, CampaignFlyer, resolveCampaign, ThreadFleet } from "@escapement/campaign";
import { COMMAND_VARIABLE } from "./cold.ts";
import type { Group, Row } from "./row.ts";

const FLIGHT: Row = {
  name: "a flight of a campaign",
  about:
    "The built-in mission with a varied mass and two requirements, from the flight's number to its row of results. 1000 divided by this time is the number of flights per second and core.",
  unit: "ms",
  base: "the loop of the same flight alone",
  limit: { of: "base", max: 1.06 },
};
const THREADS: Row = {
  name: "a flight of a campaign, two threads",
  about: "Wall time per flight of a campaign in two warm threads. 0.526 is 1.9 times as fast as one thread.",
  unit: "ms",
  base: "with one thread",
  limit: { of: "base", max: 1 / 1.9 },
};
const MEMORY: Row = {
  name: "memory of a campaign's second thread",
  about:
    "Resident memory of the process with two worker threads minus that with one. Each is the minimum over several turns.",
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

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Returns the processor time in milliseconds of a flight with everything around it, and of its loop alone. */
async function flightMs(campaign: Campaign, flights: number): Promise<readonly [whole: number, loop: number]> {
  const flyer = new CampaignFlyer(campaign, { registry: coreRegistry });
  const whole: number[] = [];
  const loop: number[] = [];
  // The first flights only warm up.
  for (let k = -4; k < flights; k += 1) {
    const order = { k: k + 4 };
    const resolved = mustResolve(flyer.resolve(flyer.flight(order), order.k));
    const { flight } = assemble(resolved.definition, coreRegistry, { fingerprint: "plant" });
    const began = cpuMs();
    flyNow(flight);
    const between = cpuMs();
    await flyer.fly(order);
    if (k < 0) continue;
    loop.push(between - began);
    whole.push(cpuMs() - between);
  }
  return [median(whole), median(loop)];
}

/** The wall time in milliseconds per flight of a warm fleet, and the memory of the process at its end. */
interface FleetReading {
  readonly ms: number;
  readonly memoryMb: number;
}

async function readFleet(campaign: Campaign, threads: number, flights: number): Promise<FleetReading> {
  const entry = pathToFileURL(join(dirname(process.env[COMMAND_VARIABLE]!), "flight-thread.js"));
  const warmUps = 4 * threads;
  let rows = 0;
  let began = 0;
  let failure: Error | undefined;
  return new Promise((done, fail) => {
    const fleet = new ThreadFleet(
      { threads, entry, execArgv: [], data: { campaign, modules: [] } },
      {
        onRow: () => {
          rows += 1;
          if (rows === warmUps) began = performance.now();
          if (rows < warmUps + flights) return;
          const ms = (performance.now() - began) / flights;
          const memoryMb = process.memoryUsage().rss / 1e6;
          void fleet.close("now").then(() => done({ ms, memoryMb }), fail);
        },
        onFailure: (error) => {
          failure = error;
          void fleet.close("now").finally(() => fail(failure));
        },
        onNote: () => {},
      },
    );
    // Queue more jobs than are timed, so that no thread is idle at the end.
    fleet.give(Array.from({ length: warmUps + flights + 2 * threads }, (_, k) => ({ k })));
  });
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!;
}

export const campaign: Group = {
  name: "campaign",
  rows: [FLIGHT, THREADS, MEMORY],
  measure: async ({ isQuick }) => {
    const made = benchCampaign();
    const [wholeMs, loopMs] = await flightMs(made, isQuick ? 2 : 20);
    const one: FleetReading[] = [];
    const two: FleetReading[] = [];
    for (let turn = 0; turn < (isQuick ? 1 : 3); turn += 1) {
      one.push(await readFleet(made, 1, isQuick ? 2 : 20));
      two.push(await readFleet(made, 2, isQuick ? 4 : 40));
    }
    const least = (readings: readonly FleetReading[], of: keyof FleetReading) =>
      Math.min(...readings.map((reading) => reading[of]));
    const twoMs = least(two, "ms");
    return [
      { row: FLIGHT.name, value: wholeMs, ratios: { base: wholeMs / loopMs } },
      { row: THREADS.name, value: twoMs, ratios: { base: twoMs / least(one, "ms") } },
      { row: MEMORY.name, value: least(two, "memoryMb") - least(one, "memoryMb"), ratios: {} },
    ];
  },
};
