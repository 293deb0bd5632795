/** Reads a whole file. If it cannot be read, throws a typed error with the text `fix`. */
import { readFileSync } from "node:fs";
import type { Where } from "@escapement/core";
import { fileErrors } from "@escapement/formats";

/** `namedBy`: the key that names the file, if the user must fix that key. */
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
