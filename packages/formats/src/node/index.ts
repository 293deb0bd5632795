/** What the codecs offer on Node only: files. */
export { FileBytes, type FileCalls, type FileOptions } from "./file.ts";
export { openHdf5File } from "./hdf5-file.ts";
