/** Converts a mission and its fence to the items that are sent to PX4 over MAVLink. */
import { missionCommand } from "@escapement/core";
import type { Fence, GeoPoint, MissionItem } from "@escapement/core";
import type { MESSAGES } from "../mavlink/dialect.ts";
import type { MessageValues } from "../mavlink/message.ts";

/** MAV_CMD_NAV_FENCE_* by whether the area is an inclusion area (true) or an exclusion area (false). */
const FENCE_POLYGON = { false: 5002, true: 5001 } as const;
const FENCE_CIRCLE = { false: 5004, true: 5003 } as const;
const FRAME_NUMBERS = { amsl: 5, relative: 6, mission: 2 } as const;

/** An item as it is sent. */
export type WireItem = Partial<MessageValues<typeof MESSAGES.MISSION_ITEM_INT>>;

export function wireMission(items: readonly MissionItem[]): WireItem[] {
  return items.map(wireItem);
}

function wireItem(item: MissionItem, index: number): WireItem {
  // PX4 accepts commands without a destination only in the mission frame, in which parameters are sent unscaled.
  const frame = missionCommand(item.command)?.position === true ? item.frame : "mission";
  const scale = frame === "mission" ? 1 : 1e7;
  return {
    frame: FRAME_NUMBERS[frame],
    command: item.command,
    current: index === 0 ? 1 : 0,
    autocontinue: item.autoContinue ? 1 : 0,
    param1: item.p1,
    param2: item.p2,
    param3: item.p3,
    param4: item.p4,
    x: Math.round((Number.isFinite(item.latDeg) ? item.latDeg : 0) * scale),
    y: Math.round((Number.isFinite(item.lonDeg) ? item.lonDeg : 0) * scale),
    z: item.altM,
  };
}

/**
 * Converts a fence. Each corner of a polygon is an item with the number of corners. A circle is one item with its
 * radius.
 */
export function wireFence(fence: Fence | undefined): WireItem[] {
  const { circles, polygons } = fence ?? { circles: [], polygons: [] };
  const wirePosition = ({ latDeg, lonDeg }: GeoPoint): WireItem => ({
    frame: FRAME_NUMBERS.amsl,
    x: Math.round(latDeg * 1e7),
    y: Math.round(lonDeg * 1e7),
  });
  return [
    ...polygons.flatMap(({ points, inclusion }) =>
      points.map((point) => ({
        ...wirePosition(point),
        command: FENCE_POLYGON[`${inclusion}`],
        param1: points.length,
      })),
    ),
    ...circles.map(({ center, radiusM, inclusion }) => ({
      ...wirePosition(center),
      command: FENCE_CIRCLE[`${inclusion}`],
      param1: radiusM,
    })),
  ];
}
