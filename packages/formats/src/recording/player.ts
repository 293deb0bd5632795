/**
 * Turns the messages of a recording into boundaries, one after the other, and verifies every row.
 *
 * The rows of a chunk come before the list of its boundaries, so they are kept until the list has been read.
 */
import {
  DUE_BITS,
  FlightClock,
  Playback,
  recordErrors,
  type BoundaryView,
  type DigestMark,
  type Readable,
  type Writer,
} from "@escapement/core";
import { swapFileOrder } from "../bytes/byte-order.ts";
import type { McapChannel, McapContent, McapFile } from "../mcap/reader.ts";
import { checkpointBytes, decodeBatch, decodeDigest } from "./batch.ts";
import * as channels from "./channels.ts";
import { readFileHead, type FileHead } from "./file-head.ts";
import { signalsOf } from "./reader.ts";

/** A row whose boundary has not been played yet. */
interface PendingRow {
  readonly channel: number;
  readonly tUs: number;
  readonly payload: Uint8Array;
}

/** Boundaries that have been read but not yet played. */
interface Batch {
  readonly timesUs: readonly number[];
  readonly due: readonly number[];
}

/** A channel of rows: its cells in the frame or on the bus, and the signals in it. */
interface Target {
  readonly cells: Float64Array;
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  /** The previous row as 32-bit words. */
  readonly before: Int32Array;
  readonly signals: readonly SignalRange[];
  /**
   * Number of recorded values per signal. A held signal is counted when its bits change, any other signal at every row.
   */
  readonly counts: Uint32Array;
  readonly isHeld: boolean;
  hasRow: boolean;
}

interface SignalRange {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
}

/** Functions that are called while a file is read. */
export interface PlayerHooks {
  readonly onHead?: (head: FileHead) => void;
  /** Called with the bytes of each checkpoint, ascending in time. */
  readonly onCheckpoint?: (bytes: Uint8Array) => void;
}

const EMPTY: Batch = { timesUs: [], due: [] };

export class Player {
  /** The plant digest after the first boundary of every second. */
  readonly perSecond: DigestMark[] = [];
  hasPlayed = false;
  private readonly file: string;
  private readonly hooks: PlayerHooks;
  private readonly clock = new FlightClock();
  private readonly targets = new Map<number, Target>();
  private readonly byWriter = new Map<Writer, Target>();
  private head: FileHead | undefined;
  private playback: Playback | undefined;
  private current: (BoundaryView & { due: number; outputsRan: boolean }) | undefined;
  private pending: PendingRow[] = [];
  private nextRow = 0;
  private readonly batches: Batch[] = [];
  private batch: Batch = EMPTY;
  private nextBoundary = 0;
  private lastUs = -Infinity;

  constructor(file: string, hooks: PlayerHooks = {}) {
    this.file = file;
    this.hooks = hooks;
  }

  /** Number of recorded values per signal, and number of rows of the state. */
  get counts(): ReadonlyMap<string, number> {
    const all = [...this.targets.values()].flatMap(({ signals, counts }) =>
      signals.map(({ name }, i) => [name, counts[i]!] as const),
    );
    return new Map(all);
  }

  /** The boundary that was played last. The object is reused. */
  get view(): BoundaryView {
    return this.current!;
  }

  /** The state, then the bus. At a log tick, this is the row that a log received. */
  get row(): Readable {
    return this.playback!.row;
  }

  /** Time of the next boundary; −∞ if more of the file must be read first. */
  get nextUs(): number {
    return this.batch.timesUs[this.nextBoundary] ?? this.batches[0]?.timesUs[0] ?? -Infinity;
  }

  hasRow(writer: Writer): boolean {
    return this.byWriter.get(writer)?.hasRow ?? false;
  }

  /** Returns the head, even if the file has no rows. */
  headOf(mcap: McapFile): FileHead {
    return this.head ?? readFileHead(mcap, this.file, mcap.missing !== undefined);
  }

  assertNoPendingRows(): void {
    const row = this.pending[this.nextRow];
    if (row !== undefined) this.reject(`there is a row at ${row.tUs} µs, at which there was no boundary`);
  }

  readonly add = ({ id, schemaName }: McapChannel, tUs: number, payload: Uint8Array, soFar: McapContent): void => {
    if (!schemaName.startsWith(channels.SCHEMA_PREFIX)) return;
    this.head ??= this.begin(soFar);
    if (id === channels.BOUNDARIES) {
      this.batches.push(decodeBatch(new DataView(payload.buffer, payload.byteOffset, payload.byteLength)));
    } else if (id === channels.DIGEST) this.perSecond.push([tUs, decodeDigest(payload)]);
    else if (schemaName === channels.CHECKPOINT_SCHEMA) {
      const bytes = checkpointBytes(payload);
      this.hooks.onCheckpoint?.(bytes);
    } else this.pending.push({ channel: id, tUs, payload });
  };

  /** Plays the next boundary. Returns false if more of the file must be read first. */
  playNext(): boolean {
    while (this.nextBoundary === this.batch.timesUs.length) {
      const batch = this.batches.shift();
      this.dropPlayedRows();
      this.batch = batch ?? EMPTY;
      this.nextBoundary = 0;
      if (batch === undefined) return false;
    }
    this.playBoundary(this.batch.timesUs[this.nextBoundary]!, this.batch.due[this.nextBoundary]!);
    this.nextBoundary += 1;
    return true;
  }

  private begin(soFar: McapContent): FileHead {
    const found = readFileHead(soFar, this.file, true);
    this.hooks.onHead?.(found);
    const { head, layout, initialState, stateSize } = found;
    const playback = new Playback({ dims: head.dims, initialState, streams: [], logged: [] });
    this.playback = playback;
    const { frame, bus } = playback;
    const nothingDue = { due: 0, outputsRan: false, inputChanged: false };
    this.current = { clock: this.clock, frame, bus, stateSize: frame.length - 1, ...nothingDue };
    const ofWriter = (writer: Writer, isHeld: boolean) => {
      const [start, size] = layout.ranges[writer];
      const signals = signalsOf(layout, writer).map((placed) => ({ ...placed, offset: placed.offset - start }));
      return newTarget(bus.subarray(start, start + size), signals, isHeld);
    };
    channels.recordedWriters(layout).forEach((writer, i) => {
      const target = ofWriter(writer, true);
      this.targets.set(channels.FIRST_WRITER + i, target);
      this.byWriter.set(writer, target);
    });
    const state = [{ name: "state", offset: 0, size: stateSize }];
    this.targets.set(channels.STATE, newTarget(frame.subarray(1), state, false));
    this.targets.set(channels.OUTPUTS, ofWriter("outputs", false));
    return found;
  }

  private playBoundary(tUs: number, due: number): void {
    if (!(Number.isSafeInteger(tUs) && tUs > this.lastUs))
      this.reject(`a boundary at ${tUs} µs follows a boundary at ${this.lastUs} µs`);
    this.lastUs = tUs;
    for (; this.nextRow < this.pending.length && this.pending[this.nextRow]!.tUs <= tUs; this.nextRow += 1) {
      const row = this.pending[this.nextRow]!;
      if (row.tUs < tUs) this.reject(`there is a row at ${row.tUs} µs, at which there was no boundary`);
      this.apply(row);
    }
    this.clock.set(tUs);
    this.playback!.advanceTo(tUs);
    const current = this.current!;
    current.due = due;
    current.outputsRan = (due & DUE_BITS.log) !== 0;
    this.hasPlayed = true;
  }

  private apply({ channel, tUs, payload }: PendingRow): void {
    const target = this.targets.get(channel);
    if (target === undefined || payload.length !== target.bytes.length) {
      throw new RangeError("a message has the wrong length for its channel");
    }
    const { before, words, signals, counts, isHeld, hasRow } = target;
    before.set(words);
    target.bytes.set(payload);
    swapFileOrder(target.bytes);
    if (!target.cells.every(Number.isFinite)) this.reject(`a row at ${tUs} µs contains a number that is not finite`);
    for (let i = 0; i < signals.length; i += 1) {
      const { offset, size } = signals[i]!;
      if (!isHeld || !hasRow || differs(before, words, 2 * offset, 2 * size)) counts[i]! += 1;
    }
    target.hasRow = true;
  }

  private dropPlayedRows(): void {
    this.pending = this.pending.slice(this.nextRow);
    this.nextRow = 0;
  }

  private reject(what: string): never {
    throw recordErrors.invalid({ what, where: { file: this.file }, fix: "record again" });
  }
}

function newTarget(cells: Float64Array, signals: readonly SignalRange[], isHeld: boolean): Target {
  const { buffer, byteOffset, byteLength, length } = cells;
  return {
    cells,
    bytes: new Uint8Array(buffer, byteOffset, byteLength),
    words: new Int32Array(buffer, byteOffset, 2 * length),
    before: new Int32Array(2 * length),
    signals,
    counts: new Uint32Array(signals.length),
    isHeld,
    hasRow: false,
  };
}

function differs(a: Int32Array, b: Int32Array, start: number, count: number): boolean {
  for (let i = start; i < start + count; i += 1) if (a[i] !== b[i]) return true;
  return false;
}
