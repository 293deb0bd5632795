/** Wind directions as in weather reports: the direction from which the wind blows, in degrees clockwise from north. */
import { cos, sin } from "../../math/index.ts";
import { closed, number } from "../../params/rows.ts";

const PI = 3.141592653589793;

export const windFromDeg = number(
  "deg",
  closed(-360, 360),
  "Direction from which the wind blows, clockwise from north: 270 is a west wind.",
  270,
);

/** Returns the unit vector `[north, east]` towards which a wind from a direction blows. */
export function blowsToward(fromDeg: number): readonly [north: number, east: number] {
  const angleRad = (fromDeg * PI) / 180;
  return [-cos(angleRad), -sin(angleRad)];
}
