/** A whole file from disk; one that cannot be read is the user's mistake, and `fix` says what may help. */
import { readFileSync } from "node:fs";
import type { Where } from "@escapement/core";
import { fileErrors } from "@escapement/formats";

/** `namedBy`: the place that names the file, where that is what has to be mended. */
export function readBytes(path: string, fix: string, namedBy?: Where): Uint8Array {
  try {
    return readFileSync(path);
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
