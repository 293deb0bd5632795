/**
 * Reads a recording file.
 *
 * The container verifies the checksums. This reader verifies the versions, the hash of the flight and the rules of a
 * recording, and splits the rows of each writer into one stream per signal, with one row per change. From a truncated
 * file, the flight is read up to the last complete chunk.
 */
import {
  checkRecording,
  signalSpec,
  SimError,
  type BusLayout,
  type PlacedSignal,
  type Recording,
  type ResolvedRequirement,
  type Stream,
  type Writer,
} from "@escapement/core";
import type { ByteSource } from "../bytes/byte-source.ts";
import type { ReadLimits } from "../bytes/read-budget.ts";
import { recordingErrors } from "../mcap/errors.ts";
import { readMcap, type Decompress, type McapChannel, type McapFile } from "../mcap/reader.ts";
import { RowStore } from "../mcap/row-store.ts";
import { loadZstd } from "../mcap/zstd.ts";
import { checkpointBytes, decodeBatch, decodeDigest } from "./batch.ts";
import * as channels from "./channels.ts";
import { digestsOf, nothingLeft, readFileHead, assertIsRecording } from "./file-head.ts";

/** A recording that was read from a file. */
export interface RecordingFile {
  readonly recording: Recording;
  /** The requirements of the flight; empty if the file contains none. */
  readonly requirements: readonly ResolvedRequirement[];
  readonly versions: Readonly<Record<string, string>>;
  /** Hash of the flight from which this one was branched, if the file contains it. */
  readonly parentHash?: string;
  /** Name of the vehicle in the description, if the file contains it. */
  readonly vehicle?: string;
  /** The plant digest after the first boundary of every second. */
  readonly perSecond: readonly (readonly [tUs: number, plant: string])[];
  /** Checkpoints as bytes, ascending in time; `decodeCheckpoint` reads one. */
  readonly checkpoints: readonly { readonly tUs: number; readonly bytes: Uint8Array }[];
  /** Describes the missing part of a truncated file; absent if the file is complete. */
  readonly missing?: string;
}

export interface ReadRecordingOptions extends ReadLimits {
  readonly file?: string;
  /** Replaces the Zstandard decompressor, for web pages. */
  readonly decompress?: Decompress;
}

/** Reads a recording from the bytes of a file, which may have been cut short. */
export async function readRecording(
  bytes: Uint8Array | ByteSource,
  options: ReadRecordingOptions = {},
): Promise<RecordingFile> {
  const file = options.file ?? "recording.mcap";
  assertIsRecording(bytes, file);
  const decompress = options.decompress ?? (await loadZstd()).decompress;
  const content = new Content();
  const mcap = readMcap(
    bytes,
    decompress,
    (channel, tUs, payload) => content.add(channel, tUs, payload),
    file,
    options,
  );
  return withTypedErrors(file, () => recordingOf(mcap, content, file));
}

/** Runs `read`. An error that is not typed comes from inconsistent content, and becomes a typed error. */
export function withTypedErrors<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SimError) throw error;
    const what = error instanceof Error ? error.message : "the content is inconsistent";
    throw recordingErrors.damaged({ what, where: { file }, fix: "use another copy of the file", cause: error });
  }
}

/** The messages of a file, by channel. */
class Content {
  readonly timesUs: number[] = [];
  readonly due: number[] = [];
  readonly perSecond: [number, string][] = [];
  readonly checkpoints: { tUs: number; bytes: Uint8Array }[] = [];
  private readonly rows = new Map<number, RowStore>();

  add({ id, schemaName }: McapChannel, tUs: number, payload: Uint8Array): void {
    if (!schemaName.startsWith(channels.SCHEMA_PREFIX)) return;
    if (id === channels.BOUNDARIES) this.addBoundaries(payload);
    else if (id === channels.DIGEST) this.perSecond.push([tUs, decodeDigest(payload)]);
    else if (schemaName === channels.CHECKPOINT_SCHEMA) this.checkpoints.push({ tUs, bytes: checkpointBytes(payload) });
    else this.rowsOf(id, payload.length / 8).push(tUs, payload);
  }

  /**
   * Removes and returns the rows of a channel, so that their memory can be freed after they have been split into
   * streams.
   */
  takeRows(id: number, width: number): RowStore {
    const rows = this.rowsOf(id, width);
    if (rows.width !== width) throw new RangeError("a channel has the wrong width");
    this.rows.delete(id);
    return rows;
  }

  /** Returns the rows of a channel; the first message sets their width. */
  private rowsOf(id: number, width: number): RowStore {
    const known = this.rows.get(id);
    if (known !== undefined) return known;
    if (!Number.isInteger(width)) throw new RangeError("a message does not consist of float64 values");
    const store = new RowStore(width);
    this.rows.set(id, store);
    return store;
  }

  private addBoundaries(payload: Uint8Array): void {
    const batch = decodeBatch(new DataView(payload.buffer, payload.byteOffset, payload.byteLength));
    for (const tUs of batch.timesUs) this.timesUs.push(tUs);
    for (const due of batch.due) this.due.push(due);
  }
}

function recordingOf(mcap: McapFile, content: Content, file: string): RecordingFile {
  const { missing } = mcap;
  const { head, layout, resolved, requirements, stateSize, initialState } = readFileHead(
    mcap,
    file,
    missing !== undefined,
  );
  const timesUs = Float64Array.from(content.timesUs);
  if (timesUs.length === 0) throw nothingLeft(file);
  const recording: Recording = {
    version: head.recordingVersion,
    signalTableVersion: head.signalTableVersion,
    dims: head.dims,
    resolved,
    resolvedHash: head.resolvedHash,
    stateBlocks: head.stateBlocks,
    initialState,
    startUs: timesUs[0]!,
    endUs: timesUs[timesUs.length - 1]!,
    boundaries: { timesUs, due: Uint16Array.from(content.due) },
    streams: channels.recordedWriters(layout).flatMap((writer, i) => {
      const rows = content.takeRows(channels.FIRST_WRITER + i, layout.ranges[writer][1]);
      return streamsOf(layout, writer, rows, changesOf);
    }),
    logged: [
      columnsOf("state", content.takeRows(channels.STATE, stateSize), 0, stateSize),
      ...streamsOf(layout, "outputs", content.takeRows(channels.OUTPUTS, layout.ranges.outputs[1]), columnsOf),
    ],
    digests: digestsOf(mcap, file),
  };
  checkRecording(recording);
  const { perSecond, checkpoints } = content;
  const { versions, parentHash, vehicle } = head;
  return {
    recording,
    requirements,
    versions,
    perSecond,
    checkpoints,
    ...(parentHash === undefined ? {} : { parentHash }),
    ...(vehicle === undefined ? {} : { vehicle }),
    ...(missing === undefined ? {} : { missing }),
  };
}

function streamsOf(layout: BusLayout, writer: Writer, rows: RowStore, read: typeof changesOf): Stream[] {
  const [start] = layout.ranges[writer];
  return signalsOf(layout, writer).map(({ name, offset, size }) => read(name, rows, offset - start, size));
}

export function signalsOf(layout: BusLayout, writer: Writer): PlacedSignal[] {
  return layout.signals.filter(({ name, size }) => size > 0 && signalSpec(name).writer === writer);
}

/** Returns the columns of one signal, for every row. */
function columnsOf(name: string, rows: RowStore, offset: number, size: number): Stream {
  const indices = Array.from({ length: rows.count }, (_, row) => row);
  return pick(name, rows, indices, offset, size);
}

/** Returns the columns of one signal, for the first row and every row in which their bits change. */
function changesOf(name: string, rows: RowStore, offset: number, size: number): Stream {
  const { values, width, count } = rows;
  const words = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  const indices: number[] = [];
  for (let row = 0; row < count; row += 1) {
    const at = 2 * (row * width + offset);
    let changedBits = row === 0 ? 1 : 0;
    for (let i = at; i < at + 2 * size && changedBits === 0; i += 1) changedBits = words[i]! ^ words[i - 2 * width]!;
    if (changedBits !== 0) indices.push(row);
  }
  return pick(name, rows, indices, offset, size);
}

function pick(name: string, rows: RowStore, indices: readonly number[], offset: number, size: number): Stream {
  const { values: all, timesUs, width } = rows;
  const values = new Float64Array(indices.length * size);
  indices.forEach((row, i) => {
    const start = row * width + offset;
    values.set(all.subarray(start, start + size), i * size);
  });
  return { name, size, timesUs: Float64Array.from(indices, (row) => timesUs[row]!), values };
}
