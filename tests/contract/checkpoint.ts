/** Save → load → go on, for any resolved flight: the digests must be those of the flight that was never interrupted. */
import {
  assemble,
  coreRegistry,
  flightLoop,
  flyNow,
  type Registry,
  type ResolvedFlight,
  type Snapshot,
} from "@escapement/core";

export interface Interrupted {
  /** Digests of the flight flown in one go. */
  readonly whole: string;
  /** Digests of the flights continued from each checkpoint, and where each stood. */
  readonly continued: readonly { readonly atUs: number; readonly digests: string }[];
}

/** Flies once, saving before the boundaries chosen, and once more from each of the checkpoints. */
export function interrupt(
  resolved: ResolvedFlight,
  atUs: readonly number[],
  registry: Registry = coreRegistry,
): Interrupted {
  const assembled = assemble(resolved.definition, registry);
  const saved: { atUs: number; snapshot: Snapshot }[] = [];
  // The first boundary at or after each instant: flights differ in which microseconds are boundaries.
  const isMarked = (tUs: number) => saved.length < atUs.length && tUs >= atUs[saved.length]!;
  const loop = flightLoop(assembled.flight, { isMarked });
  for (let step = loop.next(); step.done !== true; step = loop.next()) {
    if (step.value === "mark") saved.push({ atUs: assembled.flight.schedule.nowUs, snapshot: assembled.flight.save() });
  }
  return {
    whole: JSON.stringify(assembled.fingerprint!.result()),
    continued: saved.map(({ atUs: standsAtUs, snapshot }) => {
      const again = assemble(resolved.definition, registry);
      again.flight.load(snapshot);
      flyNow(again.flight);
      return { atUs: standsAtUs, digests: JSON.stringify(again.fingerprint!.result()) };
    }),
  };
}
