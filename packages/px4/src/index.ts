/**
 * PX4 as an autopilot: the in-process lockstep library and stock SITL over MAVLink.
 *
 * What other packages may use of this one; everything else is private to its folder.
 */
export {};
