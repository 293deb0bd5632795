/** Which autopilots are PX4, and which errors mean a requested stop. The code that flies PX4 is loaded elsewhere. */
import { SimError } from "@escapement/core";
import { LOCKSTEP_KIND, SITL_KIND, STOPPED_BEFORE } from "@escapement/px4";

export function isPx4(kind: string): boolean {
  return kind === LOCKSTEP_KIND || kind === SITL_KIND;
}

/** Whether this error means that the flight was stopped before it began. */
export function isStoppedBefore(error: unknown): boolean {
  return error instanceof SimError && STOPPED_BEFORE.includes(error.code);
}

export { SITL_KIND };
