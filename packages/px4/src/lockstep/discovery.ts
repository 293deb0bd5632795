/**
 * Where the user's PX4 lockstep library and its message definitions are.
 *
 * Library: what is asked for, else PX4_LOCKSTEP_LIB, else the build folders of the tree that PX4_DIR names. Messages:
 * PX4_MSG_DIR, else the `msg` folder of the tree that holds the library; none is needed for a PX4 our table knows.
 */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { lockstepErrors } from "./errors.ts";

const BUILDS = ["px4_sitl_lockstep", "px4_sitl_default"];
const IN_BUILD = join("src", "lib", "px4_lockstep");

export interface LockstepPlaces {
  readonly library: string;
  /** Absent where there are no message definitions besides our own. */
  readonly messages?: string;
}

export function libraryName(platform: NodeJS.Platform = process.platform): string {
  if (platform === "darwin") return "libpx4_lockstep.dylib";
  return platform === "win32" ? "px4_lockstep.dll" : "libpx4_lockstep.so";
}

export function findLockstep(env: NodeJS.ProcessEnv = process.env): LockstepPlaces {
  const candidates = [env.PX4_LOCKSTEP_LIB, ...inTree(env.PX4_DIR)].filter((path) => path !== undefined && path !== "");
  const library = candidates.map((path) => resolve(path!)).find((path) => existsSync(path));
  if (library === undefined) {
    throw lockstepErrors.notFound({
      what:
        candidates.length === 0
          ? "PX4_LOCKSTEP_LIB is not set"
          : `none of these files exists: ${candidates.join(", ")}`,
      fix: `set PX4_LOCKSTEP_LIB to the ${libraryName()} you have built`,
    });
  }
  const messages = [env.PX4_MSG_DIR, treeOf(library)].find(
    (path) => path !== undefined && path !== "" && existsSync(path),
  );
  return { library, ...(messages === undefined ? {} : { messages }) };
}

function inTree(tree: string | undefined): string[] {
  if (tree === undefined || tree === "") return [];
  return BUILDS.map((build) => join(tree, "build", build, IN_BUILD, libraryName()));
}

/** `<tree>/build/<config>/src/lib/px4_lockstep/<library>` → `<tree>/msg`. */
function treeOf(library: string): string {
  return join(dirname(library), "..", "..", "..", "..", "..", "msg");
}
