/**
 * A recording in memory written as a file, as if it had been written while flying; only the digests of every second,
 * which nobody took, are absent.
 *
 * It walks the recorded boundaries and shows a writer what it would have seen there, so there is one writer and one
 * layout.
 */
import {
  BusLayout,
  DUE_BITS,
  FlightClock,
  invariant,
  type BoundaryView,
  type Recording,
  type Stream,
} from "@escapement/core";
import type { ByteSink } from "../bytes/byte-sink.ts";
import { loadPacker } from "../mcap/zstd.ts";
import { RecordingWriter, type RecordingOptions } from "./writer.ts";

type EncodeOptions = Pick<RecordingOptions, "versions" | "chunkBytes">;

/** Writes a recording in memory as a file's bytes. */
export async function encodeRecording(
  bytes: ByteSink,
  recording: Recording,
  options: EncodeOptions = {},
): Promise<void> {
  const { resolved, resolvedHash, dims, stateBlocks, boundaries } = recording;
  const writer = new RecordingWriter(
    bytes,
    { pack: await loadPacker(), isSync: true },
    { ...options, resolved, resolvedHash },
  );
  writer.prepare({ dims, stateBlocks, digests: () => recording.digests });
  const layout = new BusLayout(dims);
  const stateSize = recording.initialState.length;
  const frame = new Float64Array(1 + stateSize);
  const bus = new Float64Array(layout.size);
  const players = [...recording.streams, ...recording.logged].map((stream) => {
    if (stream.name === "state") return new Player(stream, frame, 1);
    const place = layout.signals.find(({ name }) => name === stream.name);
    invariant(place !== undefined, `stream ${stream.name} is no signal`);
    return new Player(stream, bus, place.offset);
  });
  frame.set(recording.initialState, 1);
  const clock = new FlightClock();
  const view = { clock, frame, stateSize, bus, due: 0, outputsRan: false, inputChanged: false } satisfies BoundaryView;
  try {
    for (let i = 0; i < boundaries.timesUs.length; i += 1) {
      frame[0] = boundaries.timesUs[i]!;
      for (const player of players) player.playTo(frame[0]!);
      writer.observe({ ...view, due: boundaries.due[i]!, outputsRan: (boundaries.due[i]! & DUE_BITS.log) !== 0 });
      if (writer.isFull) await writer.drain();
    }
  } catch (error) {
    await Promise.allSettled([writer.discard()]);
    throw error;
  }
  await writer.close();
}

/** Puts a stream's values where they lay while flying. */
class Player {
  private readonly stream: Stream;
  private readonly target: Float64Array;
  private readonly offset: number;
  private row = 0;

  constructor(stream: Stream, target: Float64Array, offset: number) {
    this.stream = stream;
    this.target = target;
    this.offset = offset;
  }

  playTo(tUs: number): void {
    const { timesUs, values, size } = this.stream;
    while (this.row < timesUs.length && timesUs[this.row]! <= tUs) {
      this.target.set(values.subarray(this.row * size, (this.row + 1) * size), this.offset);
      this.row += 1;
    }
  }
}
