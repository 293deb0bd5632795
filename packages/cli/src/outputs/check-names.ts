/**
 * What can be known of the names of files before any work is done: two that are the same, a file that is there already,
 * a folder that is not there or may not be written to.
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
    // Devices and pipes are written to as they are; everything else is made in its folder.
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

/** A name must end in what the file will be: `flight.toml` as the name of a recording is a slip that costs the flight. */
export function checkEnding(path: string, ending: `.${string}`, what: string): void {
  if (path.toLowerCase().endsWith(ending)) return;
  throw fileErrors.unknownKind({
    what: `${what} is written as ${ending}, and the name says something else`,
    where: { file: path },
    fix: `let it end in ${ending}`,
  });
}
