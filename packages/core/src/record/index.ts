export { recordingUntil } from "./cut.ts";
export { heldValues, StreamCursor } from "./cursor.ts";
export { Digest } from "./digest.ts";
export { Fingerprint, FINGERPRINT_SECTION, type FingerprintDigests } from "./fingerprint.ts";
export { asFed, type FedRecording, type ValueFeed } from "./feed.ts";
export { Recorder } from "./recorder.ts";
export {
  checkRecording,
  findBlock,
  findStream,
  recordedBlock,
  type RecordedBlock,
  type Recording,
  RECORDING_VERSION,
  sampleExactInto,
  sampleHoldInto,
  type Stream,
  streamColumn,
} from "./recording.ts";
export { Playback } from "./playback.ts";
export { RecordedColumns } from "./recorded-columns.ts";
export { RecordedRows } from "./recorded-rows.ts";
export { replayParts, ReplaySource } from "./replay.ts";
export { recordErrors } from "./errors.ts";
export {
  differencesBetween,
  firstDifference,
  firstSignalDifference,
  type Difference,
  type RecordingDifferences,
  type SignalDifference,
} from "./diff.ts";
export { ulpsBetween } from "./ulps.ts";
