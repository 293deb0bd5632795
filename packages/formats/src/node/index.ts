/** What the codecs offer on Node only: files. */
export { FileBytes, type FileCalls, type FileOptions } from "./file.ts";
