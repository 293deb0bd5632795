/**
 * A recording: everything that replay needs, and the whole configuration of the flight.
 *
 * A stream has a row whenever the bits of its signal change. The state and the derived outputs are recorded at log
 * ticks. Every boundary that ran is recorded with its due set. The recording includes the resolved flight and its hash,
 * so it can be flown again, and a replay under another configuration is detected.
 */
import { recordErrors } from "./errors.ts";
import {
  BusLayout,
  type Dims,
  type RecordedBoundaries,
  SIGNAL_TABLE_VERSION,
  type SignalName,
  signalSpec,
  sizeOf,
} from "../engine/index.ts";
import { lowerBound } from "../time/index.ts";
import type { FingerprintDigests } from "./fingerprint.ts";

export const RECORDING_VERSION = 1;

/** A signal, or the state, over time: row i of `size` values holds from `timesUs[i]` on. */
export interface Stream {
  readonly name: string;
  readonly size: number;
  readonly timesUs: Float64Array;
  readonly values: Float64Array;
}

/** A block of the state, with the fields that logs, comparisons and replay need. */
export interface RecordedBlock {
  readonly name: string;
  readonly size: number;
  readonly unit: string;
  readonly components?: readonly string[];
}

/** Copies only the recorded fields of a block. */
export function recordedBlock({ name, size, unit, components }: RecordedBlock): RecordedBlock {
  return { name, size, unit, ...(components === undefined ? {} : { components }) };
}

/** A recorded flight in memory: its definition, its streams and its digests. */
export interface Recording {
  readonly version: number;
  readonly signalTableVersion: number;
  readonly dims: Dims;
  /** The resolved flight as plain JSON; `null` for flights assembled in code. */
  readonly resolved: unknown;
  /** Hash of `resolved`; empty for flights assembled in code. */
  readonly resolvedHash: string;
  /** The state's blocks, in order. */
  readonly stateBlocks: readonly RecordedBlock[];
  readonly initialState: Float64Array;
  readonly startUs: number;
  /** The actual end: earlier than planned if a stop condition held. */
  readonly endUs: number;
  readonly boundaries: RecordedBoundaries;
  /** Held signals, with a row whenever their bits changed. */
  readonly streams: readonly Stream[];
  /** x⁺ and the derived outputs at every log tick: streams `state` and each output signal. */
  readonly logged: readonly Stream[];
  readonly digests: FingerprintDigests;
}

/** Returns the offset and size of a block in a row of the recorded state; undefined if there is no such block. */
export function findBlock(
  { stateBlocks }: Pick<Recording, "stateBlocks">,
  block: string,
): { offset: number; size: number } | undefined {
  let offset = 0;
  for (const { name, size } of stateBlocks) {
    if (name === block) return { offset, size };
    offset += size;
  }
  return undefined;
}

export function findStream(recording: Recording, name: string): Stream {
  const stream =
    recording.streams.find((candidate) => candidate.name === name) ??
    recording.logged.find((candidate) => candidate.name === name);
  if (stream !== undefined) return stream;
  const known = [...recording.streams, ...recording.logged].map((candidate) => candidate.name);
  throw recordErrors.missingStream({
    what: `the recording has no stream "${name}"`,
    fix: `use one of: ${known.join(", ")}`,
  });
}

/** Returns one component of every row. */
export function streamColumn({ values, size, timesUs }: Stream, component: number): Float64Array {
  return timesUs.map((_, row) => values[row * size + component]!);
}

/** Describes when a stream starts, as a verb phrase that follows its name in errors. */
export function startText({ timesUs }: Stream): string {
  return timesUs.length === 0 ? "is empty" : `starts at ${timesUs[0]} µs`;
}

/** Copies the row that holds at `tUs` (zero-order hold). Throws a typed error before the first row. */
export function sampleHoldInto(out: Float64Array, stream: Stream, tUs: number): void {
  const row = lowerBound(stream.timesUs, tUs + 1) - 1;
  if (row < 0) {
    throw recordErrors.beforeFirst({
      what: `stream "${stream.name}" ${startText(stream)} and has no value at ${tUs} µs`,
      where: { tUs },
      fix: "use a time within the recording",
    });
  }
  out.set(stream.values.subarray(row * stream.size, (row + 1) * stream.size));
}

/** Copies the row that was written exactly at `tUs`. Throws a typed error if there is none. */
export function sampleExactInto(out: Float64Array, stream: Stream, tUs: number): void {
  const row = lowerBound(stream.timesUs, tUs);
  if (stream.timesUs[row] !== tUs) {
    throw recordErrors.noSample({
      what: `stream "${stream.name}" has no sample at ${tUs} µs`,
      where: { tUs },
      fix: "use a time at which the stream has a sample",
    });
  }
  out.set(stream.values.subarray(row * stream.size, (row + 1) * stream.size));
}

/** Checks everything that does not depend on the file format: versions, times, lengths, names and numbers. */
export function checkRecording(recording: Recording): void {
  checkVersions(recording);
  const { timesUs, due } = recording.boundaries;
  if (timesUs.length === 0 || timesUs.length !== due.length)
    reject("there are no boundaries, or their times and due sets differ in number");
  if (timesUs[0] !== recording.startUs || timesUs[timesUs.length - 1] !== recording.endUs) {
    reject("the boundaries do not reach from the start to the end", "recover an earlier part, or record again");
  }
  checkTimes("boundaries", timesUs);
  const stateSize = recording.stateBlocks.reduce((size, block) => size + block.size, 0);
  if (recording.initialState.length !== stateSize) {
    reject(`the initial state has ${recording.initialState.length} values, but its blocks have ${stateSize}`);
  }
  const layout = new BusLayout(recording.dims);
  const names: string[] = [];
  for (const stream of [...recording.streams, ...recording.logged]) {
    if (names.includes(stream.name)) reject(`stream "${stream.name}" occurs twice`);
    names.push(stream.name);
    const expected = stream.name === "state" ? stateSize : sizeOfSignal(stream.name, recording.dims, layout);
    if (expected !== stream.size) {
      reject(`stream "${stream.name}" of size ${stream.size} matches no signal of this version`);
    }
    checkStream(stream, timesUs);
  }
}

function checkVersions({ version, signalTableVersion }: Recording): void {
  if (version !== RECORDING_VERSION) {
    throw recordErrors.version({
      what: `the recording has version ${version}, but this program reads version ${RECORDING_VERSION}`,
      fix: "read it with the version of Escapement that wrote it",
    });
  }
  if (signalTableVersion !== SIGNAL_TABLE_VERSION) {
    throw recordErrors.version({
      what: `the recording has signal table version ${signalTableVersion}, but this program has version ${SIGNAL_TABLE_VERSION}`,
      fix: "read it with the version of Escapement that wrote it",
    });
  }
}

function sizeOfSignal(name: string, dims: Dims, layout: BusLayout): number | undefined {
  const known = layout.signals.some((signal) => signal.name === name);
  return known ? sizeOf(signalSpec(name as SignalName), dims) : undefined;
}

function checkStream({ name, size, timesUs, values }: Stream, boundariesUs: Float64Array): void {
  checkTimes(name, timesUs);
  if (values.length !== size * timesUs.length) {
    reject(`stream "${name}" has ${values.length} values for ${timesUs.length} times`);
  }
  const strayUs = timesUs.find((tUs) => boundariesUs[lowerBound(boundariesUs, tUs)] !== tUs);
  if (strayUs !== undefined) reject(`stream "${name}" has a sample at ${strayUs} µs, at which there was no boundary`);
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) reject(`stream "${name}" holds ${values[bad]} at ${timesUs[Math.floor(bad / size)]} µs`);
}

function checkTimes(name: string, timesUs: Float64Array): void {
  const fraction = timesUs.find((tUs) => !Number.isSafeInteger(tUs));
  if (fraction !== undefined) reject(`"${name}" has a time of ${fraction} µs, which is not a whole microsecond`);
  for (let i = 1; i < timesUs.length; i += 1) {
    if (timesUs[i]! > timesUs[i - 1]!) continue;
    reject(`the times of "${name}" do not increase: ${timesUs[i - 1]} µs, then ${timesUs[i]} µs`);
  }
}

function reject(what: string, fix = "record again"): never {
  throw recordErrors.invalid({ what, fix });
}
