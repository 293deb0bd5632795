/**
 * Reads a recording file boundary by boundary, so that memory does not grow with the length of the flight.
 *
 * Opening it reads the file once: every checksum and every number is verified, and the values of each signal are
 * counted. Each call to `play` reads it again and passes the boundaries to a visitor, as the flight passed them to its
 * observers. The list of boundaries is at the end of a chunk, so the rows of one chunk are held in memory.
 */
import {
  DUE_BITS,
  FlightClock,
  Playback,
  recordErrors,
  type BoundaryView,
  type Column,
  type Dims,
  type FingerprintDigests,
  type Readable,
  type RecordedBlock,
  rowColumns,
  type Writer,
} from "@escapement/core";
import { type ByteSource, sourceOf } from "../bytes/byte-source.ts";
import { swapFileOrder } from "../bytes/byte-order.ts";
import { type McapChannel, type McapContent, type McapFile, mcapSteps } from "../mcap/reader.ts";
import { loadZstd } from "../mcap/zstd.ts";
import { checkpointBytes, decodeBatch, decodeDigest } from "./batch.ts";
import * as channels from "./channels.ts";
import { digestsOf, nothingLeft, readFileHead, assertIsRecording, type FileHead } from "./file-head.ts";
import { signalsOf, withTypedErrors, type ReadRecordingOptions } from "./reader.ts";

/**
 * Called at every boundary. At a log tick, `row` is the row that a log received. The arrays in both arguments are
 * reused.
 */
type BoundaryVisitor = (view: BoundaryView, row: Readable) => void;

/** A recording file that is read piece by piece. */
export interface RecordingStream {
  readonly dims: Dims;
  readonly stateBlocks: readonly RecordedBlock[];
  /** The resolved flight as plain JSON; `null` for flights assembled in code. */
  readonly resolved: unknown;
  readonly resolvedHash: string;
  readonly versions: Readonly<Record<string, string>>;
  /** Name of the vehicle in the description, if the file contains it. */
  readonly vehicle?: string;
  readonly digests: FingerprintDigests;
  /** Describes the missing part of a truncated file; absent if the file is complete. */
  readonly missing?: string;
  readonly endUs: number;
  readonly boundaries: number;
  /** Number of recorded values per signal, and number of state rows. */
  readonly counts: ReadonlyMap<string, number>;
  /** The columns of a row: the state, then every signal. */
  readonly columns: readonly Column[];
  /** Passes every boundary to `visit`. Waits for `pause` after every record, and thus after every chunk. */
  play(visit: BoundaryVisitor, pause?: () => Promise<void>): Promise<void>;
}

interface OpenStreamOptions extends ReadRecordingOptions {
  /** Called before the first row is read, because the flight is known long before the end of a large file. */
  readonly onHead?: (head: Pick<RecordingStream, "resolved" | "resolvedHash">) => void;
}

/** Opens a recording file to read it piece by piece. The source must stay open until it has been played. */
export async function openRecordingStream(
  bytes: Uint8Array | ByteSource,
  options: OpenStreamOptions = {},
): Promise<RecordingStream> {
  const file = options.file ?? "recording.mcap";
  const source = sourceOf(bytes);
  assertIsRecording(source, file);
  const decompress = options.decompress ?? (await loadZstd()).decompress;
  const read = async (
    visit: BoundaryVisitor,
    pause: () => Promise<void> = async () => {},
    onHead: OpenStreamOptions["onHead"] = () => {},
  ) => {
    const player = new Player(file, visit, ({ resolved, head }) =>
      onHead({ resolved, resolvedHash: head.resolvedHash }),
    );
    const steps = mcapSteps(source, decompress, player.add, file, options);
    for (;;) {
      const { done, value } = withTypedErrors(file, () => steps.next());
      if (done === true) return { mcap: value, player };
      await pause();
    }
  };
  let boundaries = 0;
  let endUs = 0;
  const count: BoundaryVisitor = ({ frame }) => {
    boundaries += 1;
    endUs = frame[0]!;
  };
  const { mcap, player } = await read(count, undefined, options.onHead);
  return withTypedErrors(file, () => {
    const { head, resolved, layout } = player.headOf(mcap);
    player.assertNoPendingRows();
    if (boundaries === 0) throw nothingLeft(file);
    return {
      dims: head.dims,
      stateBlocks: head.stateBlocks,
      resolved,
      resolvedHash: head.resolvedHash,
      versions: head.versions,
      ...(head.vehicle === undefined ? {} : { vehicle: head.vehicle }),
      digests: digestsOf(mcap, file),
      ...(mcap.missing === undefined ? {} : { missing: mcap.missing }),
      endUs,
      boundaries,
      counts: player.counts,
      columns: rowColumns({ blocks: head.stateBlocks }, layout),
      play: async (visit, pause) => void (await read(visit, pause)),
    };
  });
}

/** A row whose boundary has not been read yet. */
interface PendingRow {
  readonly channel: number;
  readonly tUs: number;
  readonly payload: Uint8Array;
}

/** A channel of rows: its cells in the frame or on the bus, and the signals in it. */
interface Target {
  readonly cells: Float64Array;
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  readonly signals: readonly { readonly name: string; readonly offset: number; readonly size: number }[];
  /** If true, a signal is counted only when its bits change; otherwise (state and outputs) at every row. */
  readonly isHeld: boolean;
  /** True after the first row. */
  hasRow: boolean;
}

/** Turns messages into boundaries, and verifies every one. */
class Player {
  readonly counts = new Map<string, number>();
  private readonly file: string;
  private readonly visit: BoundaryVisitor;
  private readonly onHead: (head: FileHead) => void;
  private head: FileHead | undefined;
  private playback: Playback | undefined;
  private readonly targets = new Map<number, Target>();
  private pending: PendingRow[] = [];
  private readonly clock = new FlightClock();
  private lastUs = -Infinity;

  constructor(file: string, visit: BoundaryVisitor, onHead: (head: FileHead) => void) {
    this.file = file;
    this.visit = visit;
    this.onHead = onHead;
  }

  /** Returns the head, even if the file has no rows. */
  headOf(mcap: McapFile): FileHead {
    return this.head ?? readFileHead(mcap, this.file, mcap.missing !== undefined);
  }

  assertNoPendingRows(): void {
    const row = this.pending[0];
    if (row !== undefined) this.failWithoutBoundary(row);
  }

  readonly add = ({ id, schemaName }: McapChannel, tUs: number, payload: Uint8Array, soFar: McapContent): void => {
    if (!schemaName.startsWith(channels.SCHEMA_PREFIX)) return;
    this.head ??= this.begin(soFar);
    if (id === channels.BOUNDARIES) this.playBatch(payload);
    else if (id === channels.DIGEST) decodeDigest(payload);
    else if (schemaName === channels.CHECKPOINT_SCHEMA) checkpointBytes(payload);
    else this.pending.push({ channel: id, tUs, payload });
  };

  private begin(soFar: McapContent): FileHead {
    const found = readFileHead(soFar, this.file, true);
    this.onHead(found);
    const { head, layout, initialState, stateSize } = found;
    const playback = new Playback({ dims: head.dims, initialState, streams: [], logged: [] });
    this.playback = playback;
    const add = (channel: number, cells: Float64Array, signals: Target["signals"], isHeld: boolean) => {
      const { buffer, byteOffset, byteLength, length } = cells;
      const bytes = new Uint8Array(buffer, byteOffset, byteLength);
      const words = new Int32Array(buffer, byteOffset, 2 * length);
      this.targets.set(channel, { cells, bytes, words, signals, isHeld, hasRow: false });
      for (const { name } of signals) this.counts.set(name, 0);
    };
    const addWriter = (channel: number, writer: Writer, isHeld: boolean) => {
      const [start, size] = layout.ranges[writer];
      const signals = signalsOf(layout, writer).map(({ name, offset, size: width }) => ({
        name,
        offset: offset - start,
        size: width,
      }));
      add(channel, playback.bus.subarray(start, start + size), signals, isHeld);
    };
    channels.recordedWriters(layout).forEach((writer, i) => addWriter(channels.FIRST_WRITER + i, writer, true));
    add(channels.STATE, playback.frame.subarray(1), [{ name: "state", offset: 0, size: stateSize }], false);
    addWriter(channels.OUTPUTS, "outputs", false);
    return found;
  }

  private playBatch(payload: Uint8Array): void {
    const { timesUs, due } = decodeBatch(new DataView(payload.buffer, payload.byteOffset, payload.byteLength));
    const playback = this.playback!;
    const { frame, bus, row: logged } = playback;
    const view = { clock: this.clock, frame, bus, stateSize: frame.length - 1, inputChanged: false };
    let next = 0;
    timesUs.forEach((tUs, i) => {
      if (!(Number.isSafeInteger(tUs) && tUs > this.lastUs))
        this.fail(`a boundary at ${tUs} µs follows one at ${this.lastUs} µs`);
      this.lastUs = tUs;
      for (; next < this.pending.length && this.pending[next]!.tUs <= tUs; next += 1) {
        const row = this.pending[next]!;
        if (row.tUs < tUs) this.failWithoutBoundary(row);
        this.apply(row);
      }
      playback.advanceTo(tUs);
      const isLogged = (due[i]! & DUE_BITS.log) !== 0;
      this.visit({ ...view, due: due[i]!, outputsRan: isLogged }, logged);
    });
    this.pending = this.pending.slice(next);
  }

  private apply({ channel, tUs, payload }: PendingRow): void {
    const target = this.targets.get(channel);
    if (target === undefined || payload.length !== target.bytes.length) {
      throw new RangeError("a message has the wrong length for its channel");
    }
    const before = target.words.slice();
    target.bytes.set(payload);
    swapFileOrder(target.bytes);
    if (!target.cells.every(Number.isFinite)) this.fail(`a row at ${tUs} µs contains a non-finite number`);
    for (const { name, offset, size } of target.signals) {
      if (!target.isHeld || !target.hasRow || differs(before, target.words, 2 * offset, 2 * size)) {
        this.counts.set(name, this.counts.get(name)! + 1);
      }
    }
    target.hasRow = true;
  }

  private failWithoutBoundary({ tUs }: PendingRow): never {
    this.fail(`the row at ${tUs} µs does not belong to any boundary`);
  }

  private fail(what: string): never {
    throw recordErrors.invalid({ what, where: { file: this.file }, fix: "record again" });
  }
}

function differs(a: Int32Array, b: Int32Array, start: number, count: number): boolean {
  for (let i = start; i < start + count; i += 1) if (a[i] !== b[i]) return true;
  return false;
}
