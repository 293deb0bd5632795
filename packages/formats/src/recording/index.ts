/** Writes recording files during a flight or from memory, and reads them with every checksum verified. */
import type { ByteSink } from "../bytes/byte-sink.ts";
import { loadCompressor } from "../mcap/zstd.ts";
import { RecordingWriter, type RecordingOptions } from "./writer.ts";

export { encodeRecording } from "./encode.ts";
export { readRecordingOverview, type RecordingOverview } from "./overview.ts";
export { readRecording, type RecordingFile } from "./reader.ts";
export { openRecordingStream, type OpenStreamOptions, type RecordingStream } from "./stream.ts";
export { programOf, RecordingWriter, type RecordingOptions } from "./writer.ts";

/**
 * Opens a writer of a recording, which compresses on the calling thread. Call `prepare` once the flight is assembled.
 */
export async function openRecordingWriter(bytes: ByteSink, options: RecordingOptions = {}): Promise<RecordingWriter> {
  return new RecordingWriter(bytes, { pack: await loadCompressor(), isSync: true }, options);
}
