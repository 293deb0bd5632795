/** Flights of a campaign with PX4: each in a process of its own, supervised from here. */
import type { FlightResult, Registry, ResolvedFlight, SimError } from "@escapement/core";
import { flyLockstep, flySitl, LOCKSTEP_KIND, PROCESS_LOST } from "@escapement/px4";

export function px4Flights(registry: Registry): {
  readonly flyOutside: (resolved: ResolvedFlight) => Promise<FlightResult>;
  readonly isLost: (error: SimError) => boolean;
} {
  return {
    flyOutside: async (resolved) =>
      resolved.definition.autopilot.kind === LOCKSTEP_KIND
        ? flyLockstep(resolved, { record: false })
        : (await flySitl(resolved, { registry })).flight,
    isLost: ({ code }) => PROCESS_LOST.includes(code),
  };
}
