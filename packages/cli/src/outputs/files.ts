/**
 * Checks the names of output files before any work is done (a name given twice, a file that already exists, a folder
 * that does not exist or is not writable), and writes small files in one go.
 */
import { accessSync, closeSync, constants, openSync, readSync, statSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileErrors } from "@escapement/formats";
import type { ByteSink } from "@escapement/formats";
import { FileBytes, fileError } from "@escapement/formats/node";
import { STANDARD_STREAM } from "../load/read-files.ts";

export function checkNames(paths: readonly string[], overwrite: boolean): void {
  const seen = new Set<string>();
  for (const path of paths) {
    if (path === STANDARD_STREAM && !seen.has(path)) {
      seen.add(path);
      continue;
    }
    if (seen.has(path === STANDARD_STREAM ? path : resolve(path))) {
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
  let existing;
  try {
    existing = statSync(path, { throwIfNoEntry: false });
    // Devices and pipes are opened directly; any other file is created in its folder, which must be writable.
    if (existing === undefined || existing.isFile())
      accessSync(dirname(resolve(path)), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw fileError(error, path, "cannot be created");
  }
  if (existing?.isDirectory() === true) {
    throw fileErrors.notAllowed({
      what: "the path is a folder",
      where: { file: path },
      fix: "give the name of a file",
    });
  }
  if (existing?.isFile() === true && !overwrite) {
    throw fileErrors.exists({
      what: "the file already exists",
      where: { file: path },
      fix: "choose another name, or add --overwrite",
    });
  }
}

/** Checks the extension of a name, because `--record flight.toml` could overwrite the flight file. */
export function checkEnding(path: string, ending: `.${string}`, what: string): void {
  if (path === STANDARD_STREAM || path.toLowerCase().endsWith(ending)) return;
  throw fileErrors.unknownKind({
    what: `${what} is written as ${ending}, but the name has a different extension`,
    where: { file: path },
    fix: `use a name that ends in ${ending}`,
  });
}

/** Writes a file that appears only when it is complete, and replaces an existing one only if `overwrite` is set. */
export function writeWhole(path: string, content: string | Uint8Array, overwrite: boolean): number {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  if (path === STANDARD_STREAM) {
    writeToStandardOutput(bytes);
    return bytes.length;
  }
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

/** Returns true if the start of a file contains the mark of a page of this program, which may be replaced. */
export function hasMark(path: string, mark: string): boolean {
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

/** Writes a log to standard output. */
export class StandardOutputBytes implements ByteSink {
  readonly sync = true;
  written = 0;

  write(bytes: Uint8Array): void {
    writeToStandardOutput(bytes);
    this.written += bytes.length;
  }

  close(): void {}
}

/** Writes all bytes before returning. Waits while a pipe is full. If its reader has closed it, ends the command. */
function writeToStandardOutput(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") process.exit();
      if (code !== "EAGAIN") throw fileError(error, STANDARD_STREAM, "cannot be written");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
