/** PX4's numbers of the flight modes that the embedded autopilot knows. */
export const NAV_WAITING = 0;
export const NAV_MISSION = 3;
export const NAV_HOLD = 4;
export const NAV_RETURN = 5;
export const NAV_TERMINATION = 13;
export const NAV_TAKEOFF_MODE = 17;
export const NAV_LAND_MODE = 18;
