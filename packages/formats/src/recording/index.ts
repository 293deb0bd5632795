/** Recordings as files: written while flying or from memory, read back with every checksum verified. */
import type { ByteSink } from "../logs/byte-sink.ts";
import { loadPacker } from "../mcap/pack.ts";
import { RecordingWriter, type RecordingOptions } from "./recording-writer.ts";

export { recordingErrors } from "../mcap/errors.ts";
export { encodeRecording } from "./encode.ts";
export { readRecording, type ReadRecordingOptions, type RecordingFile } from "./recording-reader.ts";
export { RecordingWriter, type RecordedParts, type RecordingOptions } from "./recording-writer.ts";

/** A writer that packs on the flying thread; `prepare` it once the flight is assembled. */
export async function openRecording(bytes: ByteSink, options: RecordingOptions = {}): Promise<RecordingWriter> {
  return new RecordingWriter(bytes, { pack: await loadPacker(), isSync: true }, options);
}
