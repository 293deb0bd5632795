/**
 * Measures the engine row: 60 s on a circle, RK4 with a period of 1 ms, commands replayed every 4 ms,
 * Ornstein–Uhlenbeck wind, a 50 Hz log into memory, and the fingerprint, as in users' flights. It is measured once per
 * way of evaluating the equations (`ways.ts`).
 *
 * The C++ does the same work, hashing included. A reading is valid only if the final state, the whole log and every
 * digest are equal bit for bit.
 */
import { BusLayout, type Flight, flightLoop } from "../../packages/core/src/engine/index.ts";
import type { Multirotor } from "../../packages/core/src/multirotor/plant.ts";
import { Fingerprint } from "../../packages/core/src/record/index.ts";
import { measure, type Effort, type Variant } from "../measure.ts";
import { recordedCommands, scene, type SceneOptions, vehicle } from "../scene.ts";
import { areSame, cellsLeftOut, DIGESTS, engineSetup, type Yardstick } from "../yardstick.ts";
import { yardsticks } from "../yardsticks.ts";
import type { Group, Reading, Row } from "./row.ts";
import { checkWay, FORBID_CODEGEN_FLAGS, type Way, WAYS } from "./ways.ts";

const SECONDS = 60;
/** Boundaries between two readings of the clock. */
const PAUSE_EVERY = 1000;

const ROWS: Readonly<Record<Way, Row>> = {
  compiled: {
    name: `engine, ${WAYS.compiled.text}`,
    about:
      "A boundary and its interval in a flight of 60 s on a circle: RK4 in steps of 1 ms, commands replayed every 4 ms, Ornstein–Uhlenbeck wind, a log at 50 Hz, fingerprint on, code generated for the vehicle.",
    unit: "ns",
    limit: { of: "cppO2", max: 1, ideal: 0.8 },
    realTimeGoal: 1500,
  },
  prebuilt: {
    name: `engine, ${WAYS.prebuilt.text}`,
    about: "The same in a process that forbids code generation, with the code contained in the package.",
    unit: "ns",
    limit: { of: "cppO2", max: 1.8 },
  },
  written: {
    name: `engine, ${WAYS.written.text}`,
    about: "The same with the equations as written.",
    unit: "ns",
    limit: { of: "cppO2", max: 1.8 },
  },
};

/** Makes a variant that flies a scene repeatedly, in slices. The part before `fromS` is flown but not measured. */
export function flights(name: string, options: SceneOptions, { guessNs = 1000, fromS = 0 } = {}): Variant {
  let flight: Flight | undefined;
  let loop: ReturnType<typeof flightLoop> | undefined;
  return {
    name,
    guessNs,
    prepare: () => {
      if (flight !== undefined) return;
      flight = scene(options).flight;
      loop = flightLoop(flight, { yieldEvery: PAUSE_EVERY });
      while (flight.schedule.nowUs < fromS * 1e6) loop.next();
    },
    run: (units) => {
      const { boundary } = flight!;
      const before = boundary.count;
      while (boundary.count - before < units && loop !== undefined) {
        if (loop.next().done === true) flight = loop = undefined;
      }
      return boundary.count - before;
    },
  };
}

/** Makes a variant that flies the same scene in C++. */
export function theirFlights(yardstick: Yardstick, setup: ReturnType<typeof engineSetup>): Variant {
  let isUnderWay = false;
  return {
    name: yardstick.name,
    guessNs: 700,
    prepare: () => {
      if (!isUnderWay) yardstick.engine.begin(setup);
      isUnderWay = true;
    },
    run: (units) => {
      const done = yardstick.engine.run(units);
      if (done < 0) throw new Error(`${yardstick.name} stopped before the end of the flight`);
      if (done < units) isUnderWay = false;
      return done;
    },
  };
}

interface Outcome {
  readonly x: Float64Array;
  readonly rows: Float64Array;
  readonly digests: readonly string[];
}

function flyOurs(options: SceneOptions): Outcome {
  let fingerprint: Fingerprint | undefined;
  const { flight, sink } = scene({
    ...options,
    observers: ({ dims }) => [(fingerprint = new Fingerprint(dims))],
  });
  for (const _pause of flightLoop(flight));
  const { plant, writers } = fingerprint!.result();
  const digests = DIGESTS.map((name) => (name === "plant" ? plant : writers[name]!));
  return { x: flight.x, rows: sink.values.slice(), digests };
}

function flyTheirs({ engine }: Yardstick, setup: ReturnType<typeof engineSetup>): Outcome {
  engine.begin(setup);
  while (engine.run(1000) === 1000);
  return { x: engine.state(), rows: engine.rows(), digests: engine.digests() };
}

/** Compares bit for bit, except for the outputs that the C++ does not compute and the digest of all outputs. */
function agree(ours: Outcome, theirs: Outcome, plant: Multirotor): boolean {
  const leftOut = cellsLeftOut(plant);
  const stateSize = plant.layout.size;
  const rowSize = stateSize + new BusLayout(plant.dims).size;
  const compared = (rows: Float64Array) =>
    leftOut.length === 0 ? rows : rows.filter((_, i) => !leftOut.includes((i % rowSize) - stateSize));
  const sameDigests = DIGESTS.every(
    (name, i) => (name === "outputs" && leftOut.length > 0) || ours.digests[i] === theirs.digests[i],
  );
  return areSame(ours.x, theirs.x) && areSame(compared(ours.rows), compared(theirs.rows)) && sameDigests;
}

function measureWays(ways: readonly Way[], effort: Effort): Reading[] {
  const seconds = effort.isQuick ? 4 : SECONDS;
  const commands = recordedCommands({ seconds });
  const plant = vehicle("iris-reference");
  const setup = engineSetup(plant, seconds, commands);
  const yardstickList = yardsticks(plant);
  const options = ways.map((way) => ({ seconds, commands, codegen: WAYS[way].codegen }));
  ways.forEach((way, i) => checkWay(way, scene(options[i]!).code));
  const variants = [
    ...yardstickList.map((yardstick) => theirFlights(yardstick, setup)),
    ...ways.map((way, i) => flights(ROWS[way].name, options[i]!)),
  ];
  const times = measure(variants, effort);
  const expected = yardstickList.map((yardstick) => flyTheirs(yardstick, setup));
  return ways.map((way, i) => {
    const value = times[yardstickList.length + i]!;
    const ours = flyOurs(options[i]!);
    const isSame = expected.every((theirs) => agree(ours, theirs, plant));
    return {
      row: ROWS[way].name,
      value,
      ratios: Object.fromEntries(yardstickList.map((yardstick, k) => [yardstick.name, value / times[k]!])),
      realTime: 1e6 / value,
      ...(isSame ? {} : { differs: true as const }),
    };
  });
}

function groupOf(name: string, ways: readonly Way[], flags: readonly string[] = []): Group {
  return { name, rows: ways.map((way) => ROWS[way]), measure: (effort) => measureWays(ways, effort), flags };
}

/**
 * Each way runs in its own process, because V8's type feedback from one way would slow down the code of the other ways.
 */
export const engine = groupOf("engine", ["compiled"]);
export const engineWritten = groupOf("engine-written", ["written"]);
export const engineForbidden = groupOf("engine-forbidden", ["prebuilt"], FORBID_CODEGEN_FLAGS);
