/**
 * Judges a recording by replaying it: the same loop takes the same samples, so the verdicts equal those of the flight,
 * bit for bit. The recorded rows alone are not enough, because they hold the state at log ticks only.
 */
import type { FedRecording, Recording } from "../../record/index.ts";
import { asRequirement, type RequirementLike } from "../../requirements/requirement.ts";
import type { Verdict } from "../../requirements/verdict.ts";
import type { Registry } from "../../describe/registry.ts";
import { replayFlight } from "../replay/replay-flight.ts";

export function judgeRecording(
  recording: Recording | FedRecording,
  requirements: readonly RequirementLike[],
  registry?: Registry,
): readonly Verdict[] {
  const require = requirements.map(asRequirement);
  return replayFlight(recording, { require, ...(registry === undefined ? {} : { registry }) }).verdicts;
}
