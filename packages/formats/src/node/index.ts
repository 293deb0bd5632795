/** Reads and writes log and recording files on Node. */
export { FileBytes, fileError } from "./file.ts";
export { FileSource } from "./file-source.ts";
export { leftOverParts, completeNameOf } from "./parts.ts";
export {
  logKindOfName,
  openLogFile,
  openRecordingFile,
  type LogFileOptions,
  type RecordingFileOptions,
} from "./log-file.ts";
