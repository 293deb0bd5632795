/**
 * Writes a recording during a flight: an observer of boundaries, and a sink that the run drains and closes.
 *
 * The simulation thread compares bits and copies rows into the current chunk. A chunk ends after a complete boundary,
 * so a truncated file is a valid recording up to that time. The writer never changes a flight. Data in the file cannot
 * be removed, so a flight that is rewound needs a new recording, or a recording in memory.
 */
import {
  BusLayout,
  canonicalJson,
  DUE_BITS,
  invariant,
  recordedBlock,
  RECORDING_VERSION,
  SIGNAL_TABLE_VERSION,
  type BoundaryView,
  type Dims,
  type FingerprintDigests,
  type Observer,
  type RecordedBlock,
  type ResolvedRequirement,
  type Snapshot,
} from "@escapement/core";
import { swapFileOrder } from "../bytes/byte-order.ts";
import type { ByteSink } from "../bytes/byte-sink.ts";
import { encodeCheckpoint } from "../checkpoint/checkpoint.ts";
import { LogSink } from "../logs/log-sink.ts";
import { recordingErrors } from "../mcap/errors.ts";
import type { Compressor } from "../mcap/compressor.ts";
import { McapWriter } from "../mcap/writer.ts";
import { BoundaryBatch } from "./batch.ts";
import * as channels from "./channels.ts";

/** Options of a recording file. */
export interface RecordingOptions {
  /** The resolved flight and its hash; absent for flights assembled in code. */
  readonly resolved?: unknown;
  readonly resolvedHash?: string;
  /** The requirements by which the flight is judged. */
  readonly requirements?: readonly ResolvedRequirement[];
  /** Hash of the flight from which this one was branched. */
  readonly parentHash?: string;
  /** Name of the vehicle in the description. */
  readonly vehicle?: string;
  /** Names and versions of the programs involved, e.g. `{ escapement: "0.1.0" }`. */
  readonly versions?: Readonly<Record<string, string>>;
  /**
   * Uncompressed bytes per chunk. A chunk also ends after half a second of flight. A crash loses at most the chunk that
   * is being filled and the chunks that another thread is compressing.
   */
  readonly chunkBytes?: number;
}

/** Data that is known only after the flight is assembled. */
interface RecordedParts {
  readonly dims: Dims;
  readonly stateBlocks: readonly RecordedBlock[];
  /** Returns the digests at the end; absent if the flight computes none. */
  readonly digests?: () => FingerprintDigests;
  /** Returns the plant digest so far; called once per second. */
  readonly plantDigest?: () => string;
}

/** How chunks are compressed: on this thread, or on a worker that is released at the end. */
export interface Packing {
  readonly pack: Compressor;
  /** True if `pack` always returns the compressed chunk, never a pending one. */
  readonly isSync?: boolean;
  readonly release?: () => void | Promise<void>;
}

const NO_DIGESTS: FingerprintDigests = { format: "fp1", plant: "", writers: {} };
const SECOND_US = 1_000_000;
/** A chunk ends after this many boundaries, even if no signal changes. */
const MAX_BATCH = 65536;
const encoder = new TextEncoder();

/** The signals of one writer: their range of the bus as 32-bit words and as bytes, and the words last written. */
interface HeldSignals {
  readonly channel: number;
  readonly due: number;
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
  readonly last: Int32Array;
  isFirst: boolean;
}

/** Writes a recording while its flight is flown. */
export class RecordingWriter extends LogSink implements Observer {
  readonly neverFull: boolean;
  private readonly bytes: ByteSink;
  private readonly packing: Packing;
  private readonly options: RecordingOptions;
  private parts: RecordedParts | undefined;
  private mcap: McapWriter | undefined;
  private held: readonly HeldSignals[] = [];
  private stateBytes: Uint8Array = new Uint8Array(0);
  private outputBytes: Uint8Array = new Uint8Array(0);
  private readonly batch = new BoundaryBatch();
  private readonly secondDigests: [tUs: number, plant: string][] = [];
  /**
   * Time of the last boundary, and the time from which the next digest is due. In an array, because V8 boxes numbers
   * above 2³¹ in fields.
   */
  private readonly cells = new Float64Array([0, -Infinity]);
  private boundaries = 0;

  constructor(bytes: ByteSink, packing: Packing, options: RecordingOptions = {}) {
    super();
    this.bytes = bytes;
    this.packing = packing;
    this.options = options;
    this.neverFull = bytes.sync === true && packing.isSync === true;
  }

  /** Sets the data about the flight. Call this after the flight is assembled and before it runs. */
  prepare(parts: RecordedParts): void {
    this.parts = parts;
  }

  get isFull(): boolean {
    return this.mcap?.isFull === true;
  }

  open(): void {}

  row(): void {}

  async drain(): Promise<void> {
    await this.mcap?.drain();
  }

  readonly observe = (view: BoundaryView): void => {
    if (this.mcap === undefined) this.begin(view);
    const { due } = view;
    const tUs = view.frame[0]!;
    const mcap = this.mcap!;
    this.batch.push(tUs, due);
    this.boundaries += 1;
    for (let i = 0; i < this.held.length; i += 1) {
      const held = this.held[i]!;
      if ((due & held.due) !== 0 && updateLast(held)) mcap.numbers(held.channel, tUs, held.bytes);
    }
    if ((due & DUE_BITS.log) !== 0) {
      mcap.numbers(channels.STATE, tUs, this.stateBytes);
      mcap.numbers(channels.OUTPUTS, tUs, this.outputBytes);
    }
    if (tUs >= this.cells[1]!) this.writeDigest(tUs);
    this.cells[0] = tUs;
    if (mcap.isChunkDue(tUs) || this.batch.count >= MAX_BATCH) this.endChunk();
    else mcap.saveIfOld(this.writeBatch);
  };

  protected override async finish(): Promise<void> {
    if (this.mcap === undefined) return this.abandon();
    try {
      await this.writeEnd(this.mcap);
    } finally {
      await this.packing.release?.();
    }
  }

  protected override async abandon(): Promise<void> {
    await (this.bytes.discard ?? this.bytes.close).call(this.bytes);
    await this.packing.release?.();
  }

  private async writeEnd(mcap: McapWriter): Promise<void> {
    await mcap.close(() => {
      this.endChunk();
      const digests = this.parts!.digests?.() ?? NO_DIGESTS;
      const end = { ...digests, endUs: this.cells[0]!, boundaries: this.boundaries, perSecond: this.secondDigests };
      this.attachJson(channels.DIGESTS_ATTACHMENT, end);
    });
  }

  /** Adds a checkpoint, which was taken before the next boundary. Ignores a checkpoint at the start of the flight. */
  checkpoint(tUs: number, snapshot: Snapshot): void {
    if (this.mcap === undefined) return;
    // A list of bytes: its length, then the bytes.
    const payload = encodeCheckpoint(snapshot, programOf(this.options.versions), 4);
    new DataView(payload.buffer).setUint32(0, payload.length - 4, true);
    this.mcap.message(channels.FIRST_WRITER + this.held.length, tUs, payload);
  }

  readonly rewindTo = (boundary: number): void => {
    if (boundary === this.boundaries) return;
    throw recordingErrors.rewound({
      what: `the file contains ${this.boundaries} boundaries, but the checkpoint was taken after ${boundary}`,
      where: { tUs: this.cells[0]! },
      fix: "record in memory if the flight is rewound, or give the branch its own recording",
    });
  };

  private begin(view: BoundaryView): void {
    const { parts } = this;
    invariant(parts !== undefined, "a recording needs `prepare` before the flight starts");
    const layout = new BusLayout(parts.dims);
    const { pack } = this.packing;
    const { versions = {}, resolved = null, resolvedHash = "", requirements = [] } = this.options;
    const { parentHash, vehicle, chunkBytes } = this.options;
    const mcap = new McapWriter(this.bytes, {
      library: ["escapement", versions["escapement"]].filter((word) => word !== undefined).join(" "),
      channels: [...channels.channelsOf(layout, parts.stateBlocks), channels.CHECKPOINT_CHANNEL],
      compress: pack,
      ...(chunkBytes === undefined ? {} : { chunkBytes }),
    });
    this.mcap = mcap;
    const head: channels.RecordingHead = {
      fileVersion: channels.FILE_VERSION,
      recordingVersion: RECORDING_VERSION,
      signalTableVersion: SIGNAL_TABLE_VERSION,
      dims: parts.dims,
      stateBlocks: parts.stateBlocks.map(recordedBlock),
      resolvedHash,
      ...(parentHash === undefined ? {} : { parentHash }),
      ...(vehicle === undefined ? {} : { vehicle }),
      versions,
    };
    this.attachJson(channels.HEAD_ATTACHMENT, head);
    this.attachJson(channels.FLIGHT_ATTACHMENT, resolved);
    if (requirements.length > 0) this.attachJson(channels.REQUIREMENTS_ATTACHMENT, requirements);
    this.stateBytes = bytesOf(view.frame, 1, view.stateSize);
    mcap.attach(channels.INITIAL_STATE_ATTACHMENT, "application/octet-stream", swapFileOrder(this.stateBytes.slice()));
    this.outputBytes = bytesOf(view.bus, ...layout.ranges.outputs);
    this.held = channels.recordedWriters(layout).map((writer, i) => {
      const [offset, size] = layout.ranges[writer];
      return {
        channel: channels.FIRST_WRITER + i,
        due: channels.dueBitOf(writer),
        words: new Int32Array(view.bus.buffer, view.bus.byteOffset + 8 * offset, 2 * size),
        bytes: bytesOf(view.bus, offset, size),
        last: new Int32Array(2 * size),
        isFirst: true,
      };
    });
  }

  private writeDigest(tUs: number): void {
    this.cells[1] = (Math.floor(tUs / SECOND_US) + 1) * SECOND_US;
    const plant = this.parts!.plantDigest?.();
    if (plant === undefined) return;
    this.secondDigests.push([tUs, plant]);
    // A CDR string: its length including the final zero, then the text.
    const text = encoder.encode(`${plant}\0`);
    const payload = new Uint8Array(4 + text.length);
    new DataView(payload.buffer).setUint32(0, text.length, true);
    payload.set(text, 4);
    this.mcap!.message(channels.DIGEST, tUs, payload);
  }

  private endChunk(): void {
    if (this.batch.count === 0) return;
    this.writeBatch();
    this.batch.clear();
    this.mcap!.endChunk();
  }

  private readonly writeBatch = (): void => {
    this.mcap!.message(channels.BOUNDARIES, this.batch.firstUs, this.batch.encode());
  };

  private attachJson(name: string, value: unknown): void {
    this.mcap!.attach(name, "application/json", encoder.encode(canonicalJson(value)));
  }
}

/** Returns the name and versions of the program, which a checkpoint must match. */
export function programOf(versions: RecordingOptions["versions"] = {}): string {
  return `escapement ${versions["escapement"] ?? "unknown"}, signals ${SIGNAL_TABLE_VERSION}`;
}

/** Copies the words to `last`. Returns true if they changed, or if this is the first call. */
function updateLast(held: HeldSignals): boolean {
  const { words, last } = held;
  let i = 0;
  if (!held.isFirst) while (i < words.length && last[i] === words[i]) i += 1;
  if (i === words.length) return false;
  held.isFirst = false;
  last.set(words);
  return true;
}

/** Returns a live view of part of an array as bytes. */
function bytesOf(values: Float64Array, offset: number, size: number): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset + 8 * offset, 8 * size);
}
