/**
 * Flies branches of flights with PX4 from the start, with the lockstep library, which repeats its flights bit for bit.
 *
 * Compares every bit before the branch with the parent's recording, to check that the branch repeats its parent.
 */
import { firstDifference, type FlightResult, type Recording, type ResolvedFlight } from "@escapement/core";
import { flyLockstep, LOCKSTEP_KIND } from "@escapement/px4";
import { cliErrors } from "./errors.ts";
import { checkOutputs, writeFromRecording } from "./outputs/flight-outputs.ts";

interface Parent {
  /** Absent if the parent was not recorded. */
  readonly recording: Recording | undefined;
  readonly hash: string;
  readonly atUs: number;
}

export async function flyBranchWithPx4(
  branch: ResolvedFlight,
  { recording: parent, hash, atUs }: Parent,
  outputs: ResolvedFlight["settings"]["outputs"],
): Promise<FlightResult> {
  const { kind } = branch.definition.autopilot;
  if (kind !== LOCKSTEP_KIND || parent === undefined) {
    throw cliErrors.notRepeated({
      what:
        kind === LOCKSTEP_KIND
          ? "a flight with the PX4 library must be recorded before it can be branched"
          : "stock PX4 does not repeat its flights, so they cannot be branched",
      fix:
        kind === LOCKSTEP_KIND
          ? "fly it with --record, and branch the recording"
          : "inspect the recording with `goto` and `replay`, write the description of the branch with `branch --save` and fly it from its start, or use the px4-lockstep autopilot, which can be branched",
    });
  }
  checkOutputs(outputs);
  const flight = await flyLockstep(branch, { record: true });
  const recording = flight.recording!;
  const found = firstDifference(parent, recording);
  if (found !== undefined && found.tUs < atUs) {
    throw cliErrors.notRepeated({
      what: `the branch differs from the recording before the instant: ${found.signal} at ${found.tUs / 1e6} s`,
      fix: "use the PX4 library and the version of Escapement with which the recording was made",
    });
  }
  await writeFromRecording(outputs, flight, recording, hash);
  return flight;
}
