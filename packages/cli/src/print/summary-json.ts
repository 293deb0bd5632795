/**
 * Formats the summary as JSON, with everything that the printed summary contains.
 *
 * Values that depend on the wall clock are under `timing`. Everything else is equal in two runs of the same flight.
 */
import { eventText, type FlightResult } from "@escapement/core";
import { errorFacts } from "./error.ts";
import type { SitlReport } from "@escapement/px4";
import type { SummaryContext } from "./summary.ts";
import { verdictFacts } from "./verdicts.ts";

export function summaryJson(
  { outcome, reason, fingerprint, digests, end, events, extremes, verdicts, resolved }: FlightResult,
  context: SummaryContext,
  failures: readonly unknown[] = [],
): string {
  const { px4 } = context;
  const summary = {
    name: resolved.definition.name,
    vehicle: resolved.settings.vehicle,
    outcome: context.interrupted === true ? "interrupted" : outcome,
    reason,
    fingerprint,
    digests,
    flightHash: resolved.hash,
    seed: resolved.definition.seed,
    endS: end.endUs / 1e6,
    events: events.map((event) => ({
      timeS: event.tUs / 1e6,
      what: eventText(event),
      isTrouble: event.severity === "warning",
      kind: event.kind,
      data: event.data,
      ...(event.cause === undefined ? {} : { cause: event.cause }),
    })),
    extremes,
    ...(verdicts.length === 0 ? {} : { judgedHash: resolved.judged.hash, verdicts: verdicts.map(verdictFacts) }),
    boundaries: end.boundaries,
    intervals: end.intervals,
    correctedSlots: end.correctedSlots,
    clampedChannels: end.clampedChannels,
    integrator: end.stats,
    code: end.code,
    wrote: context.wrote,
    ...(px4 === undefined ? {} : { px4: "printed" in px4 ? px4 : sitlFacts(px4) }),
    timing: { wallS: context.wallS, ...(px4 === undefined || "printed" in px4 ? {} : roundTrips(px4)) },
    ...(failures.length === 0 ? {} : { errors: failures.flatMap(errorFacts) }),
  };
  return JSON.stringify(summary, null, 2);
}

function sitlFacts({ readyAtS, roundTripMeanMs: _mean, roundTripMaxMs: _max, ...report }: SitlReport): object {
  return { ...report, readyAtS: readyAtS < 0 ? null : readyAtS };
}

function roundTrips({ roundTripMeanMs, roundTripMaxMs }: SitlReport): object {
  return { roundTripMeanMs, roundTripMaxMs };
}
