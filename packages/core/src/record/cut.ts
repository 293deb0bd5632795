/**
 * Cuts a recording after its last log tick at or before a given time.
 *
 * In an open-loop replay, a vehicle in the air drifts away from the recorded flight, and the drift grows with time. So
 * integrators are compared only over the first part of a flight, before the drift dominates. A recording that was cut
 * has no digests, because digests cover the whole flight.
 */
import { DUE_BITS } from "../engine/index.ts";
import { lowerBound } from "../time/index.ts";
import type { FedRecording } from "./feed.ts";
import type { Recording, Stream } from "./recording.ts";

/** Keeps at least the first boundary. Returns the recording itself if there is nothing to cut. */
export function recordingUntil<R extends Recording | FedRecording>(recording: R, untilUs: number): R {
  const { timesUs, due } = recording.boundaries;
  let last = lowerBound(timesUs, untilUs + 1) - 1;
  while (last > 0 && (due[last]! & DUE_BITS.log) === 0) last -= 1;
  if (last === timesUs.length - 1) return recording;
  const count = Math.max(1, last + 1);
  const endUs = timesUs[count - 1]!;
  return {
    ...recording,
    endUs,
    boundaries: { timesUs: timesUs.slice(0, count), due: due.slice(0, count) },
    ...("streams" in recording
      ? {
          streams: recording.streams.map((stream) => streamUntil(stream, endUs)),
          logged: recording.logged.map((stream) => streamUntil(stream, endUs)),
        }
      : {}),
    digests: { ...recording.digests, plant: "", writers: {} },
  };
}

function streamUntil(stream: Stream, endUs: number): Stream {
  const rows = lowerBound(stream.timesUs, endUs + 1);
  return { ...stream, timesUs: stream.timesUs.slice(0, rows), values: stream.values.slice(0, rows * stream.size) };
}
