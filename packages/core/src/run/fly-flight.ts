/**
 * The whole walk in one call: description → resolved → assembled → flown → result.
 *
 * `flyFlight({ extends: "iris", … })` is what scripts use; the command does the same with files around it. The result
 * tells the outcome, holds the recording, and gives every signal at any time.
 */
import type { SimError } from "../errors/index.ts";
import { oneOfNames, type PlainObject, show } from "../params/index.ts";
import { type DriveOptions, flyAsync, type FlightEnd, flyNow } from "../engine/index.ts";
import {
  findStream,
  type FingerprintDigests,
  recordErrors,
  type Recording,
  sampleHoldInto,
  type Stream,
} from "../record/index.ts";
import { secondsToUs } from "../time/index.ts";
import { assemble, type AssembledFlight, type AssembleOptions } from "./assemble.ts";
import { withBareParts } from "../describe/build-parts.ts";
import { parseDurationText } from "../describe/duration-text.ts";
import { flightErrors } from "../describe/errors.ts";
import type { SpecLayer, SpecLoader } from "../describe/layers.ts";
import { outcomeOf, type OutcomeKind } from "./outcome.ts";
import { coreRegistry, type Registry } from "../describe/registry.ts";
import { hashOf, type ResolvedFlight } from "../describe/definition.ts";
import { mustResolve, resolveFlight } from "../describe/resolve.ts";
import type { SpecContents } from "../describe/spec-contents.ts";
import type { FlightSpec, RecordedName } from "../describe/spec.ts";
import type { FlightEvent } from "./events.ts";
import type { FlightExtremes } from "./summary.ts";
import type { Track } from "./track.ts";

/** Parts of your own, the registry, and callbacks of a flight. */
export interface FlyFlightOptions extends Omit<AssembleOptions, "record">, DriveOptions {
  readonly registry?: Registry;
  readonly load?: SpecLoader;
  readonly contents?: SpecContents;
}

/** What there is to tell of a flight, whether or not it was recorded. */
export interface FlightResult {
  readonly outcome: OutcomeKind;
  readonly reason: string;
  /** `fp1:…`; empty if it was switched off. */
  readonly fingerprint: string;
  readonly digests: FingerprintDigests;
  readonly end: FlightEnd;
  readonly events: readonly FlightEvent[];
  readonly extremes: FlightExtremes;
  readonly track: Track;
  readonly resolved: ResolvedFlight;
}

/** A signal over time. */
export interface SignalAccess {
  /** The value in force at a time within the flight: `"30 s"`, or seconds as a number. */
  at(time: string | number): Float64Array;
  readonly timesUs: Float64Array;
  /** Row after row. */
  readonly values: Float64Array;
}

/** A flight that has been flown and recorded. */
export interface RecordedFlight extends FlightResult {
  readonly recording: Recording;
  /** A signal or a block of the state by name. */
  signal(name: RecordedName): SignalAccess;
}

/** Flies a description. Mistakes in it are thrown as one typed error that lists them all. */
export async function flyFlight(spec: FlightSpec, options: FlyFlightOptions = {}): Promise<RecordedFlight> {
  const registry = options.registry ?? coreRegistry;
  const layer: SpecLayer = { file: "flight", spec: spec as PlainObject };
  return flyResolved(mustResolve(resolveFlight(layer, registry, options.load, options.contents)), options);
}

export interface FlyResolvedOptions extends Omit<FlyFlightOptions, "load" | "contents"> {
  /** Called before the first boundary, for those who need what was assembled. */
  readonly onAssembled?: (assembled: AssembledFlight) => void;
}

/** Flies a resolved flight and records it in memory. */
export async function flyResolved(resolved: ResolvedFlight, options: FlyResolvedOptions = {}): Promise<RecordedFlight> {
  const marked = withFunctions(resolved, options);
  const assembled = assemble(marked.definition, options.registry ?? coreRegistry, { ...options, record: true });
  options.onAssembled?.(assembled);
  const end = await flyAsync(assembled.flight, options);
  return finish(marked, assembled, end);
}

/** The same without waiting: for flights whose autopilot answers in place. */
export function flyFlightNow(
  resolved: ResolvedFlight,
  registry: Registry = coreRegistry,
  options: AssembleOptions = {},
): RecordedFlight {
  const marked = withFunctions(resolved, options);
  const assembled = assemble(marked.definition, registry, { ...options, record: true });
  return finish(marked, assembled, flyNow(assembled.flight));
}

/** A flight with bare functions in it is another one than the description alone would be. */
function withFunctions(resolved: ResolvedFlight, options: AssembleOptions): ResolvedFlight {
  const definition = withBareParts(resolved.definition, options);
  return definition === resolved.definition ? resolved : { ...resolved, definition, hash: hashOf(definition) };
}

/** What the observers saw. */
export function resultOf(
  resolved: ResolvedFlight,
  { summary, track, fingerprint }: AssembledFlight,
  end: FlightEnd,
): FlightResult {
  const outcome = outcomeOf(resolved.definition, end, summary.touchdown);
  return {
    outcome: outcome.kind,
    reason: outcome.reason,
    fingerprint: fingerprint?.text() ?? "",
    digests: fingerprint?.result() ?? { format: "fp1", plant: "", writers: {} },
    end,
    events: summary.events,
    extremes: summary.extremes(),
    track: track.track(),
    resolved,
  };
}

/** The result of a recorded flight. */
export function finish(resolved: ResolvedFlight, assembled: AssembledFlight, end: FlightEnd): RecordedFlight {
  const result = resultOf(resolved, assembled, end);
  const recording = assembled.recorder!.finish({
    resolved: resolved.definition,
    resolvedHash: resolved.hash,
    digests: result.digests,
  });
  return { ...result, recording, signal: (name) => signalAccess(recording, name as string) };
}

const WIND_FELT = "windNed";

function signalAccess(recording: Recording, name: string): SignalAccess {
  const block = stateBlock(recording, name);
  const stream = name === WIND_FELT ? windFelt(recording) : streamOf(recording, block === undefined ? name : "state");
  return {
    timesUs: stream.timesUs,
    values: block === undefined ? stream.values : columnsOf(stream.values, stream.size, block),
    at: (time) => {
      const row = new Float64Array(stream.size);
      sampleHoldInto(row, stream, timeWithin(recording, time));
      return block === undefined ? row : row.slice(block.offset, block.offset + block.size);
    },
  };
}

function streamOf(recording: Recording, name: string): Stream {
  const streams = [...recording.streams, ...recording.logged];
  const known = [...streams, ...recording.stateBlocks].map((each) => each.name).concat(WIND_FELT);
  if (known.includes(name)) return findStream(recording, name);
  throw recordErrors.missingStream({ what: `the flight has no signal ${show(name)}`, fix: oneOfNames(name, known) });
}

/** Microseconds of a time as people write it; after the end nothing was flown that could be told. */
function timeWithin({ endUs }: Recording, time: string | number): number {
  const seconds = parseDurationText(time, typeof time === "number" ? "any" : "with unit");
  if (seconds === undefined) {
    throw flightErrors.wrongType({ what: `${show(time)} is not a time`, fix: 'e.g. "30 s" or 30' });
  }
  const tUs = secondsToUs(seconds);
  if (tUs <= endUs) return tUs;
  throw recordErrors.afterEnd({
    what: `the flight ended at ${endUs / 1e6} s and was asked for ${seconds} s`,
    where: { tUs },
    fix: `ask for a time up to ${endUs / 1e6} s`,
  });
}

/** Base plus gusts: recordings keep the two, because replay needs them apart. */
function windFelt(recording: Recording): Stream {
  const parts = [findStream(recording, "windBaseNed"), findStream(recording, "windGustNed")];
  const times = [...new Set(parts.flatMap(({ timesUs }) => [...timesUs]))].sort((a, b) => a - b);
  const timesUs = Float64Array.from(times.filter((tUs) => parts.every((part) => part.timesUs[0]! <= tUs)));
  const values = new Float64Array(3 * timesUs.length);
  const row = new Float64Array(3);
  for (const part of parts) {
    timesUs.forEach((tUs, i) => {
      sampleHoldInto(row, part, tUs);
      for (let k = 0; k < 3; k += 1) values[3 * i + k]! += row[k]!;
    });
  }
  return { name: "windNed", size: 3, timesUs, values };
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
export function diagnosticsOf(error: SimError): readonly SimError[] {
  const { cause } = error;
  return Array.isArray(cause) && cause.length > 0 && cause.every((item) => item instanceof Error)
    ? (cause as SimError[])
    : [error];
}
