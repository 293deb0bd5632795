/**
 * Reads a recording file.
 *
 * The container verifies the checksums. This reader verifies the versions, the hash of the flight and the rules of a
 * recording, and splits the rows of each writer into one stream per signal, with one row per change. A truncated file
 * gives the flight up to its last complete chunk.
 */
import {
  BusLayout,
  canonicalJson,
  checkDefinition,
  checkRecording,
  recordErrors,
  sha256Hex,
  signalSpec,
  SimError,
  type Dims,
  type FingerprintDigests,
  type PlacedSignal,
  type Recording,
  type Stream,
  type Writer,
} from "@escapement/core";
import type { ReadLimits } from "../bytes/read-budget.ts";
import { recordingErrors } from "../mcap/errors.ts";
import { firstAttachment } from "../mcap/wire.ts";
import { readMcap, type Decompress, type McapChannel, type McapFile } from "../mcap/reader.ts";
import { RowStore } from "../mcap/row-store.ts";
import { loadZstd } from "../mcap/zstd.ts";
import { decodeBatch } from "./batch.ts";
import * as channels from "./channels.ts";
import { checkDigests, checkHead } from "./head.ts";

/** A recording that was read, and what is missing of it. */
export interface RecordingFile {
  readonly recording: Recording;
  readonly versions: Readonly<Record<string, string>>;
  /** The plant digest after the first boundary of every second. */
  readonly perSecond: readonly (readonly [tUs: number, plant: string])[];
  /** Checkpoints as bytes, ascending in time; `decodeCheckpoint` reads one. */
  readonly checkpoints: readonly { readonly tUs: number; readonly bytes: Uint8Array }[];
  /** What is missing from a truncated file. Absent if the file is complete. */
  readonly missing?: string;
}

interface ReadRecordingOptions extends ReadLimits {
  readonly file?: string;
  /** Another decompressor for Zstandard, for pages. */
  readonly decompress?: Decompress;
}

/** The attachment that marks a log. */
const LOG_ATTACHMENT = "log.json";
const NO_DIGESTS: FingerprintDigests = { format: "fp1", plant: "", writers: {} };

/** Reads a recording from a file's bytes, whole or up to the point at which its writer was stopped. */
export async function readRecording(bytes: Uint8Array, options: ReadRecordingOptions = {}): Promise<RecordingFile> {
  const file = options.file ?? "recording.mcap";
  refuseOthers(bytes, file);
  const decompress = options.decompress ?? (await loadZstd()).decompress;
  const content = new Content();
  const mcap = readMcap(
    bytes,
    decompress,
    (channel, tUs, payload) => content.add(channel, tUs, payload),
    file,
    options,
  );
  try {
    return new RecordingReader(mcap, content, file).read();
  } catch (error) {
    if (error instanceof SimError) throw error;
    const what = error instanceof Error ? error.message : "the content is inconsistent";
    throw recordingErrors.damaged({ what, where: { file }, fix: "use another copy of the file", cause: error });
  }
}

/** Refuses other MCAP files, our own logs included, before reading their messages. */
function refuseOthers(bytes: Uint8Array, file: string): void {
  const name = firstAttachment(bytes);
  if (name === undefined || name === channels.HEAD_ATTACHMENT) return;
  throw recordingErrors.notARecording({
    what:
      name === LOG_ATTACHMENT
        ? "the file is a log, not a recording"
        : "an MCAP file, but not a recording of Escapement",
    where: { file },
    fix: "give an .mcap file written by fly --record",
  });
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
    else if (id === channels.DIGEST) this.addDigest(tUs, payload);
    else if (schemaName === channels.CHECKPOINT_SCHEMA) this.addCheckpoint(tUs, payload);
    else this.rowsOf(id, payload.length / 8).push(tUs, payload);
  }

  /** The rows of a channel; the first message sets their width. */
  rowsOf(id: number, width: number): RowStore {
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

  private addCheckpoint(tUs: number, payload: Uint8Array): void {
    const length = new DataView(payload.buffer, payload.byteOffset, payload.byteLength).getUint32(0, true);
    if (length !== payload.length - 4) throw new RangeError("a checkpoint has the wrong length");
    this.checkpoints.push({ tUs, bytes: payload.slice(4) });
  }

  private addDigest(tUs: number, payload: Uint8Array): void {
    const length = new DataView(payload.buffer, payload.byteOffset, payload.byteLength).getUint32(0, true);
    if (length !== payload.length - 4) throw new RangeError("a digest has the wrong length");
    this.perSecond.push([tUs, new TextDecoder().decode(payload.subarray(4, 3 + length))]);
  }
}

class RecordingReader {
  private readonly mcap: McapFile;
  private readonly content: Content;
  private readonly file: string;

  constructor(mcap: McapFile, content: Content, file: string) {
    this.mcap = mcap;
    this.content = content;
    this.file = file;
  }

  read(): RecordingFile {
    const head = this.head();
    const layout = new BusLayout(head.dims);
    this.checkChannels(head, layout);
    const timesUs = Float64Array.from(this.content.timesUs);
    if (timesUs.length === 0) throw this.nothingLeft();
    const stateSize = head.stateBlocks.reduce((sum, block) => sum + block.size, 0);
    const initialState = floatsOf(this.attachment(channels.INITIAL_STATE_ATTACHMENT));
    if (initialState.length !== stateSize) throw new RangeError("the initial state has the wrong length");
    const state = this.rowsOf(channels.STATE, stateSize);
    const recording: Recording = {
      version: head.recordingVersion,
      signalTableVersion: head.signalTableVersion,
      dims: head.dims,
      resolved: this.resolved(head),
      resolvedHash: head.resolvedHash,
      stateBlocks: head.stateBlocks,
      initialState,
      startUs: timesUs[0]!,
      endUs: timesUs[timesUs.length - 1]!,
      boundaries: { timesUs, due: Uint16Array.from(this.content.due) },
      streams: channels
        .recordedWriters(layout)
        .flatMap((writer, i) => this.heldStreams(layout, writer, channels.FIRST_WRITER + i)),
      logged: [columnsOf("state", state, 0, stateSize), ...this.loggedStreams(layout)],
      digests: this.digests(),
    };
    checkRecording(recording);
    const { missing } = this.mcap;
    const { perSecond, checkpoints } = this.content;
    return {
      recording,
      versions: head.versions,
      perSecond,
      checkpoints,
      ...(missing === undefined ? {} : { missing }),
    };
  }

  private head(): channels.RecordingHead {
    const bytes = this.mcap.attachments.get(channels.HEAD_ATTACHMENT);
    if (bytes === undefined && this.mcap.missing !== undefined) throw this.nothingLeft();
    if (bytes === undefined) {
      throw recordingErrors.notARecording({
        what: "an MCAP file, but not a recording of Escapement",
        where: { file: this.file },
        fix: "give an .mcap file written by Escapement",
      });
    }
    return checkHead(this.json(bytes), this.file);
  }

  /**
   * The definitions in the file must equal those that this program writes, because they fix the position of every
   * number.
   */
  private checkChannels(head: channels.RecordingHead, layout: BusLayout): void {
    if (this.mcap.channels.size === 0) throw this.nothingLeft();
    channels.channelsOf(layout, head.stateBlocks).forEach(({ topic, definition }, id) => {
      const found = this.mcap.channels.get(id);
      if (found?.topic === topic && fieldsOf(found.definition) === fieldsOf(definition)) return;
      throw recordErrors.invalid({
        what: `channel ${topic} has another definition than in this version of Escapement`,
        where: { file: this.file },
        fix: "read it with the version of Escapement that wrote it",
      });
    });
  }

  private resolved(head: channels.RecordingHead): unknown {
    const resolved = this.json(this.attachment(channels.FLIGHT_ATTACHMENT));
    if (resolved !== null) this.checkDefinition(resolved, head);
    if (head.resolvedHash !== "" && sha256Hex(canonicalJson(resolved)) !== head.resolvedHash) {
      throw recordingErrors.damaged({
        what: "the flight in the recording does not match its hash",
        where: { file: this.file },
        fix: "use another copy of the file",
      });
    }
    return resolved;
  }

  /** The definition must be valid and describe a vehicle of the recorded dimensions. */
  private checkDefinition(resolved: unknown, { dims }: channels.RecordingHead): void {
    const { vehicle } = checkDefinition(resolved, { file: this.file });
    const ofVehicle: Dims = {
      rotors: vehicle.rotors.length,
      batteries: vehicle.batteries.length,
      buses: vehicle.buses.length,
    };
    if (canonicalJson(ofVehicle) === canonicalJson(dims)) return;
    throw recordErrors.otherDims({
      what: `the recording has the dimensions ${canonicalJson(dims)}, its vehicle ${canonicalJson(ofVehicle)}`,
      where: { file: this.file },
      fix: "use another copy of the file",
    });
  }

  private heldStreams(layout: BusLayout, writer: Writer, channel: number): Stream[] {
    const [start, size] = layout.ranges[writer];
    const rows = this.rowsOf(channel, size);
    return signalsOf(layout, writer).map((signal) => changesOf(signal.name, rows, signal.offset - start, signal.size));
  }

  private loggedStreams(layout: BusLayout): Stream[] {
    const [start, size] = layout.ranges.outputs;
    const rows = this.rowsOf(channels.OUTPUTS, size);
    return signalsOf(layout, "outputs").map((signal) =>
      columnsOf(signal.name, rows, signal.offset - start, signal.size),
    );
  }

  private rowsOf(channel: number, width: number): RowStore {
    const rows = this.content.rowsOf(channel, width);
    if (rows.width !== width) throw new RangeError("a channel has the wrong width");
    return rows;
  }

  private digests(): FingerprintDigests {
    const bytes = this.mcap.attachments.get(channels.DIGESTS_ATTACHMENT);
    if (bytes === undefined) return NO_DIGESTS;
    return checkDigests(this.json(bytes), this.file);
  }

  private json(bytes: Uint8Array): unknown {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  }

  private attachment(name: string): Uint8Array {
    const bytes = this.mcap.attachments.get(name);
    if (bytes === undefined) throw this.nothingLeft();
    return bytes;
  }

  private nothingLeft(): SimError {
    return recordingErrors.nothingLeft({
      what: "the file ends before its first complete chunk",
      where: { file: this.file },
      fix: "record the flight again",
    });
  }
}

/** A definition without its comments, which may differ between versions. */
function fieldsOf(definition: string): string {
  return definition
    .split("\n")
    .map((line) => line.split("#", 1)[0]!.trimEnd())
    .join("\n");
}

function signalsOf(layout: BusLayout, writer: Writer): PlacedSignal[] {
  return layout.signals.filter(({ name, size }) => size > 0 && signalSpec(name).writer === writer);
}

/** The columns of one signal, for every row. */
function columnsOf(name: string, rows: RowStore, offset: number, size: number): Stream {
  const indices = Array.from({ length: rows.count }, (_, row) => row);
  return pick(name, rows, indices, offset, size);
}

/** The columns of one signal, for the first row and every row in which their bits change. */
function changesOf(name: string, rows: RowStore, offset: number, size: number): Stream {
  const { values, width, count } = rows;
  const words = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  const indices: number[] = [];
  for (let row = 0; row < count; row += 1) {
    const at = 2 * (row * width + offset);
    let differs = row === 0 ? 1 : 0;
    for (let i = at; i < at + 2 * size && differs === 0; i += 1) differs = words[i]! ^ words[i - 2 * width]!;
    if (differs !== 0) indices.push(row);
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

function floatsOf(bytes: Uint8Array): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float64Array.from({ length: Math.floor(bytes.length / 8) }, (_, i) => view.getFloat64(8 * i, true));
}
