/**
 * Finds the user's PX4 lockstep library and its message definitions.
 *
 * Library: PX4_LOCKSTEP_LIB, or else the build folders of the tree that PX4_DIR names. Messages: PX4_MSG_DIR, or else
 * the `msg` folder of the tree that contains the library, or else our own table. A variable that is set but wrong is an
 * error without a fallback, because a file found elsewhere is not the file that the user meant.
 */
import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Environment, isFile, isFolder, valueOf } from "../places.ts";
import { lockstepErrors } from "./errors.ts";

const BUILDS = ["px4_sitl_lockstep", "px4_sitl_default"];
const IN_BUILD = join("src", "lib", "px4_lockstep");

export interface LockstepPaths {
  readonly library: string;
  /** Folder of the message definitions; undefined if only our own table is available. */
  readonly messages?: string;
}

export function libraryName(platform: string = process.platform): string {
  if (platform === "darwin") return "libpx4_lockstep.dylib";
  return platform === "win32" ? "px4_lockstep.dll" : "libpx4_lockstep.so";
}

export function findLockstep(env: Environment = process.env): LockstepPaths {
  const library = findLibrary(env);
  const messages = findMessages(env, library);
  return { library, ...(messages === undefined ? {} : { messages }) };
}

function findLibrary(env: Environment): string {
  const named = valueOf(env, "PX4_LOCKSTEP_LIB");
  const tree = valueOf(env, "PX4_DIR");
  const fix = `set PX4_LOCKSTEP_LIB to the ${libraryName()} that you have built`;
  if (named !== undefined) {
    if (isFile(resolve(named))) return resolve(named);
    throw lockstepErrors.notFound({ what: `PX4_LOCKSTEP_LIB names ${resolve(named)}, which is not a file`, fix });
  }
  if (tree === undefined) throw lockstepErrors.notFound({ what: "PX4_LOCKSTEP_LIB is not set", fix });
  const candidates = BUILDS.map((build) => resolve(tree, "build", build, IN_BUILD, libraryName()));
  const found = candidates.find(isFile);
  if (found !== undefined) return found;
  const what = isFolder(tree)
    ? `the tree that PX4_DIR names has none of these files: ${candidates.join(", ")}`
    : `PX4_DIR names ${resolve(tree)}, which is not a folder`;
  throw lockstepErrors.notFound({ what, fix });
}

function findMessages(env: Environment, library: string): string | undefined {
  const named = valueOf(env, "PX4_MSG_DIR");
  if (named === undefined) return isFolder(messagesOf(library)) ? messagesOf(library) : undefined;
  if (isFolder(resolve(named)) && hasMessages(resolve(named))) return resolve(named);
  const what = isFolder(resolve(named)) ? "contains no .msg files" : "is not a folder";
  throw lockstepErrors.notFound({
    what: `PX4_MSG_DIR names ${resolve(named)}, which ${what}`,
    fix: "set it to the msg folder of the PX4 tree from which this library was built",
  });
}

function hasMessages(folder: string): boolean {
  return readdirSync(folder).some((name) => name.endsWith(".msg"));
}

/** Maps `<tree>/build/<config>/src/lib/px4_lockstep/<library>` to `<tree>/msg`. */
function messagesOf(library: string): string {
  return join(dirname(library), "..", "..", "..", "..", "..", "msg");
}
