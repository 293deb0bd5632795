/**
 * The engine row: 60 s on a circle, RK4 on a 1 ms axis, commands replayed every 4 ms, Ornstein–Uhlenbeck wind, a 50 Hz log
 * into memory, no fingerprint; in the ways that there are (`ways.ts`).
 *
 * The C++ does the same work. It counts only if the final state and the whole log are equal bit for bit.
 */
import { type Flight, fly } from "../../packages/core/src/engine/index.ts";
import { measure, type Effort, type Variant } from "../measure.ts";
import { keptCommands, scene, type SceneOptions, vehicle } from "../scene.ts";
import { areSame, engineSetup, type Yardstick } from "../yardstick.ts";
import { yardsticks } from "../yardsticks.ts";
import type { Group, Reading, Row } from "./row.ts";
import { checkWay, FORBIDDEN, type Way, WAYS } from "./ways.ts";

const SECONDS = 60;
/** Boundaries between two looks at the clock; flights breathe less often still. */
const BREATH = 1000;

const ROWS: Readonly<Record<Way, Row>> = {
  specialised: {
    name: `engine, ${WAYS.specialised.text}`,
    about: "A boundary and its interval on the engine row, code made for the vehicle.",
    unit: "ns",
    bar: { of: "cppO2", most: 1, moonshot: 0.8 },
    realTimeGoal: 1500,
  },
  forbidden: {
    name: `engine, ${WAYS.forbidden.text}`,
    about: "The same in a process in which no code can be made, by the code that the package carries.",
    unit: "ns",
    bar: { of: "cppO2", most: 1.8 },
  },
  written: {
    name: `engine, ${WAYS.written.text}`,
    about: "The same by the equations as they are written.",
    unit: "ns",
    bar: { of: "cppO2", most: 1.8 },
  },
};

/** Flights of a scene, one after the other, in slices; what lies before `fromS` is flown, and not measured. */
export function flights(name: string, options: SceneOptions, { guessNs = 1000, fromS = 0 } = {}): Variant {
  let flight: Flight | undefined;
  let loop: ReturnType<typeof fly> | undefined;
  return {
    name,
    guessNs,
    prepare: () => {
      if (flight !== undefined) return;
      flight = scene(options).flight;
      loop = fly(flight, { breathEvery: BREATH });
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

/** The same in C++; all flights are one. */
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
      if (done < 0) throw new Error(`${yardstick.name} gave up in flight`);
      if (done < units) isUnderWay = false;
      return done;
    },
  };
}

interface Outcome {
  readonly x: Float64Array;
  readonly rows: Float64Array;
}

function flownByUs(options: SceneOptions): Outcome {
  const { flight, sink } = scene(options);
  for (const _pause of fly(flight));
  return { x: flight.x, rows: sink.values.slice() };
}

function flownByThem({ engine }: Yardstick, setup: ReturnType<typeof engineSetup>): Outcome {
  engine.begin(setup);
  while (engine.run(1000) === 1000);
  return { x: engine.state(), rows: engine.rows() };
}

function agree(ours: Outcome, theirs: Outcome): boolean {
  return areSame(ours.x, theirs.x) && areSame(ours.rows, theirs.rows);
}

function measured(ways: readonly Way[], effort: Effort): Reading[] {
  const seconds = effort.isQuick ? 4 : SECONDS;
  const commands = keptCommands({ seconds });
  const plant = vehicle("iris-reference");
  const setup = engineSetup(plant, seconds, commands);
  const sticks = yardsticks(plant);
  const options = ways.map((way) => ({ seconds, commands, codegen: WAYS[way].codegen }));
  ways.forEach((way, i) => checkWay(way, scene(options[i]!).code));
  const variants = [
    ...sticks.map((stick) => theirFlights(stick, setup)),
    ...ways.map((way, i) => flights(ROWS[way].name, options[i]!)),
  ];
  const times = measure(variants, effort);
  const expected = sticks.map((stick) => flownByThem(stick, setup));
  return ways.map((way, i) => {
    const value = times[sticks.length + i]!;
    const ours = flownByUs(options[i]!);
    const isSame = expected.every((theirs) => agree(ours, theirs));
    return {
      row: ROWS[way].name,
      value,
      ratios: Object.fromEntries(sticks.map((stick, k) => [stick.name, value / times[k]!])),
      realTime: 1e6 / value,
      ...(isSame ? {} : { differs: true as const }),
    };
  });
}

function groupOf(name: string, ways: readonly Way[], flags: readonly string[] = []): Group {
  return { name, rows: ways.map((way) => ROWS[way]), measure: (effort) => measured(ways, effort), flags };
}

/** Each in a process of its own: what engines learn from the one would slow the other down. */
export const engine = groupOf("engine", ["specialised"]);
export const engineWritten = groupOf("engine-written", ["written"]);
export const engineForbidden = groupOf("engine-forbidden", ["forbidden"], FORBIDDEN);
