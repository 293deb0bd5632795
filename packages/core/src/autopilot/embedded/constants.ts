/** Numbers that several control laws share. */

/** Degrees to radians. */
export const DEG = 0.017453292519943295;
/** Standard gravity, as PX4 uses it (m/s²). */
export const G = 9.80665;
/** PX4's float32 epsilon: smaller magnitudes are treated as zero. */
export const TINY = 1.1920928955078125e-7;
