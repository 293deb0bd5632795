/** What is told of a flight that an error cut short: everything until then, and why it ended. */
import type { FlightResult, SimError } from "@escapement/core";

/** The same where nothing failed. */
export function withFailure<Result extends FlightResult>(result: Result, failure: SimError | undefined): Result {
  return failure === undefined ? result : { ...result, outcome: "failed", reason: failure.what.split("\n")[0]! };
}
