/** A log that appears under its name only when it is complete, because it can be written again. */
import { statSync } from "node:fs";
import { type LogSink, openLog } from "@escapement/formats";
import { FileBytes, logKindOfName, openLogFile, type LogFileOptions } from "@escapement/formats/node";

interface WholeLog {
  readonly sink: LogSink;
  /** Size of the file after it is closed. */
  bytes(): number;
}

export async function openWholeLog(path: string, options: LogFileOptions): Promise<WholeLog> {
  const kind = logKindOfName(path);
  const bytes = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (kind === "hdf5") return { sink: await openLogFile(path, options), bytes };
  const file = new FileBytes(path, { overwrite: options.overwrite === true, whenComplete: true });
  return { sink: await openLog(kind, file, options), bytes };
}
