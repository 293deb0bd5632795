/**
 * How a flight ended: one of four outcomes, which the summary prints and the exit code encodes.
 *
 * A stop event specifies its outcome. If the timeline ends first, the flight is completed, with two exceptions: if its
 * scenario has a stop event for completion, or if a mission item was not reached, its time ran out.
 */
import type { FlightEnd } from "../engine/index.ts";
import type { FlightDefinition } from "../describe/definition/definition.ts";
import type { StopOutcome } from "../sources/scenario/index.ts";
import { NAV_LAND, NAV_LOITER_TIME, NAV_LOITER_TO_ALT, NAV_TAKEOFF, NAV_WAYPOINT } from "../autopilot/mission.ts";
import { missionItemNames } from "../describe/definition/item-names.ts";
import type { Touchdown } from "./events/event-log.ts";
import type { FlightEvent } from "./events/events.ts";

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

/**
 * Commands of items that an autopilot reports as reached. An unlimited loiter or a return is never reported as reached.
 */
const REACHABLE: readonly number[] = [NAV_TAKEOFF, NAV_WAYPOINT, NAV_LOITER_TIME, NAV_LOITER_TO_ALT];

/** The observations that decide the outcome, besides the end of the flight. */
interface Observed {
  readonly touchdown?: Touchdown | undefined;
  readonly events: readonly FlightEvent[];
}

export function outcomeOf(
  { scenario, mission }: Pick<FlightDefinition, "scenario" | "mission">,
  end: Pick<FlightEnd, "stop">,
  observed: Observed,
): Outcome {
  const event = end.stop > 0 ? scenario[end.stop - 1] : undefined;
  if (event !== undefined) {
    const { outcome, reason } = event.params as { outcome: StopOutcome; reason: string };
    return { kind: outcome, reason: reason + detailOf(outcome, mission, observed) };
  }
  if (canComplete({ scenario }))
    return { kind: "time ran out", reason: "the timeline ended before the flight was completed" };
  const unreached = firstUnreached(mission, observed.events);
  return unreached === undefined
    ? { kind: "completed", reason: "flown to the end of its timeline" }
    : { kind: "time ran out", reason: `the timeline ended before the mission reached: ${unreached}` };
}

/**
 * Returns the outcome if the end alone decides it, without details in its reason; undefined if the outcome depends on
 * the mission items that were reached.
 */
export function outcomeFromEnd(
  definition: Pick<FlightDefinition, "scenario" | "mission">,
  end: Pick<FlightEnd, "stop">,
): Outcome | undefined {
  const outcome = outcomeOf(definition, end, { events: [] });
  const isDecided = end.stop > 0 || definition.mission === null || canComplete(definition);
  return isDecided ? outcome : undefined;
}

/**
 * Returns the place of a crash, or the item that a mission did not reach because a command or a failsafe ended it
 * early.
 */
function detailOf(kind: StopOutcome, mission: FlightDefinition["mission"], { touchdown, events }: Observed): string {
  if (kind === "crashed") return touchdown === undefined ? "" : ` ${placeText(touchdown)}`;
  const unreached = kind === "completed" ? firstUnreached(mission, events) : undefined;
  return unreached === undefined ? "" : `; the mission did not reach: ${unreached}`;
}

function canComplete({ scenario }: Pick<FlightDefinition, "scenario">): boolean {
  return scenario.some(({ action, params }) => action === "stop" && params["outcome"] === "completed");
}

/** Returns the name of the first mission item that was not reached, or undefined if all were. */
function firstUnreached(mission: FlightDefinition["mission"], events: readonly FlightEvent[]): string | undefined {
  if (mission === null || events.some(({ kind }) => kind === "missionFinished")) return undefined;
  const reached = events.reduce(
    (last, event) => (event.kind === "missionItem" ? Math.max(last, event.data.index) : last),
    -1,
  );
  const hasLanded = events.some(({ kind }) => kind === "landed");
  const index = mission.items.findIndex(({ command }, i) =>
    command === NAV_LAND ? !hasLanded : REACHABLE.includes(command) && i > reached,
  );
  return index < 0 ? undefined : missionItemNames(mission)[index]!.name;
}

function placeText({ speedMps, distanceM }: Touchdown): string {
  return `at ${speedMps.toFixed(1)} m/s, ${distanceM.toFixed(1)} m from home`;
}
