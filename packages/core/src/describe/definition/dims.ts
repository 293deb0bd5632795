/** The dimensions of a flight: those of its vehicle, and the pilot's sticks if an event moves them. */
import { type Dims, STICKS } from "../../signals/table.ts";
import type { FlightDefinition } from "./definition.ts";

/** Whether an event of the flight moves the pilot's sticks. */
export function hasSticks({ scenario }: Pick<FlightDefinition, "scenario">): boolean {
  return scenario.some(({ action }) => action === "sticks");
}

/**
 * Returns the dimensions of a flight. If no event moves the sticks, the flight has no signal for them, so its digests,
 * logs and recordings contain no sticks.
 */
export function dimsOf({ dims }: { readonly dims: Dims }, definition: Pick<FlightDefinition, "scenario">): Dims {
  return hasSticks(definition) ? { ...dims, sticks: STICKS.length } : dims;
}
