/** Formats the sizes of written files, and the output of a command that only writes a file. */
import { STANDARD_STREAM } from "../load/read-files.ts";
import type { WrittenFile } from "../outputs/flight-outputs.ts";

/** Prints what was written. Prints nothing if it went to standard output. */
export function printWritten(file: WrittenFile, asJson: boolean, rest = ""): void {
  if (file.path !== STANDARD_STREAM) process.stdout.write(`${wroteText(file, asJson)}${asJson ? "" : rest}\n`);
}

/** Returns one line, or, as JSON, the file's entry as in `fly --json`. */
function wroteText(file: WrittenFile, asJson: boolean): string {
  return asJson ? JSON.stringify({ wrote: [file] }) : `wrote ${file.path} (${sizeText(file.bytes)})`;
}

export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
