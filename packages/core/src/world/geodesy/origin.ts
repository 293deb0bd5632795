/**
 * The world origin: the point at which the local NED frame touches the Earth. Gravity, air, magnetic field,
 * projections, sensors and bridges of a flight all use the same origin.
 */
import { defineParams } from "../../params/index.ts";
import type { ParamsOf } from "../../params/index.ts";
import { closed, number } from "../../params/rows.ts";

export const originParams = defineParams({
  latDeg: number("deg", closed(-90, 90), "Geodetic latitude, north positive.", 47.397742),
  lonDeg: number("deg", closed(-180, 180), "Longitude, east positive.", 8.545594),
  altMslM: number(
    "m",
    closed(-500, 20000),
    "Altitude of the origin above mean sea level, used as height above the ellipsoid.",
    488,
  ),
});

export type WorldOrigin = ParamsOf<typeof originParams>;

export const DEFAULT_ORIGIN: WorldOrigin = { latDeg: 47.397742, lonDeg: 8.545594, altMslM: 488 };

/** The context from which the kinds of gravity and projection make their models. */
export interface OriginContext {
  readonly origin: WorldOrigin;
}
