/**
 * Writes a recording that is in memory as a file, as if it had been written during the flight. A recording in memory
 * does not contain the digest of every second; these digests are written only if the caller supplies them.
 *
 * It replays the recorded boundaries to the same writer that records flights, so there is only one layout.
 */
import { DUE_BITS, FlightClock, Playback, type BoundaryView, type Recording } from "@escapement/core";
import type { ByteSink } from "../bytes/byte-sink.ts";
import { loadCompressor } from "../mcap/zstd.ts";
import { RecordingWriter, type RecordingOptions } from "./writer.ts";

interface EncodeOptions extends Pick<
  RecordingOptions,
  "requirements" | "versions" | "parentHash" | "vehicle" | "chunkBytes"
> {
  /** The plant digest after the first boundary of every second, as `readRecording` returns it. */
  readonly perSecond?: readonly (readonly [tUs: number, plant: string])[];
}

/** Encodes a recording that is in memory as the bytes of a file. */
export async function encodeRecording(
  bytes: ByteSink,
  recording: Recording,
  options: EncodeOptions = {},
): Promise<void> {
  const { resolved, resolvedHash, dims, stateBlocks, boundaries } = recording;
  const writer = new RecordingWriter(
    bytes,
    { pack: await loadCompressor(), isSync: true },
    { ...options, resolved, resolvedHash },
  );
  const { perSecond } = options;
  let second = 0;
  writer.prepare({
    dims,
    stateBlocks,
    digests: () => recording.digests,
    // The writer requests the digests once per second, at the boundaries at which they were taken.
    ...(perSecond === undefined ? {} : { plantDigest: () => perSecond[second++]?.[1] ?? "" }),
  });
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
