/**
 * Mission items written as words, with positions in metres from the origin; and the tables of home, fence and rally
 * points.
 *
 * `{ waypoint = { northM = 20, altitudeM = 10, holdS = 2 } }` becomes the MAVLink item that a ground station would
 * write, placed with the flight's own projection. Heights are above the ground at the origin.
 */
import { defineParams, type ParamsOf, type ParamTable } from "../../params/index.ts";
import { above, boolean, closed, integer, number, open } from "../../params/rows.ts";
import {
  DO_CHANGE_SPEED,
  DO_JUMP,
  NAV_DELAY,
  NAV_LAND,
  NAV_LOITER_TIME,
  NAV_LOITER_UNLIM,
  NAV_RETURN_TO_LAUNCH,
  NAV_TAKEOFF,
  NAV_WAYPOINT,
} from "../../autopilot/mission.ts";
import type { Projection } from "../../world/geodesy/index.ts";
import type { PlainItem } from "../sections/mission-spec.ts";

/** The numbers of a MAVLink item. Each may be left out. */
export const ITEM_NUMBERS = ["p1", "p2", "p3", "p4", "latDeg", "lonDeg", "altM"] as const;
export const itemKeys: readonly string[] = ["command", "frame", ...ITEM_NUMBERS, "autoContinue"];

/** The largest number of circles, and of polygons, in a fence. */
export const MAX_FENCES = 64;
/** The largest number of corners of a polygon, and of rally points. */
export const MAX_CORNERS = 256;

const latDeg = number("deg", closed(-90, 90), "Latitude, north positive.");
const lonDeg = number("deg", closed(-180, 180), "Longitude, east positive.");
const inclusion = boolean("True to stay inside, false to stay outside.", true);

export const positionTable = defineParams({
  latDeg,
  lonDeg,
  altM: number("m", closed(-500, 20000), "Altitude: of home above mean sea level, of rally points above home."),
});

export const fenceTable = defineParams({
  circles: {
    type: "sections",
    maxLength: MAX_FENCES,
    default: [],
    about: "Circles.",
    table: { latDeg, lonDeg, radiusM: number("m", above(0), "Radius."), inclusion },
  },
  polygons: {
    type: "sections",
    maxLength: MAX_FENCES,
    default: [],
    about: "Polygons.",
    table: {
      latsDeg: {
        type: "list",
        unit: "deg",
        minLength: 3,
        maxLength: MAX_CORNERS,
        min: -90,
        max: 90,
        about: "Latitudes of the corners.",
      },
      lonsDeg: {
        type: "list",
        unit: "deg",
        minLength: 3,
        maxLength: MAX_CORNERS,
        min: -180,
        max: 180,
        about: "Longitudes of the corners.",
      },
      inclusion,
    },
  },
});

const north = number("m", closed(-1e5, 1e5), "North of the origin.", 0);
const east = number("m", closed(-1e5, 1e5), "East of the origin.", 0);
const altitude = number("m", closed(0, 1e4), "Height above the origin.");
/** The value that means "no heading". Every number in a table must be finite, so NaN is not available. */
const NO_YAW = 361;
const yawDeg = number(
  "deg",
  closed(-360, NO_YAW),
  "Heading to turn to. The default, 361, keeps the heading of the flight mode.",
  NO_YAW,
);
const hold = number("s", closed(0, 1e6), "Time to stay at the point.", 0);

interface PlaceParams {
  readonly northM?: number;
  readonly eastM?: number;
  readonly altitudeM?: number;
  readonly yawDeg?: number;
}

function itemAt(command: number, place: PlaceParams, projection: Projection, p1 = 0, p2 = 0): PlainItem {
  const { northM = 0, eastM = 0, altitudeM: altM = 0, yawDeg = NO_YAW } = place;
  const geodetic = new Float64Array(3);
  projection.toGeodeticInto(geodetic, [northM, eastM, 0]);
  const p4 = yawDeg === NO_YAW ? null : yawDeg;
  const [latDeg, lonDeg] = [geodetic[0]!, geodetic[1]!];
  return { command, frame: "relative", p1, p2, p3: 0, p4, latDeg, lonDeg, altM, autoContinue: true };
}

function itemWithoutPlace(command: number, p1 = 0, p2 = 0): PlainItem {
  return { command, frame: "mission", p1, p2, p3: 0, p4: 0, latDeg: 0, lonDeg: 0, altM: 0, autoContinue: true };
}

interface ItemWord<T extends ParamTable> {
  readonly about: string;
  readonly table: T;
  readonly item: (params: ParamsOf<T>, projection: Projection) => PlainItem;
}

const word = <const T extends ParamTable>(definition: ItemWord<T>) => definition;

export const ITEM_WORDS = {
  takeoff: word({
    about: "Climbs from the ground.",
    table: defineParams({ altitudeM: { ...altitude, min: 0.1 }, yawDeg }),
    item: (p, projection) => itemAt(NAV_TAKEOFF, p, projection),
  }),
  waypoint: word({
    about: "Flies to a point and stays there for a time.",
    table: defineParams({
      northM: north,
      eastM: east,
      altitudeM: altitude,
      holdS: hold,
      acceptM: number("m", closed(0, 1e4), "Acceptance radius; 0 for the autopilot's default.", 0),
      yawDeg,
    }),
    item: (p, projection) => itemAt(NAV_WAYPOINT, p, projection, p.holdS, p.acceptM),
  }),
  loiter: word({
    about: "Flies to a point and loiters, for a time or indefinitely.",
    table: defineParams({
      northM: north,
      eastM: east,
      altitudeM: altitude,
      holdS: { ...hold, about: "Time to stay at the point; 0 for indefinitely." },
      yawDeg,
    }),
    item: (p, projection) => itemAt(p.holdS > 0 ? NAV_LOITER_TIME : NAV_LOITER_UNLIM, p, projection, p.holdS),
  }),
  delay: word({
    about: "Waits at the current position.",
    table: defineParams({ holdS: number("s", closed(0, 1e6), "Time to wait.") }),
    item: (p) => itemWithoutPlace(NAV_DELAY, p.holdS),
  }),
  speed: word({
    about: "Sets the ground speed for the items that follow.",
    table: defineParams({
      groundMps: number("m/s", open(0, 100), "Ground speed."),
    }),
    item: (p) => itemWithoutPlace(DO_CHANGE_SPEED, 1, p.groundMps),
  }),
  jump: word({
    about: "Jumps to another item, up to a number of times.",
    table: defineParams({
      item: integer("index", closed(0, 2000), "Index of the item, from 0."),
      times: integer("count", closed(1, 65535), "Number of times.", 1),
    }),
    item: (p) => itemWithoutPlace(DO_JUMP, p.item, p.times),
  }),
  rtl: word({ about: "Returns to home and lands.", table: {}, item: () => itemWithoutPlace(NAV_RETURN_TO_LAUNCH) }),
  land: word({
    about: "Lands at a point.",
    // No heading: PX4 ignores the heading of a landing item.
    table: defineParams({ northM: north, eastM: east }),
    item: (p, projection) => itemAt(NAV_LAND, p, projection),
  }),
} as const;
