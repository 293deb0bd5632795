/**
 * How a flight ended: one of four outcomes, which the summary prints and the exit code encodes.
 *
 * A stop event specifies its outcome. If the timeline ends first, the flight ran out of time if its scenario has a stop
 * event for completion; otherwise it is completed.
 */
import type { FlightEnd } from "../engine/index.ts";
import type { FlightDefinition } from "../describe/definition.ts";
import type { StopOutcome } from "../sources/scenario/index.ts";
import type { Touchdown } from "./event-log.ts";

export type OutcomeKind = StopOutcome | "time ran out";

export interface Outcome {
  readonly kind: OutcomeKind;
  readonly reason: string;
}

export const EXIT_CODES: Readonly<Record<OutcomeKind, number>> = {
  completed: 0,
  failed: 1,
  "time ran out": 3,
  crashed: 4,
};

export function outcomeOf(
  { scenario }: Pick<FlightDefinition, "scenario">,
  end: Pick<FlightEnd, "stop">,
  touchdown?: Touchdown,
): Outcome {
  const event = end.stop > 0 ? scenario[end.stop - 1] : undefined;
  if (event !== undefined) {
    const { outcome, reason } = event.params as { outcome: StopOutcome; reason: string };
    return {
      kind: outcome,
      reason: outcome === "crashed" && touchdown !== undefined ? `${reason} ${placeText(touchdown)}` : reason,
    };
  }
  const canComplete = scenario.some(({ action, params }) => action === "stop" && params["outcome"] === "completed");
  return canComplete
    ? { kind: "time ran out", reason: "the timeline ended before the flight was completed" }
    : { kind: "completed", reason: "flown to the end of its timeline" };
}

function placeText({ speedMps, distanceM }: Touchdown): string {
  return `at ${speedMps.toFixed(1)} m/s, ${distanceM.toFixed(1)} m from home`;
}
