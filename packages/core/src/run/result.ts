/** The result of a flight: the data of its observers and, if it was recorded, its signals. */
import type { SimError } from "../errors/index.ts";
import type { FlightEnd } from "../engine/index.ts";
import type { FingerprintDigests, Recording } from "../record/index.ts";
import { invariant } from "../errors/index.ts";
import type { MeasureResult } from "../requirements/measure.ts";
import type { RequirementLike } from "../requirements/requirement.ts";
import type { Verdict } from "../requirements/verdict.ts";
import type { ResolvedFlight } from "../describe/definition/definition.ts";
import type { RecordedName } from "../describe/spec/spec.ts";
import type { AssembledFlight } from "./assemble.ts";
import type { FlightEvent } from "./events/events.ts";
import { outcomeOf, type OutcomeKind } from "./outcome.ts";
import { type SignalAccess, signalAccess } from "./signal-access.ts";
import type { FlightExtremes } from "./summary/summary.ts";
import type { Track } from "./summary/track.ts";

/** The result of any flight, recorded or not. */
export interface FlightResult {
  readonly outcome: OutcomeKind;
  readonly reason: string;
  /** `fp1:…`; empty if fingerprints were switched off. */
  readonly fingerprint: string;
  readonly digests: FingerprintDigests;
  readonly end: FlightEnd;
  readonly events: readonly FlightEvent[];
  readonly extremes: FlightExtremes;
  readonly track: Track;
  /** One verdict per requirement: those of the description, then those of the caller. */
  readonly verdicts: readonly Verdict[];
  /** The measures that the caller requested. */
  readonly measures: readonly MeasureResult[];
  readonly resolved: ResolvedFlight;
}

/** The result of a flight that was recorded. */
export interface RecordedFlight extends FlightResult {
  readonly recording: Recording;
  /** A signal or a block of the state by name. */
  signal(name: RecordedName): SignalAccess;
  /** Replays the recording and returns the verdict that the flight would have had with this requirement. */
  judge(requirement: RequirementLike): Verdict;
}

export function resultOf(
  resolved: ResolvedFlight,
  { summary, track, fingerprint, judge }: AssembledFlight,
  end: FlightEnd,
): FlightResult {
  const outcome = outcomeOf(resolved.definition, end, summary);
  return {
    outcome: outcome.kind,
    reason: outcome.reason,
    fingerprint: fingerprint?.text() ?? "",
    digests: fingerprint?.result() ?? { format: "fp1", plant: "", writers: {} },
    end,
    events: summary.events,
    extremes: summary.extremes(),
    track: track.track(),
    verdicts: judge?.verdicts() ?? [],
    measures: judge?.measureResults() ?? [],
    resolved,
  };
}

/** Returns the result of a flight that an error ended: everything up to the error, and the reason. */
export function withFailure<Result extends FlightResult>(result: Result, failure: SimError | undefined): Result {
  return failure === undefined ? result : { ...result, outcome: "failed", reason: failure.what.split("\n")[0]! };
}

/**
 * Returns the result with its recording, which is made when it is first used. `judge` replays the recording to judge
 * it.
 */
export function recordedResult(
  result: FlightResult,
  { recorder }: AssembledFlight,
  judge: (recording: Recording, requirement: RequirementLike) => Verdict,
): RecordedFlight {
  invariant(recorder !== undefined, "the flight was not recorded");
  const { resolved, digests } = result;
  const recording = recorder.finishLater({ resolved: resolved.definition, resolvedHash: resolved.hash, digests });
  return {
    ...result,
    get recording() {
      return recording();
    },
    signal: (name) => signalAccess(recording(), name as string),
    judge: (requirement) => judge(recording(), requirement),
  };
}

/** Returns the errors that an error lists, or the error itself if it lists none. */
export function diagnosticsOf(error: SimError): readonly SimError[] {
  const { cause } = error;
  return Array.isArray(cause) && cause.length > 0 && cause.every((item) => item instanceof Error)
    ? (cause as SimError[])
    : [error];
}
