/** Formats the sizes of written files, and the output of a command that only writes a file. */
import { STANDARD_STREAM } from "../load/read-files.ts";
import type { WrittenFile } from "../outputs/flight-outputs.ts";

/** Prints what was written, and on the last line what to do next. Prints nothing about standard output. */
export function printWritten(written: WrittenFile | readonly WrittenFile[], asJson: boolean, next = ""): void {
  const files = [written].flat().filter(({ path }) => path !== STANDARD_STREAM);
  if (files.length === 0) return;
  const lines = files.map(({ path, bytes }) => `wrote ${path} (${sizeText(bytes)})`);
  const text = lines.join("\n") + (next === "" ? "" : `    ${next}`);
  // The same key as in the output of `fly --json`.
  process.stdout.write(`${asJson ? JSON.stringify({ wrote: files }) : text}\n`);
}

export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
