/** Reads and checks recordings and logs. If a file was cut short, prints what is missing. */
import { isLog, readRecording, readTable, type RecordingFile, type Table } from "@escapement/formats";
import { styleFor } from "../print/style.ts";
import { readBytes } from "./read-bytes.ts";

const CHECK_PATH = "check the path; `escapement fly --record flight.mcap` writes a recording";

type LoadedFile =
  | { readonly kind: "recording"; readonly file: RecordingFile }
  | { readonly kind: "log"; readonly table: Table };

/** Reads a recording for a command, and prints what is missing from it. */
export async function loadRecording(path: string): Promise<RecordingFile> {
  const file = await readRecording(readBytes(path, CHECK_PATH), { file: path });
  tellMissing(path, file.missing);
  return file;
}

/** Reads a recording or a log for a command, and prints what is missing from it. */
export async function loadAny(path: string): Promise<LoadedFile> {
  const loaded = await readAny(path);
  tellMissing(path, loaded.kind === "recording" ? loaded.file.missing : loaded.table.missing);
  return loaded;
}

/** Reads a recording or a log; the first bytes decide which. */
export async function readAny(path: string): Promise<LoadedFile> {
  const bytes = readBytes(path, CHECK_PATH);
  if (await isLog(bytes)) return { kind: "log", table: await readTable(bytes, undefined, path) };
  return { kind: "recording", file: await readRecording(bytes, { file: path }) };
}

function tellMissing(path: string, missing: string | undefined): void {
  if (missing === undefined) return;
  process.stderr.write(`${styleFor(process.stderr, process.env).trouble("incomplete")}  ${path}: ${missing}\n`);
}
