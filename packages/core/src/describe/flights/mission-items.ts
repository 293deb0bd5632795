/**
 * Functions that write the items of built-in missions around the default origin.
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

export const takeoff = (altM: number) => item(TAKEOFF, { altM });
export const waypoint = (leg: Leg) => item(WAYPOINT, leg);
export const land = (leg: Omit<Leg, "altM"> = {}) => item(LAND, { ...leg, altM: 0 });
