/**
 * Words for mission items, in metres from the origin, and the tables of home, fence and rally points.
 *
 * `{ waypoint = { northM = 20, altitudeM = 10, holdS = 2 } }` becomes the MAVLink item that a ground station would
 * write, placed with the flight's own projection. Heights are above the ground at the origin.
 */
import { defineParams, type ParamsOf, type ParamTable } from "../params/index.ts";
import type { Projection } from "../world/geodesy/index.ts";
import type { PlainItem } from "./mission-spec.ts";

export const itemKeys: readonly string[] = [
  "command",
  "frame",
  "p1",
  "p2",
  "p3",
  "p4",
  "latDeg",
  "lonDeg",
  "altM",
  "autoContinue",
];

/** Circles or polygons of a fence, and corners of a polygon or rally points. */
export const MOST_FENCES = 64;
export const MOST_CORNERS = 256;

const latDeg = { type: "number", unit: "deg", min: -90, max: 90, about: "Latitude, north positive." } as const;
const lonDeg = { type: "number", unit: "deg", min: -180, max: 180, about: "Longitude, east positive." } as const;
const inclusion = { type: "boolean", default: true, about: "Whether to stay inside; otherwise to stay out." } as const;

export const positionTable = defineParams({
  latDeg,
  lonDeg,
  altM: {
    type: "number",
    unit: "m",
    min: -500,
    max: 20000,
    about: "Altitude: of home above mean sea level, of rally points above home.",
  },
});

export const fenceTable = defineParams({
  circles: {
    type: "sections",
    maxLength: MOST_FENCES,
    default: [],
    about: "Circles.",
    table: { latDeg, lonDeg, radiusM: { type: "number", unit: "m", min: 0, open: true, about: "Radius." }, inclusion },
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

const north = { type: "number", unit: "m", min: -1e5, max: 1e5, default: 0, about: "North of the origin." } as const;
const east = { type: "number", unit: "m", min: -1e5, max: 1e5, default: 0, about: "East of the origin." } as const;
const altitude = { type: "number", unit: "m", min: 0, max: 1e4, about: "Height above the origin." } as const;
const yawDeg = {
  type: "number",
  unit: "deg",
  min: -360,
  max: 361,
  default: 361,
  about: "Heading to turn to; 361 lets the mode decide.",
} as const;
const hold = { type: "number", unit: "s", min: 0, max: 1e6, default: 0, about: "Time to stay there." } as const;

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
      acceptM: {
        type: "number",
        unit: "m",
        min: 0,
        max: 1e4,
        default: 0,
        about: "How near counts as there; 0 takes the autopilot's.",
      },
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
    table: defineParams({ holdS: { type: "number", unit: "s", min: 0, max: 1e6, about: "Time to wait." } }),
    item: (p) => unplaced(93, p.holdS),
  }),
  speed: word({
    about: "Sets the ground speed from here on.",
    table: defineParams({
      groundMps: { type: "number", unit: "m/s", min: 0, open: true, max: 100, about: "Ground speed." },
    }),
    item: (p) => unplaced(178, 1, p.groundMps),
  }),
  jump: word({
    about: "Goes on with another item, some times over.",
    table: defineParams({
      item: { type: "number", unit: "index", integer: true, min: 0, max: 2000, about: "Index of the item, from 0." },
      times: { type: "number", unit: "count", integer: true, min: 1, max: 65535, default: 1, about: "How often." },
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
