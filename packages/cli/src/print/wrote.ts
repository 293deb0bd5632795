/** What a command says that writes a file and nothing else: a line, or for a program what `fly --json` says of its files. */
import type { WrittenFile } from "../outputs/flight-outputs.ts";
import { sizeText } from "./size.ts";

export function wroteText(file: WrittenFile, asJson: boolean): string {
  return asJson ? JSON.stringify({ wrote: [file] }) : `wrote ${file.path} (${sizeText(file.bytes)})`;
}
