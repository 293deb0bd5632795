/**
 * How a flight ended, in the four words that summary and exit code use.
 *
 * A stop event says its own outcome. A flight that has something to complete and reaches the end of its timeline ran
 * out of time; one that has not is completed by reaching it.
 */
import type { FlightEnd } from "../engine/index.ts";
import type { FlightDefinition } from "../describe/definition.ts";
import type { Touchdown } from "./story.ts";

export type OutcomeWord = "completed" | "time ran out" | "crashed" | "failed";

export interface Outcome {
  readonly word: OutcomeWord;
  readonly reason: string;
}

export const EXIT_CODES: Readonly<Record<OutcomeWord, number>> = {
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
    const { outcome, reason } = event.params as { outcome: OutcomeWord; reason: string };
    return {
      word: outcome,
      reason: outcome === "crashed" && touchdown !== undefined ? `${reason} ${placeText(touchdown)}` : reason,
    };
  }
  const aims = scenario.some(({ action, params }) => action === "stop" && params["outcome"] === "completed");
  return aims
    ? { word: "time ran out", reason: "the timeline ended before the flight was completed" }
    : { word: "completed", reason: "flown to the end of its timeline" };
}

function placeText({ speedMps, distanceM }: Touchdown): string {
  return `at ${speedMps.toFixed(1)} m/s, ${distanceM.toFixed(1)} m from home`;
}
