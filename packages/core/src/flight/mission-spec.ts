/**
 * The mission of a resolved flight: items as plain JSON, with `null` where an autopilot reads "not given".
 *
 * Mission files are read at the edge and arrive here as objects; a text that is still a text names a file that nobody
 * has read.
 */
import { checkParams, type Complaint, isPlainObject } from "../params/index.ts";
import type { ParamsOf } from "../params/index.ts";
import type { Mission, MissionItem } from "../sources/autopilot/mission.ts";
import type { FlightComplaint } from "./scenario-spec.ts";
import { missionTiming } from "./tables.ts";

const NUMBERS = ["p1", "p2", "p3", "p4", "latDeg", "lonDeg", "altM"] as const;
const MOST_ITEMS = 2000;

/** A mission item in JSON, where NaN does not exist. */
export type PlainItem = Omit<MissionItem, (typeof NUMBERS)[number]> & {
  readonly [K in (typeof NUMBERS)[number]]: number | null;
};

export interface ResolvedMission extends ParamsOf<typeof missionTiming> {
  readonly items: readonly PlainItem[];
}

export function resolveMission(given: unknown, complaints: FlightComplaint[]): ResolvedMission | undefined {
  if (given === undefined) return undefined;
  if (!isPlainObject(given)) {
    complaints.push({ code: "wrongType", key: "mission", what: `the mission ${JSON.stringify(given)} was not read`, fix: "name a .plan or .waypoints file from a flight file, or give a table with items" });
    return undefined;
  }
  const { items, ...rest } = given;
  const timing = checkParams(missionTiming, rest, complaints as Complaint[], "mission", ["items", "file"]) as ParamsOf<typeof missionTiming>;
  if (!Array.isArray(items) || items.length === 0 || items.length > MOST_ITEMS) {
    complaints.push({ code: "wrongLength", key: "mission.items", what: "the mission has no items, or too many", fix: `between 1 and ${MOST_ITEMS} items` });
    return undefined;
  }
  return { ...timing, items: items.map((item, i) => plainItem(item, `mission.items[${i}]`, complaints)) };
}

function plainItem(given: unknown, key: string, complaints: FlightComplaint[]): PlainItem {
  const item = isPlainObject(given) ? given : {};
  if (!isPlainObject(given)) complaints.push({ code: "wrongType", key, what: "a mission item is a table", fix: "e.g. { command = 16, latDeg = …, lonDeg = …, altM = 10 }" });
  const number = (name: (typeof NUMBERS)[number]): number | null => {
    const value = item[name];
    if (value === undefined || value === null || Number.isNaN(value)) return null;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    complaints.push({ code: "wrongType", key: `${key}.${name}`, what: `${JSON.stringify(value)} is not a number`, fix: "a finite number, or leave it out" });
    return null;
  };
  const { command, frame = "relative", autoContinue = true } = item;
  if (typeof command !== "number" || !Number.isInteger(command)) {
    complaints.push({ code: "wrongType", key: `${key}.command`, what: `${JSON.stringify(command)} is not a MAVLink command number`, fix: "e.g. 22 take-off, 16 waypoint, 21 land" });
  }
  if (frame !== "relative" && frame !== "amsl" && frame !== "mission") {
    complaints.push({ code: "unknownChoice", key: `${key}.frame`, what: `${JSON.stringify(frame)} is no frame`, fix: "one of: relative, amsl, mission" });
  }
  return {
    command: command as number,
    frame: frame as MissionItem["frame"],
    p1: number("p1"),
    p2: number("p2"),
    p3: number("p3"),
    p4: number("p4"),
    latDeg: number("latDeg"),
    lonDeg: number("lonDeg"),
    altM: number("altM"),
    autoContinue: autoContinue !== false,
  };
}

/** The mission as autopilots take it: NaN where nothing was given. */
export function toMission({ items }: ResolvedMission): Mission {
  return {
    items: items.map((item) => {
      const numbers = NUMBERS.map((name) => [name, item[name] ?? Number.NaN] as const);
      return { ...item, ...(Object.fromEntries(numbers) as Record<(typeof NUMBERS)[number], number>) };
    }),
  };
}
