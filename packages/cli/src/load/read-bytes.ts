/** A whole file from disk; one that cannot be read is the user's mistake, and `fix` says what may help. */
import { readFileSync } from "node:fs";
import { fileErrors } from "@escapement/formats";

export function readBytes(path: string, fix: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw fileErrors.notFound({
      what: `the file cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
      where: { file: path },
      fix,
      cause: error,
    });
  }
}
