/** Log and recording files, on Node. */
export { FileBytes, fileMistake } from "./file.ts";
export { FileSource } from "./file-source.ts";
export { leftOverParts, nameOfPart } from "./parts.ts";
export {
  logKindOfName,
  openLogFile,
  openRecordingFile,
  type LogFileOptions,
  type RecordingFileOptions,
} from "./log-file.ts";
