/** Conversion between degrees, used in files and output, and radians, used in formulas. */
const PI = 3.141592653589793;

export function degToRad(deg: number): number {
  return (deg * PI) / 180;
}

export function radToDeg(rad: number): number {
  return (rad * 180) / PI;
}

/** Returns the same longitude in [−180, 180]. */
export function wrapLongitudeDeg(lonDeg: number): number {
  if (lonDeg >= -180 && lonDeg <= 180) return lonDeg;
  return lonDeg - 360 * Math.round(lonDeg / 360);
}
