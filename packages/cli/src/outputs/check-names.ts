/**
 * Checks file names before any work is done: a name given twice, a file that exists already, a folder that does not
 * exist or is not writable.
 */
import { accessSync, constants, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileErrors } from "@escapement/formats";
import { fileMistake } from "@escapement/formats/node";

export function checkNames(paths: readonly string[], overwrite: boolean): void {
  const seen = new Set<string>();
  for (const path of paths) {
    if (seen.has(resolve(path))) {
      throw fileErrors.exists({
        what: "the file is named twice",
        where: { file: path },
        fix: "give each a name of its own",
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
      what: "the name is that of a folder",
      where: { file: path },
      fix: "give the name of a file",
    });
  }
  if (there?.isFile() === true && !overwrite) {
    throw fileErrors.exists({
      what: "the file is there already",
      where: { file: path },
      fix: "choose another name, or --overwrite",
    });
  }
}

/** A name must have the ending of its file format: `--record flight.toml` could overwrite the flight file. */
export function checkEnding(path: string, ending: `.${string}`, what: string): void {
  if (path.toLowerCase().endsWith(ending)) return;
  throw fileErrors.unknownKind({
    what: `${what} is written as ${ending}, and the name says something else`,
    where: { file: path },
    fix: `let it end in ${ending}`,
  });
}
