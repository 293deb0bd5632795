/**
 * Reports, for `doctor`, which parts of PX4 this machine has and how to install the missing parts. It starts no process
 * and creates no file.
 */
import { SimError } from "@escapement/core";
import { ABI_VERSION, loadAbi } from "./lockstep/abi.ts";
import { findLockstep } from "./lockstep/discovery.ts";
import { findSitl } from "./sitl/px4-process.ts";
import type { Environment } from "./places.ts";

/** One part of PX4, present or missing. */
export interface Px4Finding {
  readonly name: string;
  readonly isThere: boolean;
  /** If present, its path and abilities. If missing, the reason and the fix. */
  readonly what: string;
}

/** Lists the parts of PX4 that this machine has or lacks. */
export function inspectPx4(env: Environment = process.env): Px4Finding[] {
  return [
    inspectPart("PX4 lockstep library", () => {
      const { library, messages } = findLockstep(env);
      const { controlAutosave, writeStored } = loadAbi(library);
      const lacks = [
        ...(controlAutosave === undefined ? ["switching parameter autosave off (it may deadlock on Linux)"] : []),
        ...(writeStored === undefined ? ["storing mission items exactly"] : []),
      ];
      const source = messages === undefined ? "built-in message definitions" : `messages in ${messages}`;
      return `${library}, interface version ${ABI_VERSION}, ${source}${lacks.length === 0 ? "" : `; lacks ${lacks.join(" and ")}`}`;
    }),
    inspectPart("PX4 SITL", () => {
      const { binary, etc } = findSitl(env);
      return `${binary}, scripts in ${etc}`;
    }),
  ];
}

function inspectPart(name: string, find: () => string): Px4Finding {
  try {
    return { name, isThere: true, what: find() };
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    // The fix repeats the name of a variable that is not set.
    const what = error.what.endsWith("is not set") ? error.fix : `${error.what}; ${error.fix}`;
    return { name, isThere: false, what };
  }
}
