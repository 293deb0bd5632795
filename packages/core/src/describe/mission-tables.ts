/**
 * Words for mission items, in metres from the origin, and the tables of home, fence and rally points.
 *
 * `{ waypoint = { northM = 20, altitudeM = 10, holdS = 2 } }` becomes the MAVLink item that a ground station would
 * write, placed with the flight's own projection. Heights are above the ground at the origin.
 */
import { defineParams, type ParamsOf, type ParamTable } from "../params/index.ts";
import { above, boolean, closed, integer, number, open } from "../params/rows.ts";
import type { Projection } from "../world/geodesy/index.ts";
import type { PlainItem } from "./mission-spec.ts";

/** The numbers of a MAVLink item. Each may be left out. */
export const ITEM_NUMBERS = ["p1", "p2", "p3", "p4", "latDeg", "lonDeg", "altM"] as const;
export const itemKeys: readonly string[] = ["command", "frame", ...ITEM_NUMBERS, "autoContinue"];

/** Circles or polygons of a fence, and corners of a polygon or rally points. */
export const MOST_FENCES = 64;
export const MOST_CORNERS = 256;

const latDeg = number("deg", closed(-90, 90), "Latitude, north positive.");
const lonDeg = number("deg", closed(-180, 180), "Longitude, east positive.");
const inclusion = boolean("Whether to stay inside; otherwise to stay out.", true);

export const positionTable = defineParams({
  latDeg,
  lonDeg,
  altM: number("m", closed(-500, 20000), "Altitude: of home above mean sea level, of rally points above home."),
});

export const fenceTable = defineParams({
  circles: {
    type: "sections",
    maxLength: MOST_FENCES,
    default: [],
    about: "Circles.",
    table: { latDeg, lonDeg, radiusM: number("m", above(0), "Radius."), inclusion },
  },
  polygons: {
    type: "sections",
    maxLength: MOST_FENCES,
    default: [],
    about: "Polygons.",
    table: {
      latsDeg: {
        type: "list",
        unit: "deg",
        minLength: 3,
        maxLength: MOST_CORNERS,
        min: -90,
        max: 90,
        about: "Latitudes of the corners.",
      },
      lonsDeg: {
        type: "list",
        unit: "deg",
        minLength: 3,
        maxLength: MOST_CORNERS,
        min: -180,
        max: 180,
        about: "Their longitudes.",
      },
      inclusion,
    },
  },
});

const north = number("m", closed(-1e5, 1e5), "North of the origin.", 0);
const east = number("m", closed(-1e5, 1e5), "East of the origin.", 0);
const altitude = number("m", closed(0, 1e4), "Height above the origin.");
const yawDeg = number("deg", closed(-360, 361), "Heading to turn to; 361 lets the mode decide.", 361);
const hold = number("s", closed(0, 1e6), "Time to stay there.", 0);

/** The value that means "not given". Every number in a table must be finite, so NaN is not available. */
const NO_YAW = 361;

interface Place {
  readonly northM?: number;
  readonly eastM?: number;
  readonly altitudeM?: number;
}

interface Numbers {
  readonly p1?: number;
  readonly p2?: number;
  readonly yawDeg?: number;
}

function placed(
  command: number,
  place: Place,
  { p1 = 0, p2, yawDeg: yaw = NO_YAW }: Numbers,
  projection: Projection,
): PlainItem {
  const geodetic = new Float64Array(3);
  projection.toGeodeticInto(geodetic, [place.northM ?? 0, place.eastM ?? 0, 0]);
  return {
    command,
    frame: "relative",
    p1,
    p2: p2 ?? 0,
    p3: 0,
    p4: yaw === NO_YAW ? null : yaw,
    latDeg: geodetic[0]!,
    lonDeg: geodetic[1]!,
    altM: place.altitudeM ?? 0,
    autoContinue: true,
  };
}

function unplaced(command: number, p1 = 0, p2 = 0): PlainItem {
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
    item: (p, projection) => placed(22, p, { yawDeg: p.yawDeg }, projection),
  }),
  waypoint: word({
    about: "Flies there, and stays a while.",
    table: defineParams({
      northM: north,
      eastM: east,
      altitudeM: altitude,
      holdS: hold,
      acceptM: number("m", closed(0, 1e4), "How near counts as there; 0 takes the autopilot's.", 0),
      yawDeg,
    }),
    item: (p, projection) => placed(16, p, { p1: p.holdS, p2: p.acceptM, yawDeg: p.yawDeg }, projection),
  }),
  loiter: word({
    about: "Flies there and stays for a time, or for good.",
    table: defineParams({
      northM: north,
      eastM: east,
      altitudeM: altitude,
      holdS: { ...hold, about: "Time to stay there; 0 is for good." },
      yawDeg,
    }),
    item: (p, projection) => placed(p.holdS > 0 ? 19 : 17, p, { p1: p.holdS, yawDeg: p.yawDeg }, projection),
  }),
  delay: word({
    about: "Waits where it is.",
    table: defineParams({ holdS: number("s", closed(0, 1e6), "Time to wait.") }),
    item: (p) => unplaced(93, p.holdS),
  }),
  speed: word({
    about: "Sets the ground speed from here on.",
    table: defineParams({
      groundMps: number("m/s", open(0, 100), "Ground speed."),
    }),
    item: (p) => unplaced(178, 1, p.groundMps),
  }),
  jump: word({
    about: "Goes on with another item, some times over.",
    table: defineParams({
      item: integer("index", closed(0, 2000), "Index of the item, from 0."),
      times: integer("count", closed(1, 65535), "How often.", 1),
    }),
    item: (p) => unplaced(177, p.item, p.times),
  }),
  rtl: word({ about: "Returns to home and lands.", table: {}, item: () => unplaced(20) }),
  land: word({
    about: "Lands there.",
    // No heading: PX4 ignores the heading of a landing item.
    table: defineParams({ northM: north, eastM: east }),
    item: (p, projection) => placed(21, p, {}, projection),
  }),
} as const;
