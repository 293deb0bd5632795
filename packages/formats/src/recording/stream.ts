/**
 * Reads a recording file boundary by boundary, so that memory does not grow with the length of the flight.
 *
 * Opening the recording reads the file once: every checksum and every number is verified, and the values of each signal
 * are counted. Each call to `play` reads the file again and passes the boundaries to a visitor, as the flight passed
 * them to its observers. A replay (`fed`) also reads the file again, while it flies. A chunk ends with the list of its
 * boundaries, so its rows are kept in memory until that list has been read.
 */
import {
  type BoundaryView,
  type Column,
  type DigestMark,
  type Dims,
  type FedRecording,
  type FingerprintDigests,
  type Readable,
  type RecordedBlock,
  Recorder,
  type Recording,
  recordingUntil,
  type ResolvedRequirement,
  rowColumns,
  type ValueFeed,
} from "@escapement/core";
import { type ByteSource, sourceOf } from "../bytes/byte-source.ts";
import { type McapFile, mcapSteps } from "../mcap/reader.ts";
import { loadZstd } from "../mcap/zstd.ts";
import { BoundaryBatch } from "./batch.ts";
import { digestsOf, nothingLeft, assertIsRecording } from "./file-head.ts";
import { Player, type PlayerHooks } from "./player.ts";
import { withTypedErrors, type ReadRecordingOptions } from "./reader.ts";

/**
 * Called at every boundary. At a log tick, `row` is the row that a log received. Both arguments are reused.
 */
type BoundaryVisitor = (view: BoundaryView, row: Readable) => void;

/** A recording file that is read piece by piece. */
export interface RecordingStream {
  readonly dims: Dims;
  readonly stateBlocks: readonly RecordedBlock[];
  /** The resolved flight as plain JSON; `null` for flights assembled in code. */
  readonly resolved: unknown;
  readonly resolvedHash: string;
  /** The requirements of the flight; empty if the file contains none. */
  readonly requirements: readonly ResolvedRequirement[];
  readonly versions: Readonly<Record<string, string>>;
  /** Name of the vehicle in the description, if the file contains it. */
  readonly vehicle?: string;
  readonly digests: FingerprintDigests;
  /** Describes the missing part of a truncated file; absent if the file is complete. */
  readonly missing?: string;
  readonly endUs: number;
  readonly boundaries: number;
  /** Number of recorded values per signal, and number of rows of the state. */
  readonly counts: ReadonlyMap<string, number>;
  /** The columns of a row: the state, then every signal. */
  readonly columns: readonly Column[];
  /** The plant digest after the first boundary of every second. */
  readonly perSecond: readonly DigestMark[];
  /** Passes every boundary to `visit`. Waits for `pause` after every record. A chunk is one record. */
  play(visit: BoundaryVisitor, pause?: () => Promise<void>): Promise<void>;
  /** Returns the recording for a replay, which reads the file while it flies. */
  fed(): FedRecording;
  /** Reads the recording into memory, up to its last log tick at or before a time. */
  until(untilUs: number): Promise<Recording>;
}

export interface OpenStreamOptions extends ReadRecordingOptions {
  /** Called before the first row is read, long before the end of a large file. */
  readonly onHead?: (head: Pick<RecordingStream, "resolved" | "resolvedHash" | "requirements">) => void;
  /** Called with the bytes of each checkpoint while the file is opened; `decodeCheckpoint` reads them. */
  readonly onCheckpoint?: (bytes: Uint8Array) => void;
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
  const pass = (hooks: PlayerHooks = {}) => {
    const player = new Player(file, hooks);
    return new Pass(player, mcapSteps(source, decompress, player.add, file, options), file);
  };
  const { onHead, onCheckpoint = () => {} } = options;
  const first = pass({
    onHead: ({ resolved, requirements, head }) => onHead?.({ resolved, resolvedHash: head.resolvedHash, requirements }),
    onCheckpoint,
  });
  const { player } = first;
  const boundaries = new BoundaryBatch();
  const mcap = await first.play(({ frame, due }) => boundaries.push(frame[0]!, due));
  return withTypedErrors(file, () => {
    const { head, resolved, requirements, layout, initialState } = player.headOf(mcap);
    player.assertNoPendingRows();
    if (boundaries.count === 0) throw nothingLeft(file);
    const { timesUs, due } = boundaries.whole();
    const facts = {
      dims: head.dims,
      stateBlocks: head.stateBlocks,
      resolved,
      resolvedHash: head.resolvedHash,
      digests: digestsOf(mcap, file),
      endUs: timesUs.at(-1)!,
    };
    const fed = (): FedRecording => ({
      ...facts,
      version: head.recordingVersion,
      signalTableVersion: head.signalTableVersion,
      initialState,
      startUs: timesUs[0]!,
      boundaries: { timesUs, due },
      openFeed: () => pass().feed(),
    });
    return {
      ...facts,
      requirements,
      versions: head.versions,
      ...(head.vehicle === undefined ? {} : { vehicle: head.vehicle }),
      ...(mcap.missing === undefined ? {} : { missing: mcap.missing }),
      boundaries: timesUs.length,
      counts: player.counts,
      columns: rowColumns({ blocks: head.stateBlocks }, layout),
      perSecond: player.perSecond,
      play: async (visit, pause) => void (await pass().play(visit, pause)),
      fed,
      until: (untilUs) => readUntil(recordingUntil(fed(), untilUs), pass()),
    };
  });
}

/** Reads a recording, which may be incomplete, into memory. */
async function readUntil({ openFeed: _openFeed, ...part }: FedRecording, pass: Pass): Promise<Recording> {
  const size = part.initialState.length;
  const recorder = new Recorder(part.dims, { size, blocks: part.stateBlocks });
  await pass.play((view) => {
    if (view.frame[0]! <= part.endUs) recorder.observe(view);
  });
  const { streams, logged } = recorder.finish({ digests: part.digests });
  return { ...part, streams, logged };
}

/** One reading of the file from its beginning. */
class Pass {
  readonly player: Player;
  private readonly steps: Generator<undefined, McapFile>;
  private readonly file: string;

  constructor(player: Player, steps: Generator<undefined, McapFile>, file: string) {
    this.player = player;
    this.steps = steps;
    this.file = file;
  }

  async play(visit: BoundaryVisitor, pause: () => Promise<void> = async () => {}): Promise<McapFile> {
    for (;;) {
      const { done, value } = withTypedErrors(this.file, () => {
        const step = this.steps.next();
        while (this.player.playNext()) visit(this.player.view, this.player.row);
        return step;
      });
      if (done === true) return value;
      await pause();
    }
  }

  /** Reads up to the first boundary, so that the bus exists. */
  feed(): ValueFeed {
    this.readTo(-Infinity);
    return {
      bus: this.player.view.bus as Float64Array,
      frame: this.player.view.frame as Float64Array,
      advanceTo: (tUs) => this.readTo(tUs),
      hasRow: (writer) => this.player.hasRow(writer),
    };
  }

  /** Plays every boundary up to a time, and at least the first. */
  private readTo(tUs: number): void {
    const { player } = this;
    withTypedErrors(this.file, () => {
      while (!player.hasPlayed || player.nextUs <= tUs) {
        if (player.playNext()) continue;
        if (this.steps.next().done === true) return;
      }
    });
  }
}
