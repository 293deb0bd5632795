/** What the items of a mission are called: in the events of a flight, and at their places on a map. */
import {
  DO_CHANGE_SPEED,
  NAV_DELAY,
  NAV_LAND,
  NAV_LOITER_TIME,
  NAV_LOITER_TO_ALT,
  NAV_LOITER_UNLIM,
  NAV_TAKEOFF,
  NAV_WAYPOINT,
} from "../autopilot/mission.ts";
import type { PlainItem, ResolvedMission } from "./mission-spec.ts";

type ItemNumbers = Pick<PlainItem, "command" | "p1" | "p2">;

/** A name for every item; waypoints are counted from 1, so that other items between them leave no gap. */
export function missionItemNames(mission: ResolvedMission | null | undefined): readonly string[] {
  let waypoints = 0;
  return (mission?.items ?? []).map((item, index) => {
    if (item.command !== NAV_WAYPOINT) return nameOf(item) ?? `mission item ${index}`;
    waypoints += 1;
    return `waypoint ${waypoints}`;
  });
}

function nameOf({ command, p1, p2 }: ItemNumbers): string | undefined {
  switch (command) {
    case NAV_LOITER_UNLIM:
    case NAV_LOITER_TIME:
      return "loiter";
    case NAV_LAND:
      return "landing";
    case NAV_TAKEOFF:
      return "take-off height";
    case NAV_LOITER_TO_ALT:
      return "loiter height";
    case NAV_DELAY:
      return p1 !== null && p1 > 0 ? `waited ${p1} s` : "waited";
    case DO_CHANGE_SPEED:
      return p2 !== null && p2 > 0 ? `speed set to ${p2} m/s` : "speed set back";
    default:
      return undefined;
  }
}
