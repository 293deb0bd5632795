/** What the codecs offer on Node only: files. */
export { FileBytes, type FileCalls, type FileOptions } from "./file.ts";
export {
  logKindOfName,
  openLogFile,
  openRecordingFile,
  type LogFileOptions,
  type RecordingFileOptions,
} from "./log-file.ts";
