/**
 * Writes a recording in memory as a file, as if it had been written during the flight. Only the digests per second are
 * missing, because a recording in memory does not hold them.
 *
 * It replays the recorded boundaries to the same writer that records flights, so there is only one layout.
 */
import { DUE_BITS, FlightClock, Playback, type BoundaryView, type Recording } from "@escapement/core";
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
  const playback = new Playback(recording);
  const { frame, bus } = playback;
  const stateSize = recording.initialState.length;
  const clock = new FlightClock();
  const view = { clock, frame, stateSize, bus, due: 0, outputsRan: false, inputChanged: false } satisfies BoundaryView;
  try {
    for (let i = 0; i < boundaries.timesUs.length; i += 1) {
      playback.advanceTo(boundaries.timesUs[i]!);
      writer.observe({ ...view, due: boundaries.due[i]!, outputsRan: (boundaries.due[i]! & DUE_BITS.log) !== 0 });
      if (writer.isFull) await writer.drain();
    }
  } catch (error) {
    await Promise.allSettled([writer.discard()]);
    throw error;
  }
  await writer.close();
}
