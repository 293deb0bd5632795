/** The missions of the built-in flights. The square and the long hold have the shapes of the original's examples. */
import { land, takeoff, waypoint } from "./mission-items.ts";

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
