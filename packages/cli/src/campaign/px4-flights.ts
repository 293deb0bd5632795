/** Flies flights of a campaign with PX4, each in a separate process that this one supervises. */
import type { FlightResult, Measure, Registry, ResolvedFlight, SimError } from "@escapement/core";
import { flyLockstep, flySitl, LOCKSTEP_KIND, PROCESS_LOST } from "@escapement/px4";

export function px4Flights(registry: Registry): {
  readonly flyOutside: (resolved: ResolvedFlight, measures: readonly Measure[]) => Promise<FlightResult>;
  readonly isLost: (error: SimError) => boolean;
} {
  return {
    flyOutside: async (resolved, measures) =>
      resolved.definition.autopilot.kind === LOCKSTEP_KIND
        ? flyLockstep(resolved, { record: false, measures })
        : (await flySitl(resolved, { registry, measures })).flight,
    isLost: ({ code }) => PROCESS_LOST.includes(code),
  };
}
