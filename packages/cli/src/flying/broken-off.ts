/** What is told of a flight that an error cut short: everything until then. */
import { type AssembledFlight, endOf, type FlightEnd, type FlightResult, type SimError } from "@escapement/core";

/** Its end, as far as it came. */
export function brokenOff({ flight }: AssembledFlight): FlightEnd {
  return { ...endOf(flight), endUs: flight.clock.us, stop: 0 };
}

/** Its result; the same where nothing failed. */
export function withFailure<Result extends FlightResult>(result: Result, failure: SimError | undefined): Result {
  return failure === undefined ? result : { ...result, outcome: "failed", reason: failure.what.split("\n")[0]! };
}
