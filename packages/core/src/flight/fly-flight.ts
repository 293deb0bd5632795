/**
 * The whole walk in one call: description → resolved → assembled → flown → result.
 *
 * `flyFlight({ extends: "iris", … })` is what scripts use; the command does the same with files around it. The result
 * tells the outcome, holds the recording, and gives every signal at any time.
 */
import type { SimError } from "../errors/index.ts";
import { isPlainObject, type PlainObject } from "../params/index.ts";
import { type DriveOptions, flyAsync, type FlightEnd, flyNow } from "../engine/index.ts";
import { findStream, type Recording, sampleHoldInto } from "../record/index.ts";
import { secondsToUs } from "../time/index.ts";
import { assemble, type AssembledFlight, type AssembleOptions } from "./assemble.ts";
import { parseDurationText } from "./duration-text.ts";
import { flightErrors } from "./errors.ts";
import type { SpecLayer, SpecLoader } from "./layers.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { coreRegistry, type Registry } from "./registry.ts";
import { mustResolve, type ResolvedFlight, resolveFlight } from "./resolve.ts";
import type { FlightEvent, FlightExtremes } from "./summary.ts";

export interface FlyFlightOptions extends Omit<AssembleOptions, "record">, DriveOptions {
  readonly registry?: Registry;
  readonly load?: SpecLoader;
}

/** A flight that has been flown. */
export interface FlownFlight {
  readonly outcome: Outcome["word"];
  readonly reason: string;
  /** `fp1:…`; empty if it was switched off. */
  readonly fingerprint: string;
  readonly end: FlightEnd;
  readonly events: readonly FlightEvent[];
  readonly extremes: FlightExtremes;
  readonly resolved: ResolvedFlight;
  readonly recording: Recording;
  /** A signal by name: its value in force at a time (`"30 s"` or seconds), or all of it. */
  signal(name: string): { at(time: string | number): Float64Array; readonly timesUs: Float64Array; readonly values: Float64Array };
}

/** Flies a description. Mistakes in it are thrown as one typed error that lists them all. */
export async function flyFlight(spec: PlainObject, options: FlyFlightOptions = {}): Promise<FlownFlight> {
  const registry = options.registry ?? coreRegistry;
  const layer: SpecLayer = { file: "flight", spec };
  const resolved = mustResolve(resolveFlight(layer, registry, options.load));
  const assembled = assemble(resolved.flown, registry, { ...options, record: true });
  const end = await flyAsync(assembled.flight, options);
  return finish(resolved, assembled, end);
}

/** The same without waiting: for flights whose autopilot answers in place. */
export function flyFlightNow(resolved: ResolvedFlight, registry: Registry = coreRegistry, options: AssembleOptions = {}): FlownFlight {
  const assembled = assemble(resolved.flown, registry, { ...options, record: true });
  return finish(resolved, assembled, flyNow(assembled.flight));
}

/** Turns what the observers saw into the result. */
export function finish(resolved: ResolvedFlight, assembled: AssembledFlight, end: FlightEnd): FlownFlight {
  const { summary, fingerprint, recorder } = assembled;
  const digests = fingerprint?.result() ?? { format: "fp1" as const, plant: "", writers: {} };
  const recording = recorder!.finish({ resolved: resolved.flown, resolvedHash: resolved.hash, digests });
  const outcome = outcomeOf(resolved.flown, end);
  return {
    outcome: outcome.word,
    reason: outcome.reason,
    fingerprint: fingerprint?.text() ?? "",
    end,
    events: summary.events,
    extremes: summary.extremes(),
    resolved,
    recording,
    signal: (name) => signalAccess(recording, name),
  };
}

function signalAccess(recording: Recording, name: string): ReturnType<FlownFlight["signal"]> {
  const block = stateBlock(recording, name);
  const stream = findStream(recording, block === undefined ? name : "state");
  return {
    timesUs: stream.timesUs,
    values: block === undefined ? stream.values : columnsOf(stream.values, stream.size, block),
    at: (time) => {
      const seconds = parseDurationText(time);
      if (seconds === undefined) {
        throw flightErrors.wrongType({ what: `${JSON.stringify(time)} is not a time`, fix: 'e.g. "30 s" or 30' });
      }
      const row = new Float64Array(stream.size);
      sampleHoldInto(row, stream, secondsToUs(seconds));
      return block === undefined ? row : row.slice(block.offset, block.offset + block.size);
    },
  };
}

interface BlockPlace {
  readonly offset: number;
  readonly size: number;
}

function stateBlock(recording: Recording, name: string): BlockPlace | undefined {
  let offset = 0;
  for (const block of recording.stateBlocks) {
    if (block.name === name) return { offset, size: block.size };
    offset += block.size;
  }
  return undefined;
}

function columnsOf(values: Float64Array, rowSize: number, { offset, size }: BlockPlace): Float64Array {
  const rows = values.length / rowSize;
  const picked = new Float64Array(rows * size);
  for (let row = 0; row < rows; row += 1) {
    picked.set(values.subarray(row * rowSize + offset, row * rowSize + offset + size), row * size);
  }
  return picked;
}

/** Every complaint of an error that lists several. */
export function complaintsOf(error: SimError): readonly SimError[] {
  const { cause } = error;
  return Array.isArray(cause) && cause.every((item) => isPlainObject(item) || item instanceof Error) ? (cause as SimError[]) : [error];
}
