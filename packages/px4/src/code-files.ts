/** The files that decide the bits of a flight with PX4, besides the program itself. */
import { fileURLToPath } from "node:url";
import { SimError } from "@escapement/core";
import { WORKER } from "./lockstep/child.ts";
import { findLockstep } from "./lockstep/discovery.ts";
import type { Environment } from "./places.ts";

/** The module that a child process runs, and the library of this machine; without a library no flight can be flown. */
export function lockstepCodeFiles(env: Environment = process.env): readonly string[] {
  const worker = fileURLToPath(WORKER);
  try {
    return [worker, findLockstep(env).library];
  } catch (error) {
    if (error instanceof SimError) return [worker];
    throw error;
  }
}
