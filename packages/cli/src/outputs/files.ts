/**
 * Output files: names are checked before any work is done (a name given twice, a file that exists already, a folder that
 * does not exist or is not writable), and small files are written at once.
 */
import { accessSync, closeSync, constants, openSync, readSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileErrors } from "@escapement/formats";
import { FileBytes, fileMistake } from "@escapement/formats/node";

export function checkNames(paths: readonly string[], overwrite: boolean): void {
  const seen = new Set<string>();
  for (const path of paths) {
    if (seen.has(resolve(path))) {
      throw fileErrors.exists({
        what: "the same file is named twice",
        where: { file: path },
        fix: "give each output its own name",
      });
    }
    seen.add(resolve(path));
    checkName(path, overwrite);
  }
}

function checkName(path: string, overwrite: boolean): void {
  let there;
  try {
    there = statSync(path, { throwIfNoEntry: false });
    // Devices and pipes are opened directly; any other file is created in its folder, which must be writable.
    if (there === undefined || there.isFile()) accessSync(dirname(resolve(path)), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw fileMistake(error, path, "cannot be created");
  }
  if (there?.isDirectory() === true) {
    throw fileErrors.notAllowed({
      what: "the path is a folder",
      where: { file: path },
      fix: "give the name of a file",
    });
  }
  if (there?.isFile() === true && !overwrite) {
    throw fileErrors.exists({
      what: "the file already exists",
      where: { file: path },
      fix: "choose another name, or --overwrite",
    });
  }
}

/** A name must have the extension of its format: `--record flight.toml` could overwrite the flight file. */
export function checkEnding(path: string, ending: `.${string}`, what: string): void {
  if (path.toLowerCase().endsWith(ending)) return;
  throw fileErrors.unknownKind({
    what: `${what} is written as ${ending}, but the name has another extension`,
    where: { file: path },
    fix: `use a name that ends in ${ending}`,
  });
}

/** Writes a file that appears only when complete, and replaces another only if `overwrite` is set. */
export function writeWhole(path: string, content: string | Uint8Array, overwrite: boolean): number {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const file = new FileBytes(path, { overwrite, whenComplete: true });
  try {
    file.write(bytes);
  } catch (error) {
    file.discard();
    throw error;
  }
  file.close();
  return bytes.length;
}

/** Whether a file begins like one that this program can generate again; false if there is no file. */
export function startsLike(path: string, mark: string): boolean {
  const head = Buffer.alloc(400);
  try {
    const fd = openSync(path, "r");
    try {
      return head.toString("utf8", 0, readSync(fd, head, 0, head.length, 0)).includes(mark);
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}
