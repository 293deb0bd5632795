/** The output of a command that only writes a file: one line, or with `--json` the file's entry as in `fly --json`. */
import type { WrittenFile } from "../outputs/flight-outputs.ts";
import { sizeText } from "./size.ts";

export function wroteText(file: WrittenFile, asJson: boolean): string {
  return asJson ? JSON.stringify({ wrote: [file] }) : `wrote ${file.path} (${sizeText(file.bytes)})`;
}
