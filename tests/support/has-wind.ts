/** Tells whether the wind of a flight ever blows. */
import { findStream, flyFlightNow, type ResolvedFlight } from "@escapement/core";

/** Flies, and returns whether the base wind (without the gusts of the scenario) differs from zero at any time. */
export function hasWind(resolved: ResolvedFlight): boolean {
  return findStream(flyFlightNow(resolved).recording, "windBaseNed").values.some((value) => value !== 0);
}
