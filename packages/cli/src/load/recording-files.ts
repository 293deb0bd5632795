/** Recordings and logs from disk, checked; what a file that was cut short lacks is told and not hidden. */
import { isLog, readRecording, readTable, type RecordingFile, type Table } from "@escapement/formats";
import { styleFor } from "../print/style.ts";
import { readBytes } from "./read-bytes.ts";

const CHECK_PATH = "check the path; `escapement fly --record flight.mcap` writes a recording";

type LoadedFile =
  | { readonly kind: "recording"; readonly file: RecordingFile }
  | { readonly kind: "log"; readonly table: Table };

/** A recording for a command; says on the terminal what is missing. */
export async function loadRecording(path: string): Promise<RecordingFile> {
  const file = await readRecording(readBytes(path, CHECK_PATH), { file: path });
  tellMissing(path, file.missing);
  return file;
}

/** A recording or a log for a command. */
export async function loadAny(path: string): Promise<LoadedFile> {
  const loaded = await readAny(path);
  tellMissing(path, loaded.kind === "recording" ? loaded.file.missing : loaded.table.missing);
  return loaded;
}

/** Whatever a file is, by its first bytes. */
export async function readAny(path: string): Promise<LoadedFile> {
  const bytes = readBytes(path, CHECK_PATH);
  if (await isLog(bytes)) return { kind: "log", table: await readTable(bytes, undefined, path) };
  return { kind: "recording", file: await readRecording(bytes, { file: path }) };
}

function tellMissing(path: string, missing: string | undefined): void {
  if (missing === undefined) return;
  process.stderr.write(`${styleFor(process.stderr, process.env).trouble("incomplete")}  ${path}: ${missing}\n`);
}
