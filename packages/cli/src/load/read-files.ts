/** Reads files whole: any bytes, and recordings and logs. If a recording or log was cut short, prints what is missing. */
import { readFileSync } from "node:fs";
import type { Where } from "@escapement/core";
import {
  fileErrors,
  isLog,
  type ReadLimits,
  readRecording,
  readTable,
  type RecordingFile,
  type Table,
} from "@escapement/formats";
import { styleFor } from "../print/style.ts";

/** The file name that means standard input or standard output. */
export const STANDARD_STREAM = "-";
const CHECK_PATH = "check the path; `escapement fly --record flight.mcap` writes a recording";

type LoadedFile =
  | { readonly kind: "recording"; readonly file: RecordingFile }
  | { readonly kind: "log"; readonly table: Table };

/** Reads a recording for a command, and prints what is missing from it. */
export async function loadRecording(path: string, limits: ReadLimits = {}): Promise<RecordingFile> {
  const file = await readRecording(readBytes(path, CHECK_PATH), { file: path, ...limits });
  printMissing(path, file.missing);
  return file;
}

/** Reads a recording or a log for a command, and prints what is missing from it. */
export async function loadAny(path: string, limits: ReadLimits = {}): Promise<LoadedFile> {
  const loaded = await readAny(path, limits);
  printMissing(path, loaded.kind === "recording" ? loaded.file.missing : loaded.table.missing);
  return loaded;
}

/** Reads a recording or a log; the first bytes decide which. */
export async function readAny(path: string, limits: ReadLimits = {}): Promise<LoadedFile> {
  const bytes = readBytes(path, CHECK_PATH);
  if (await isLog(bytes)) return { kind: "log", table: await readTable(bytes, undefined, path, limits) };
  return { kind: "recording", file: await readRecording(bytes, { file: path, ...limits }) };
}

function printMissing(path: string, missing: string | undefined): void {
  if (missing === undefined) return;
  process.stderr.write(`${styleFor(process.stderr, process.env).trouble("incomplete")}  ${path}: ${missing}\n`);
}

/**
 * Reads a whole file. If it cannot be read, throws a typed error with the text `fix`. `namedBy` is the key that names
 * the file, if the user must fix that key.
 */
export function readBytes(path: string, fix: string, namedBy?: Where): Uint8Array {
  try {
    return readFileSync(path === STANDARD_STREAM ? 0 : path);
  } catch (error) {
    const which = namedBy === undefined ? "the file" : `the file ${path}`;
    throw fileErrors.notFound({
      what: `${which} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
      where: namedBy ?? { file: path },
      fix,
      cause: error,
    });
  }
}
