/**
 * The world origin: the point at which the local NED frame touches the Earth. Gravity, air, magnetic field, projections,
 * sensors and bridges of a flight all use the same origin.
 */
import { defineParams } from "../../params/index.ts";
import type { ParamsOf } from "../../params/index.ts";

export const originParams = defineParams({
  latDeg: {
    type: "number",
    unit: "deg",
    min: -90,
    max: 90,
    default: 47.397742,
    about: "Geodetic latitude, north positive.",
  },
  lonDeg: { type: "number", unit: "deg", min: -180, max: 180, default: 8.545594, about: "Longitude, east positive." },
  altMslM: {
    type: "number",
    unit: "m",
    min: -500,
    max: 20000,
    default: 488,
    about: "Altitude of the origin above mean sea level, used as height above the ellipsoid.",
  },
});

export type WorldOrigin = ParamsOf<typeof originParams>;

export const DEFAULT_ORIGIN: WorldOrigin = { latDeg: 47.397742, lonDeg: 8.545594, altMslM: 488 };

/** What the assembly passes to the kinds of the environment. */
export interface OriginContext {
  readonly origin: WorldOrigin;
}
