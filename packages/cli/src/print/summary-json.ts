/** Everything that the summary tells a person, for programs. */
import type { FlownFlight } from "@escapement/core";

export function summaryJson({ outcome, reason, fingerprint, end, events, extremes, resolved, recording }: FlownFlight, wallS: number): string {
  return JSON.stringify(
    {
      name: resolved.flown.name,
      outcome,
      reason,
      fingerprint,
      digests: recording.digests,
      flightHash: resolved.hash,
      seed: resolved.flown.seed,
      endS: end.endUs / 1e6,
      wallS,
      events: events.map(({ tUs, what, isTrouble }) => ({ timeS: tUs / 1e6, what, isTrouble })),
      extremes,
      boundaries: end.boundaries,
      intervals: end.intervals,
      correctedSlots: end.correctedSlots,
      clampedChannels: end.clampedChannels,
      integrator: end.stats,
    },
    null,
    2,
  );
}
