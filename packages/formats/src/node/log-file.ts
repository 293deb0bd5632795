/**
 * Opens log and recording files. The file extension selects the kind. A file of a kind that cannot be read until it is
 * complete gets its name on close.
 */
import type { LogSink } from "../logs/log-sink.ts";
import { narrow } from "../logs/narrow.ts";
import { openLog, type LogOptions } from "../logs/open-log.ts";
import { LOG_KINDS, type LogKind } from "../logs/read-table.ts";
import { loadCompressor } from "../mcap/zstd.ts";
import { type Packing, RecordingWriter, type RecordingOptions } from "../recording/writer.ts";
import { fileErrors } from "../text/file-errors.ts";
import { FileBytes, type FileOptions } from "./file.ts";
import { openHdf5File } from "./hdf5-file.ts";
import { borrowZstdThread } from "./zstd-worker.ts";

const ENDINGS: Readonly<Record<LogKind, readonly string[]>> = {
  csv: ["csv"],
  ulog: ["ulg"],
  mcap: ["mcap"],
  hdf5: ["h5", "hdf5"],
  parquet: ["parquet"],
};

export function logKindOfName(path: string): LogKind {
  const ending = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  const kind = LOG_KINDS.find((candidate) => ENDINGS[candidate].includes(ending));
  if (kind !== undefined) return kind;
  throw fileErrors.unknownKind({
    what: "the file extension is not that of a log",
    where: { file: path },
    fix: `use one of: ${LOG_KINDS.flatMap((known) => ENDINGS[known])
      .map((known) => `.${known}`)
      .join(", ")}`,
  });
}

export interface LogFileOptions extends LogOptions, Pick<FileOptions, "overwrite"> {}

export async function openLogFile(path: string, options: LogFileOptions = {}): Promise<LogSink> {
  const kind = logKindOfName(path);
  const overwrite = options.overwrite === true;
  if (kind === "hdf5") return narrow(await openHdf5File(path, options.provenance, { overwrite }), options);
  return openLog(kind, new FileBytes(path, { overwrite, whenComplete: kind === "parquet" }), options);
}

export interface RecordingFileOptions extends RecordingOptions, Pick<FileOptions, "overwrite"> {
  /** Compresses chunks on a worker thread. The flight must then run asynchronously. */
  readonly inWorker?: boolean;
}

export async function openRecordingFile(path: string, options: RecordingFileOptions = {}): Promise<RecordingWriter> {
  const packing: Packing =
    options.inWorker === true ? borrowZstdThread() : { pack: await loadCompressor(), isSync: true };
  try {
    return new RecordingWriter(new FileBytes(path, { overwrite: options.overwrite === true }), packing, options);
  } catch (error) {
    await packing.release?.();
    throw error;
  }
}
