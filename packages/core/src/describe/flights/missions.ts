/**
 * The missions of the built-in flights, around the default origin. The square and the long hold have the shapes of
 * PX4Lockstep.jl's examples.
 *
 * Offsets are in degrees. At the default origin, 1e-4° is about 11 m north or 7.5 m east.
 */
import { DEFAULT_ORIGIN } from "../../world/geodesy/index.ts";

interface Leg {
  readonly northDeg?: number;
  readonly eastDeg?: number;
  readonly altM: number;
  readonly holdS?: number;
  readonly yawDeg?: number;
}

const TAKEOFF = 22;
const WAYPOINT = 16;
const LAND = 21;

function item(command: number, { northDeg = 0, eastDeg = 0, altM, holdS = 0, yawDeg }: Leg) {
  return {
    command,
    frame: "relative",
    p1: holdS,
    p2: 0,
    p3: 0,
    p4: yawDeg ?? null,
    latDeg: DEFAULT_ORIGIN.latDeg + northDeg,
    lonDeg: DEFAULT_ORIGIN.lonDeg + eastDeg,
    altM,
    autoContinue: true,
  };
}

const takeoff = (altM: number) => item(TAKEOFF, { altM });
const waypoint = (leg: Leg) => item(WAYPOINT, leg);
const land = (leg: Omit<Leg, "altM"> = {}) => item(LAND, { ...leg, altM: 0 });

const SIDE_DEG = 1e-4;

/** Take off, fly a square with 2 s at each corner, return over the centre, descend to 6 m, and land. */
export const square = [
  takeoff(12),
  waypoint({ northDeg: SIDE_DEG, eastDeg: SIDE_DEG, altM: 12, holdS: 2 }),
  waypoint({ northDeg: SIDE_DEG, eastDeg: -SIDE_DEG, altM: 12, holdS: 2 }),
  waypoint({ northDeg: -SIDE_DEG, eastDeg: -SIDE_DEG, altM: 12, holdS: 2 }),
  waypoint({ northDeg: -SIDE_DEG, eastDeg: SIDE_DEG, altM: 12, holdS: 2 }),
  waypoint({ altM: 12 }),
  waypoint({ altM: 6 }),
  land(),
];

/** Fly out, hold for 220 s, return and land. */
export const longHold = [
  takeoff(12),
  waypoint({ northDeg: SIDE_DEG, altM: 12 }),
  { ...waypoint({ northDeg: SIDE_DEG, altM: 12, holdS: 220 }), command: 19 },
  waypoint({ altM: 12 }),
  land(),
];

/** Climb and hold. */
export const upAndHold = [takeoff(10), { ...waypoint({ altM: 10 }), command: 17 }];

/** Fly out 45 m and hold there until an event calls the vehicle back. */
export const farAndHold = [takeoff(15), { ...waypoint({ northDeg: 4e-4, altM: 15 }), command: 17 }];

/** Small steps along each axis and in yaw, each with time to settle. */
export const steps = [
  takeoff(5),
  waypoint({ altM: 5, holdS: 4, yawDeg: 0 }),
  waypoint({ northDeg: 3e-5, altM: 5, holdS: 5, yawDeg: 0 }),
  waypoint({ northDeg: 3e-5, eastDeg: 3e-5, altM: 5, holdS: 5, yawDeg: 0 }),
  waypoint({ northDeg: 3e-5, eastDeg: 3e-5, altM: 8, holdS: 5, yawDeg: 0 }),
  waypoint({ northDeg: 3e-5, eastDeg: 3e-5, altM: 8, holdS: 6, yawDeg: 90 }),
  land({ northDeg: 3e-5, eastDeg: 3e-5 }),
];
