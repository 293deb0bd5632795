/** Saves, loads and continues any resolved flight. The digests must equal those of the uninterrupted flight. */
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
  /** Digests of the uninterrupted flight. */
  readonly whole: string;
  /** Time of each checkpoint, the digests up to it, and the digests of the flight continued from it. */
  readonly continued: readonly { readonly atUs: number; readonly before: string; readonly digests: string }[];
}

/** Flies once and saves before the first boundary at or after each of `atUs`, then flies once from each checkpoint. */
export function interrupt(
  resolved: ResolvedFlight,
  atUs: readonly number[],
  registry: Registry = coreRegistry,
): Interrupted {
  const assembled = assemble(resolved.definition, registry);
  const saved: { atUs: number; before: string; snapshot: Snapshot }[] = [];
  const markUs = Float64Array.of(atUs[0] ?? Infinity);
  const loop = flightLoop(assembled.flight, { markUs });
  for (let step = loop.next(); step.done !== true; step = loop.next()) {
    if (step.value === "mark") {
      const { flight, fingerprint } = assembled;
      const before = JSON.stringify(fingerprint!.result());
      saved.push({ atUs: flight.schedule.nowUs, before, snapshot: flight.save() });
    }
    markUs[0] = atUs[saved.length] ?? Infinity;
  }
  return {
    whole: JSON.stringify(assembled.fingerprint!.result()),
    continued: saved.map(({ atUs: savedAtUs, before, snapshot }) => {
      const again = assemble(resolved.definition, registry);
      again.flight.load(snapshot);
      flyNow(again.flight);
      return { atUs: savedAtUs, before, digests: JSON.stringify(again.fingerprint!.result()) };
    }),
  };
}
