/** Save → load → continue, for any resolved flight: the digests must equal those of the uninterrupted flight. */
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
  /** Time of each checkpoint, and the digests of the flight continued from it. */
  readonly continued: readonly { readonly atUs: number; readonly digests: string }[];
}

/** Flies once, saving before the first boundary at or after each of `atUs`, and then once from each checkpoint. */
export function interrupt(
  resolved: ResolvedFlight,
  atUs: readonly number[],
  registry: Registry = coreRegistry,
): Interrupted {
  const assembled = assemble(resolved.definition, registry);
  const saved: { atUs: number; snapshot: Snapshot }[] = [];
  const markUs = Float64Array.of(atUs[0] ?? Infinity);
  const loop = flightLoop(assembled.flight, { markUs });
  for (let step = loop.next(); step.done !== true; step = loop.next()) {
    if (step.value === "mark") saved.push({ atUs: assembled.flight.schedule.nowUs, snapshot: assembled.flight.save() });
    markUs[0] = atUs[saved.length] ?? Infinity;
  }
  return {
    whole: JSON.stringify(assembled.fingerprint!.result()),
    continued: saved.map(({ atUs: savedAtUs, snapshot }) => {
      const again = assemble(resolved.definition, registry);
      again.flight.load(snapshot);
      flyNow(again.flight);
      return { atUs: savedAtUs, digests: JSON.stringify(again.fingerprint!.result()) };
    }),
  };
}
