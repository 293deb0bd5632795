/**
 * Writes a recording in memory as a file, as if it had been written during the flight. Only the digests per second are
 * missing, because a recording in memory does not hold them.
 *
 * It replays the recorded boundaries to the same writer that records flights, so there is only one layout.
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
    invariant(place !== undefined, `stream ${stream.name} is not a signal`);
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

/** Copies a stream's values to their place in the state or on the bus. */
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
