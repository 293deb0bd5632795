/** Names of mission items, for events and for the map. */
import {
  DO_CHANGE_SPEED,
  NAV_DELAY,
  NAV_LAND,
  NAV_LOITER_TIME,
  NAV_LOITER_TO_ALT,
  NAV_LOITER_UNLIM,
  NAV_TAKEOFF,
  NAV_WAYPOINT,
} from "../../autopilot/mission.ts";
import type { PlainItem, ResolvedMission } from "../sections/mission-spec.ts";

type ItemNumbers = Pick<PlainItem, "command" | "p1" | "p2">;

export interface MissionItemName {
  readonly name: string;
  /** Number of the waypoint, starting at 1. Absent for other items. */
  readonly waypoint?: number;
}

/** Returns one name per item. Waypoints have their own count, so other items between them leave no gap. */
export function missionItemNames(mission: ResolvedMission | null | undefined): readonly MissionItemName[] {
  let waypoint = 0;
  return (mission?.items ?? []).map((item, index) => {
    if (item.command !== NAV_WAYPOINT) return { name: nameOf(item) ?? `mission item ${index}` };
    waypoint += 1;
    return { name: `waypoint ${waypoint}`, waypoint };
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
      return p2 !== null && p2 > 0 ? `speed set to ${p2} m/s` : "speed reset";
    default:
      return undefined;
  }
}
