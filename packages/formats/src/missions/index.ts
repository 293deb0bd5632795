/** Reads mission files of either format. The first character distinguishes them, because a plan is a JSON object. */
import type { Mission } from "@escapement/core";
import type { Reading } from "../text/findings.ts";
import { readPlan } from "./plan.ts";
import { readWpl } from "./wpl.ts";

export { readPlan, writePlan } from "./plan.ts";
export { readWpl, writeWpl } from "./wpl.ts";

/** Reads a mission file of either format. */
export function readMission(input: string | Uint8Array, file: string): Reading<Mission> {
  const head = typeof input === "string" ? input.slice(0, 256) : String.fromCharCode(...input.subarray(0, 256));
  return /^(?:\uFEFF|\u00EF\u00BB\u00BF)?\s*\{/.test(head) ? readPlan(input, file) : readWpl(input, file);
}
