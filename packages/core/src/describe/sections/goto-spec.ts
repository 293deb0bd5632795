/**
 * A position for `goto` in latitude and longitude: an alternative to metres from the origin. The definition holds
 * metres, converted with the flight's own projection, as for the items of a mission.
 */
import { SimError } from "../../errors/index.ts";
import { defineParams, type PlainObject } from "../../params/index.ts";
import { closed, number } from "../../params/rows.ts";
import { ACTIONS } from "../../sources/scenario/index.ts";
import type { Projection, WorldOrigin } from "../../world/geodesy/index.ts";
import type { Diagnostics } from "../diagnostics.ts";

/** The parameters of `goto` with a position in latitude and longitude. */
export const geodeticGoto = defineParams({
  latDeg: number("deg", closed(-90, 90), "Latitude, north positive."),
  lonDeg: number("deg", closed(-180, 180), "Longitude, east positive."),
  altitudeM: number("m", closed(-1e5, 1e5), "Height above the origin."),
  yawDeg: ACTIONS.goto.params.yawDeg,
});

const MAX_M = 1e5;

/** The origin and projection of the flight, for the conversion of positions. */
export interface Place {
  readonly projection: Projection;
  readonly origin: WorldOrigin;
}

export function isGeodetic(given: PlainObject): boolean {
  return ["latDeg", "lonDeg", "altitudeM"].some((name) => given[name] !== undefined);
}

/**
 * Returns the same request with metres from the origin. If `place` is absent, the error in the environment has already
 * been reported.
 */
export function gotoInMetres(
  given: PlainObject,
  key: string,
  place: Place | undefined,
  diagnostics: Diagnostics,
): PlainObject | undefined {
  if (given["posNedM"] !== undefined) {
    const what = "the position is written both in metres and in latitude and longitude";
    return diagnostics.add("inconsistent", `${key}.posNedM`, what, "use one of the two forms");
  }
  const before = diagnostics.count;
  const { latDeg, lonDeg, altitudeM, yawDeg } = diagnostics.params(geodeticGoto, given, key);
  if (diagnostics.count > before || place === undefined) return undefined;
  const posNedM = new Float64Array(3);
  const fix = `use a position within ${MAX_M / 1000} km of the origin, ${place.origin.latDeg}°, ${place.origin.lonDeg}°`;
  try {
    place.projection.toNedInto(posNedM, [latDeg, lonDeg, place.origin.altMslM]);
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    return diagnostics.add("outOfRange", `${key}.latDeg`, error.what, fix);
  }
  const [north, east] = posNedM as unknown as [number, number];
  if (!(Math.max(Math.abs(north), Math.abs(east)) <= MAX_M)) {
    const far = (Math.sqrt(north * north + east * east) / 1000).toFixed(0);
    return diagnostics.add("outOfRange", `${key}.latDeg`, `the position lies ${far} km from the origin`, fix);
  }
  return { posNedM: [north, east, 0 - altitudeM], yawDeg };
}
