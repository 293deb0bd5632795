/**
 * The yardsticks that our times are divided by: the same model in C++, working on our arrays.
 *
 * The WebAssembly build is committed and runs anywhere (`kernel.ts`); the native build needs a compiler (`native.ts`).
 * Both have the right-hand side, the two integrators and the engine's loop.
 */
import { Bus, BusLayout } from "../packages/core/src/engine/bus.ts";
import { inputLayout } from "../packages/core/src/engine/input.ts";
import { type SignalName, signalSpec } from "../packages/core/src/signals/table.ts";
import { exp, expm1 } from "../packages/core/src/math/index.ts";
import { type Multirotor, restingInput } from "../packages/core/src/multirotor/plant.ts";
import { RandomStream } from "../packages/core/src/random/index.ts";
import { OU_SIGMA, OU_TAU_S, SEED, WIND_US } from "./scene.ts";

export const YARDSTICKS = ["kernel", "cppO2", "cppO3", "emitted"] as const;
export type YardstickName = (typeof YARDSTICKS)[number];

export interface Yardstick {
  readonly name: YardstickName;
  derivatives(dx: Float64Array, x: Float64Array, u: Float64Array, times: number): void;
  rk4(x: Float64Array, u: Float64Array, steps: number, us: number): void;
  rk45(x: Float64Array, u: Float64Array, intervals: number, us: number): void;
  readonly engine: YardstickEngine;
}

/** The loop of the engine row. */
export interface YardstickEngine {
  begin(setup: EngineSetup): void;
  /** Returns the number of boundaries that were run, which is smaller than requested at the end of the flight. */
  run(boundaries: number): number;
  state(): Float64Array;
  /** Returns the whole log. */
  rows(): Float64Array;
  /** Returns the digests of the fingerprint, in the order of `DIGESTS`. */
  digests(): readonly string[];
}

/** Names of the digests, in the order of native/engine.cpp: the plant, and the writers that run on the engine row. */
export const DIGESTS = ["plant", "wind", "windSum", "outputs", "autopilot"] as const;

/** Converts high and low words to digest texts. */
export function digestTexts(words: Int32Array): string[] {
  return DIGESTS.map((_, i) => {
    const hex = [words[2 * i]!, words[2 * i + 1]!].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
    return hex.replace(/(.{4})(?=.)/g, "$1-");
  });
}

export interface EngineSetup {
  readonly endUs: number;
  readonly x: Float64Array;
  readonly u: Float64Array;
  readonly bus: Float64Array;
  /** Offsets in the bus of the signals in `ENGINE_SIGNALS`. */
  readonly busOffsets: Int32Array;
  /** Gust, mean and standard deviation σ on three axes, then φ and s: the next gust is φ·gust + σ·s·gaussian. */
  readonly wind: Float64Array;
  readonly gaussians: Float64Array;
  readonly commands: Float64Array;
  readonly maxRows: number;
}

/** The signals that native/engine.cpp reads or writes, in its order. */
const ENGINE_SIGNALS: readonly SignalName[] = [
  "windBaseNed",
  "windNed",
  "batteryVoltage",
  "batteryCurrent",
  "batteryRemaining",
  "batteryWarning",
  "rotorThrust",
  "rotorTorque",
  "motorCurrent",
  "busVoltage",
  "busCurrent",
  "airDensity",
  "airTemperature",
  "airPressure",
  "airVelBody",
  "accNed",
  "rateDotBody",
  "specificForceBody",
  "contactForceNed",
  "motorCommand",
  "servoCommand",
];

/**
 * Returns the bus indices of outputs that the C++ does not compute, including every new output until the C++ has it.
 */
export function cellsLeftOut({ dims }: Multirotor): number[] {
  const { signals } = new BusLayout(dims);
  return signals
    .filter(({ name }) => signalSpec(name).writer === "outputs" && !ENGINE_SIGNALS.includes(name))
    .flatMap(({ offset, size }) => Array.from({ length: size }, (_, i) => offset + i));
}

/** Returns the flight of the engine row as input for the C++, with the same random numbers that our wind draws. */
export function engineSetup(plant: Multirotor, seconds: number, commands: Float64Array): EngineSetup {
  const x = new Float64Array(plant.layout.size);
  plant.initialInto(x);
  const bus = new Bus(plant.dims, undefined as never);
  const streams = ["n", "e", "d"].map((axis) => new RandomStream(SEED, `wind/${axis}`));
  const gusts = streams.map((stream, i) => OU_SIGMA[i]! * stream.gaussian());
  const ticks = (seconds * 1e6) / WIND_US + 1;
  const gaussians = Float64Array.from({ length: 3 * ticks }, (_, i) => streams[i % 3]!.gaussian());
  const theta = WIND_US / 1e6 / OU_TAU_S;
  return {
    endUs: seconds * 1e6,
    x,
    u: restingInput(plant.dims),
    bus: bus.values,
    busOffsets: Int32Array.from(ENGINE_SIGNALS, (name) => bus.layout.find(name).offset),
    wind: Float64Array.from([...gusts, 0, 0, 0, ...OU_SIGMA, exp(-theta), Math.sqrt(-expm1(-2 * theta))]),
    gaussians,
    commands,
    maxRows: ticks,
  };
}

export function motorOffset(plant: Multirotor): number {
  return inputLayout(plant.dims).offsets.motorCommand;
}

/** Returns the tolerances for the C++, one per component. */
export function tolerances({ layout }: Multirotor): { absolute: Float64Array; relative: Float64Array } {
  const absolute = new Float64Array(layout.size);
  const relative = new Float64Array(layout.size);
  for (const { offset, size, tolerance } of layout.blocks) {
    absolute.fill(tolerance.absolute, offset, offset + size);
    relative.fill(tolerance.relative, offset, offset + size);
  }
  return { absolute, relative };
}

export function areSame(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}
