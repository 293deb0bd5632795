/**
 * Small flights for tests of the engine and the recorder: plants of a few numbers, sources of one line.
 *
 * The plants move in one dimension and have closed-form solutions; each source runs a function given by the test.
 * Everything is assembled through `Flight`, as a user would.
 */
import {
  type Column,
  type Dims,
  everyBoundary,
  type FlightParts,
  Flight,
  type FlightEnd,
  flyNow,
  inputLayout,
  type Integrator,
  type IntegratorContext,
  type Observer,
  periodicAxis,
  type Plant,
  type Readable,
  type ScenarioSource,
  type Sink,
  type Source,
  type SourceWriter,
} from "./core.ts";
import { Fingerprint, Recorder, type Recording } from "../../packages/core/src/record/index.ts";
import { type Block, StateLayout } from "../../packages/core/src/state/index.ts";
import { makeIntegrator } from "./dynamics.ts";

export const DIMS: Dims = { rotors: 1, batteries: 1, buses: 1 };
export const U = inputLayout(DIMS).offsets;

export function scalarBlock(name: string, unit: string): Block {
  return { name, size: 1, unit, kind: "vector", group: name, tolerance: { absolute: 1e-9, relative: 1e-9 } };
}

/** Makes a plant that moves in one dimension under an input: ẋ = v, v̇ = `force`(u). */
export function cart(force: (u: Float64Array) => number, start: { x?: number; v?: number } = {}): Plant {
  return {
    layout: new StateLayout([scalarBlock("position", "m"), scalarBlock("speed", "m/s")]),
    initialInto(x) {
      x[0] = start.x ?? 0;
      x[1] = start.v ?? 0;
    },
    derivativesInto(dx, _timeS, x, u) {
      dx[0] = x[1]!;
      dx[1] = force(u);
    },
  };
}

/** A cart pushed by motor channel 1. */
export const commandCart = (): Plant => cart((u) => u[U.motorCommand]!);
/** A cart pushed by wind from the south. */
export const windCart = (): Plant => cart((u) => u[U.windNed]!);
/** A cart with a constant speed of 1 m/s, so that position equals time. */
export const clockCart = (speed = 1): Plant => cart(() => 0, { v: speed });

/** Makes a plant whose motion is not a polynomial: ẍ = −ω² x plus the command and a tenth of the wind. */
export function springCart(omega = 5): Plant {
  return {
    ...cart(() => 0, { x: 1 }),
    derivativesInto(dx, _timeS, x, u) {
      dx[0] = x[1]!;
      dx[1] = -omega * omega * x[0]! + u[U.motorCommand]! + 0.1 * u[U.windNed]!;
    },
  };
}

type Update<W extends SourceWriter> = Source<W>["update"];

export const noMemory = { save: () => {}, load: () => {} };

/** Makes a source without memory that runs every `periodUs`, or at every boundary. */
export function source<W extends SourceWriter>(writer: W, periodUs: number | "every", update: Update<W>): Source<W> {
  const axis = periodUs === "every" ? everyBoundary : periodicAxis({ periodUs });
  return { writer, axis, update, ...noMemory };
}

export function scenario(
  periodUs: number | "every",
  update: Update<"scenario">,
  more: Partial<ScenarioSource> = {},
): ScenarioSource {
  return { ...source("scenario", periodUs, update), ...more };
}

/** Makes an autopilot whose first motor channel is a function of time. */
export function motor(periodUs: number, duty: (tUs: number) => number): Source<"autopilot"> {
  return source("autopilot", periodUs, (clock, bus) => {
    bus.motorCommand[0] = duty(clock.us);
  });
}

export function integrator(name = "rk4", given: Record<string, unknown> = {}) {
  return ({ plant, u }: IntegratorContext): Integrator =>
    makeIntegrator(name, plant, given, u as Float64Array<ArrayBuffer>);
}

/** Keeps every row. */
export class RowSink implements Sink {
  readonly neverFull = true;
  readonly isFull = false;
  columns: readonly Column[] = [];
  readonly timesUs: number[] = [];
  readonly rows: Float64Array[] = [];
  closed = 0;

  open(columns: readonly Column[]): void {
    this.columns = columns;
  }

  row(tUs: number, row: Readable): void {
    this.timesUs.push(tUs);
    this.rows.push(Float64Array.from(row));
  }

  async drain(): Promise<void> {}

  async close(): Promise<void> {
    this.closed += 1;
  }

  column(name: string): number[] {
    const at = this.columns.findIndex((column) => column.name === name);
    if (at < 0) throw new Error(`no column ${name} in ${this.columns.map((column) => column.name).join(" ")}`);
    return this.rows.map((row) => row[at]!);
  }
}

/** Makes an observer that calls `observe` at every boundary. */
export function watcher(observe: Observer["observe"]): Observer {
  return { observe, ...noMemory };
}

export function flightOf(parts: Omit<FlightParts, "integrator"> & Partial<Pick<FlightParts, "integrator">>): Flight {
  return new Flight({ integrator: integrator(), ...parts });
}

export interface RecordedRun {
  readonly end: FlightEnd;
  readonly fingerprint: Fingerprint;
  readonly recording: Recording;
  readonly sink: RowSink;
  readonly flight: Flight;
}

/** Flies with digests, a recorder and a sink attached. */
export function flyRecorded(parts: Parameters<typeof flightOf>[0]): RecordedRun {
  const dims = parts.dims ?? DIMS;
  const fingerprint = new Fingerprint(dims);
  const recorder = new Recorder(dims, parts.plant.layout);
  const sink = new RowSink();
  const flight = flightOf({
    ...parts,
    observers: [fingerprint, recorder, ...(parts.observers ?? [])],
    sinks: [sink, ...(parts.sinks ?? [])],
  });
  const end = flyNow(flight);
  return { end, fingerprint, recording: recorder.finish({ digests: fingerprint.result() }), sink, flight };
}

/** Runs a function and returns the code of the error it throws. */
export function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
  return "nothing thrown";
}
