/** Recordings from disk, checked; what a file that was cut short lacks is told and not hidden. */
import { readFileSync } from "node:fs";
import { fileErrors, readRecording, type RecordingFile } from "@escapement/formats";
import { styleFor } from "../print/style.ts";

export async function loadRecording(path: string): Promise<RecordingFile> {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw fileErrors.notFound({
      what: `${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`,
      where: { file: path },
      fix: "check the path; `escapement fly --record flight.mcap` writes a recording",
      cause: error,
    });
  }
  const file = await readRecording(bytes, { file: path });
  if (file.missing !== undefined) {
    process.stderr.write(`${styleFor(process.stderr, process.env).trouble("incomplete")}  ${path}: ${file.missing}\n`);
  }
  return file;
}
