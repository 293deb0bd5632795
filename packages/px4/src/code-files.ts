/** Lists the files besides the program itself that determine the bits of a flight with PX4. */
import { fileURLToPath } from "node:url";
import { SimError } from "@escapement/core";
import { WORKER } from "./lockstep/child.ts";
import { findLockstep } from "./lockstep/discovery.ts";
import type { Environment } from "./places.ts";

/** Returns the module that a child process runs, and the PX4 library of this machine if there is one. */
export function lockstepCodeFiles(env: Environment = process.env): readonly string[] {
  const worker = fileURLToPath(WORKER);
  try {
    return [worker, findLockstep(env).library];
  } catch (error) {
    if (error instanceof SimError) return [worker];
    throw error;
  }
}
