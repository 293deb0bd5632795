/**
 * The flights of the benches: the reference iris in its environment, on a circle in wind, and the same for other
 * vehicles.
 *
 * A simple state feedback flies the circle once. Its commands are saved and then replayed, in our engine and in C++, so
 * that every variant does the same work, with real transients.
 */
import {
  Flight,
  type FlightParts,
  flightLoop,
  inputLayout,
  MOTOR_CHANNELS,
  type Observer,
  type Sink,
  type Source,
  type View,
} from "../packages/core/src/engine/index.ts";
import { builtInVehicles } from "../packages/core/src/describe/vehicles/index.ts";
import { codeFor } from "../packages/core/src/run/code.ts";
import { type Integrator, type IntegratorContext, integratorKinds } from "../packages/core/src/integrate/index.ts";
import { checkParams, type PlainObject } from "../packages/core/src/params/index.ts";
import { isaReference } from "../packages/core/src/world/atmosphere/index.ts";
import { makeMultirotor, type Multirotor } from "../packages/core/src/multirotor/plant.ts";
import { Fingerprint } from "../packages/core/src/record/index.ts";
import { resolveVehicle } from "../packages/core/src/multirotor/vehicle.ts";
import { makeWindSource, windKinds, type WindModel } from "../packages/core/src/sources/wind/index.ts";
import { type Clock, periodicAxis } from "../packages/core/src/time/index.ts";

export const TICK_US = 4000;
export const WIND_US = 20_000;
export const LOG_US = 20_000;
export const PHYSICS_US = 1000;
export const SEED = 7;
export const OU_SIGMA = [1.5, 1.5, 0.5] as const;
export const OU_TAU_S = 3;
const START_ALTITUDE_M = 30;

/** Makes a vehicle that hovers 30 m above the origin, in the environment of the reference. */
export function vehicle(name: string, changes: PlainObject = {}): Multirotor {
  const initial = { onGround: false, hovering: true, posNedM: [0, 0, -START_ALTITUDE_M] };
  return makeMultirotor(
    resolveVehicle({ ...(builtInVehicles as Record<string, PlainObject>)[name], initial, ...changes }),
    {
      atmosphere: isaReference.make({} as never),
      gravity: { coefficients: [9.80665, 0, 0, 0] },
      origin: { latDeg: 47.397742, lonDeg: 8.545594, altMslM: 488 },
    },
  );
}

export function integratorFor(name: string, context: IntegratorContext, params: PlainObject = {}): Integrator {
  const kind = integratorKinds.find((each) => each.name === name)!;
  return kind.make(checkParams(kind.params, params, [], "") as never, context);
}

function ouWind(): WindModel {
  const kind = windKinds.find((each) => each.name === "ou")!;
  const params = checkParams(kind.params, { sigmaNedMps: OU_SIGMA, tauS: OU_TAU_S }, [], "");
  return kind.make(params as never, { seed: SEED, periodUs: WIND_US });
}

/**
 * One buffer per length. Sinks of that length reuse it one after another, as in the C++, so its pages are already
 * mapped.
 */
const memories = new Map<number, Float64Array<ArrayBuffer>>();

/** Keeps rows in memory, without allocating during the flight. */
export class MemorySink implements Sink {
  readonly neverFull = true;
  readonly isFull = false;
  rows = 0;
  values = new Float64Array(0);
  private width = 0;
  private readonly maxRows: number;

  constructor(maxRows: number) {
    this.maxRows = maxRows;
  }

  open(columns: readonly unknown[]): void {
    this.width = columns.length;
    const length = this.maxRows * columns.length;
    this.values = memories.get(length) ?? new Float64Array(length);
    memories.set(length, this.values);
  }

  row(_tUs: number, row: ArrayLike<number>): void {
    this.values.set(row, (this.rows % this.maxRows) * this.width);
    this.rows += 1;
  }

  async drain(): Promise<void> {}
  async close(): Promise<void> {}
}

export interface SceneOptions {
  readonly vehicle?: string;
  readonly vehicleChanges?: PlainObject;
  readonly seconds: number;
  readonly startUs?: number;
  readonly integrator?: string | ((context: IntegratorContext) => Integrator);
  readonly physicsUs?: number;
  readonly logUs?: number;
  readonly codegen?: boolean;
  /** Defaults to the fingerprint, as in users' flights. */
  readonly observers?: (plant: Multirotor) => readonly Observer[];
  /** Motor commands, twelve per tick; without them the feedback flies. */
  readonly commands?: Float64Array;
  /** Parts to leave out. */
  readonly without?: readonly ("wind" | "log" | "autopilot")[];
}

/** Makes a flight of the engine on this scene. */
export function scene(options: SceneOptions): { flight: Flight; plant: Multirotor; sink: MemorySink; code: string } {
  const plant = vehicle(options.vehicle ?? "iris-reference", options.vehicleChanges);
  const code = codeFor(plant, options.codegen ?? true);
  const { startUs = 0, without = [], integrator = "rk4" } = options;
  const endUs = startUs + options.seconds * 1e6;
  const logUs = options.logUs ?? LOG_US;
  const sink = new MemorySink(Math.min(100_000, Math.ceil((options.seconds * 1e6) / logUs) + 1));
  const physicsUs = options.physicsUs ?? PHYSICS_US;
  const parts: FlightParts = {
    startUs,
    endUs,
    dims: plant.dims,
    plant,
    integrator:
      typeof integrator === "string" ? (context) => integratorFor(integrator, code.addTo(context)) : integrator,
    code,
    ...(without.includes("wind")
      ? {}
      : { wind: makeWindSource(ouWind(), periodicAxis({ startUs, periodUs: WIND_US })) }),
    ...(without.includes("autopilot") ? {} : { autopilot: pilot(plant, options, startUs) }),
    ...(without.includes("log") ? {} : { logPeriodUs: logUs, sinks: [sink] }),
    ...(physicsUs > 0 ? { physicsPeriodUs: physicsUs } : {}),
    observers: options.observers?.(plant) ?? [new Fingerprint(plant.dims)],
  };
  const flight = new Flight(parts);
  return { flight, plant, sink, code: flight.code };
}

function pilot(plant: Multirotor, { commands }: SceneOptions, startUs: number): Source<"autopilot"> {
  const axis = periodicAxis({ startUs, periodUs: TICK_US });
  const update = commands === undefined ? feedback(plant) : replayCommands(commands);
  return { writer: "autopilot", axis, update, save: () => {}, load: () => {} };
}

/** Replays the commands from the first tick, and starts over at their end. */
function replayCommands(commands: Float64Array): Source<"autopilot">["update"] {
  let at = 0;
  return (_clock: Clock, { motorCommand }: View<"autopilot">) => {
    if (at === commands.length) at = 0;
    for (let i = 0; i < MOTOR_CHANNELS; i += 1) motorCommand[i] = commands[at + i]!;
    at += MOTOR_CHANNELS;
  };
}

/** Follows a circle of 5 m in 20 s from the true state: position → tilt → rates → motors. */
function feedback(plant: Multirotor): Source<"autopilot">["update"] {
  const { rotors } = plant.vehicle;
  const hover = plant.trim({ altitudeM: 488 + START_ALTITUDE_M }).rotors[0]!.duty;
  let x: ArrayLike<number> | undefined;
  return (clock: Clock, bus: View<"autopilot">) => {
    x ??= (bus as unknown as { truth: { whole(): ArrayLike<number> } }).truth.whole();
    const phase = (2 * Math.PI * clock.s) / 20;
    const wanted = [5 * Math.cos(phase) - 5, 5 * Math.sin(phase), -START_ALTITUDE_M];
    const acc = wanted.map((place, i) => 1.2 * (place - x![i]!) - 1.8 * x![3 + i]!);
    const q = [x[6]!, x[7]!, x[8]!, x[9]!] as const;
    const yaw = Math.atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]));
    const roll = Math.atan2(2 * (q[0] * q[1] + q[2] * q[3]), 1 - 2 * (q[1] * q[1] + q[2] * q[2]));
    const pitch = Math.asin(Math.max(-1, Math.min(1, 2 * (q[0] * q[2] - q[3] * q[1]))));
    const forward = Math.cos(yaw) * acc[0]! + Math.sin(yaw) * acc[1]!;
    const right = -Math.sin(yaw) * acc[0]! + Math.cos(yaw) * acc[1]!;
    const tilt = (value: number) => Math.max(-0.4, Math.min(0.4, value / 9.8));
    const moments = [
      0.12 * (6 * (tilt(right) - roll) - x[10]!),
      0.12 * (6 * (tilt(-forward) - pitch) - x[11]!),
      0.1 * (0.5 * (0 - yaw) - x[12]!),
    ];
    const lift = hover * (1 - (0.6 * acc[2]!) / 9.8);
    for (const { positionM, direction, channel } of rotors) {
      const [ahead, right] = [Math.sign(positionM[0]!), Math.sign(positionM[1]!)];
      const duty = lift - right * moments[0]! + ahead * moments[1]! + direction * moments[2]!;
      bus.motorCommand[channel - 1] = Math.max(0.05, Math.min(1, duty));
    }
  };
}

/** Returns the commands of a flight with feedback, twelve per tick, including the last tick. */
export function recordedCommands(options: SceneOptions): Float64Array {
  const kept: number[] = [];
  const { offsets } = inputLayout(vehicle(options.vehicle ?? "iris-reference", options.vehicleChanges).dims);
  const observer: Observer = {
    observe: ({ frame, stateSize, clock }) => {
      if (clock.us % TICK_US !== 0) return;
      const at = 1 + stateSize + offsets.motorCommand;
      kept.push(...frame.subarray(at, at + MOTOR_CHANNELS));
    },
    save: () => {},
    load: () => {},
  };
  const { flight } = scene({ ...options, observers: () => [observer] });
  drive(flight);
  return Float64Array.from(kept);
}

/** Flies to the end without a pause. */
export function drive(flight: Flight): void {
  for (const _pause of flightLoop(flight));
}
