/**
 * Reads files: logs and other files as a whole, recordings as a whole or piece by piece. If a recording or log was cut
 * short, prints what is missing.
 */
import { readFileSync } from "node:fs";
import type { SimError, Where } from "@escapement/core";
import {
  fileErrors,
  isLog,
  openRecordingStream,
  type OpenStreamOptions,
  type ReadLimits,
  readRecording,
  readTable,
  type RecordingFile,
  type RecordingStream,
  type Table,
} from "@escapement/formats";
import { FileSource } from "@escapement/formats/node";
import { styleFor } from "../print/style.ts";

/** The file name that means standard input or standard output. */
export const STANDARD_STREAM = "-";
const CHECK_PATH = "check the path; `escapement fly --record flight.mcap` writes a recording";

type LoadedFile =
  | { readonly kind: "recording"; readonly file: RecordingFile }
  | { readonly kind: "log"; readonly table: Table };

/** Reads a recording for a command, and prints what is missing from it. */
export async function loadRecording(path: string, limits: ReadLimits = {}): Promise<RecordingFile> {
  const file = await withSource(path, (source) => readRecording(source, { file: path, ...limits }));
  printMissing(path, file.missing);
  return file;
}

/** Functions that use a recording, which is read piece by piece, or a log. */
interface FileUses<T> {
  recording(stream: RecordingStream): Promise<T>;
  log(table: Table): Promise<T>;
}

/** Opens a recording or a log for a command, prints what is missing from it, and closes it after its use. */
export async function useFile<T>(path: string, limits: ReadLimits, uses: FileUses<T>): Promise<T> {
  return withSource(path, async (source) => {
    if (await isLog(firstBytes(source))) {
      const table = await readTable(readAll(source), undefined, path, limits);
      printMissing(path, table.missing);
      return uses.log(table);
    }
    return useStream(path, source, limits, uses.recording);
  });
}

/** Uses a recording that is read piece by piece; `readWhole` reads it into memory. */
type RecordingUse<T> = (stream: RecordingStream, readWhole: () => Promise<RecordingFile>) => Promise<T>;

/** Opens a recording for a command, prints what is missing from it, and closes it after its use. */
export function useRecording<T>(path: string, options: OpenStreamOptions, use: RecordingUse<T>): Promise<T> {
  return withSource(path, (source) => useStream(path, source, options, use));
}

/** Opens several recordings, which are then read piece by piece, and closes them after their use. */
export async function useRecordings<T>(
  [path, ...others]: readonly string[],
  limits: ReadLimits,
  use: (streams: readonly RecordingStream[]) => Promise<T>,
): Promise<T> {
  if (path === undefined) return use([]);
  return useRecording(path, limits, (stream) => useRecordings(others, limits, (streams) => use([stream, ...streams])));
}

async function useStream<T>(path: string, source: Source, given: OpenStreamOptions, use: RecordingUse<T>): Promise<T> {
  const options = { file: path, ...given };
  const stream = await openRecordingStream(source, options);
  printMissing(path, stream.missing);
  return use(stream, () => readRecording(source, options));
}

/** Reads a whole recording or log. The first bytes show which of the two it is. */
export async function readAny(path: string, limits: ReadLimits = {}): Promise<LoadedFile> {
  return withSource(path, async (source) => {
    if (!(await isLog(firstBytes(source)))) {
      return { kind: "recording", file: await readRecording(source, { file: path, ...limits }) };
    }
    return { kind: "log", table: await readTable(readAll(source), undefined, path, limits) };
  });
}

/** A file that is open, or the bytes of a pipe. */
type Source = FileSource | Uint8Array;
/** Number of bytes that is enough to recognise every kind of file. */
const FIRST_BYTES = 4096;

const firstBytes = (source: Source) =>
  source instanceof FileSource ? source.read(0, FIRST_BYTES) : source.subarray(0, FIRST_BYTES);
const readAll = (source: Source) => (source instanceof FileSource ? source.read(0, source.size) : source);

async function withSource<T>(path: string, use: (source: Source) => Promise<T>): Promise<T> {
  if (path === STANDARD_STREAM || !FileSource.canOpen(path)) return use(readBytes(path, CHECK_PATH));
  const source = openSource(path);
  try {
    return await use(source);
  } finally {
    source.close();
  }
}

function openSource(path: string): FileSource {
  try {
    return new FileSource(path);
  } catch (error) {
    throw readError(error, path, { which: "the file", where: { file: path }, fix: CHECK_PATH });
  }
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
    throw readError(error, path, { which, where: namedBy ?? { file: path }, fix });
  }
}

function readError(
  error: unknown,
  path: string,
  { which, where, fix }: { readonly which: string; readonly where: Where; readonly fix: string },
): SimError {
  const reason = (error as NodeJS.ErrnoException).code ?? String(error);
  const what = reason === "ENOENT" ? `the file ${path} does not exist` : `${which} cannot be read (${reason})`;
  return fileErrors.notFound({ what, where, fix, cause: error });
}
