/** Which autopilots are PX4, without loading what flies them. */
import { LOCKSTEP_KIND, SITL_KIND } from "@escapement/px4";

export function isPx4(kind: string): boolean {
  return kind === LOCKSTEP_KIND || kind === SITL_KIND;
}

export { SITL_KIND };
