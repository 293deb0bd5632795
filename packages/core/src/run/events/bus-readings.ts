/** Derives the values that the event log compares from the signals of one boundary. */
import { type SignalName, SIGNALS } from "../../engine/index.ts";
import type { EventKind } from "./events.ts";

const { armed: ARMED, landDetected: LAND } = SIGNALS;

/** The event of each state of a motor. */
export const MOTOR_KINDS = [
  "motorHealthy",
  "motorJammed",
  "motorOff",
  "motorStuck",
  "motorLoss",
  "motorNoisy",
] as const satisfies readonly EventKind[];
const HEALTHY_MOTOR = 0;

/** Returns the index in `MOTOR_KINDS`. */
export function motorState(gain: number, offset: number, jam: number): number {
  if (jam !== 0) return 1;
  if (gain === 0) return offset === 0 ? 2 : 3;
  if (gain !== 1) return 4;
  return offset === 0 ? HEALTHY_MOTOR : 5;
}

/**
 * Returns true if disarming is requested of an armed vehicle in the air. Every autopilot denies that, as PX4 does, and
 * drops the request. A request on the ground is not denied: an autopilot outside this process may only need more time
 * to disarm.
 */
export function isDisarmDenied(bus: Float64Array, places: Readonly<Record<SignalName, number>>): boolean {
  const isRequested = bus[places.requestArmed]! < 0;
  return (
    isRequested && bus[places.armed] === ARMED.values.armed && bus[places.landDetected]! < LAND.values["maybe landed"]
  );
}
