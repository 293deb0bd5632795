/**
 * Converts between latitude and longitude and the local frame, like PX4: azimuthal equidistant projection of a sphere
 * of 6 371 000 m. Distances and directions from the origin are exact; between other points the relative error grows
 * with the square of the distance from the origin (0.4 mm per km at 10 km).
 */
import { acos, asin, atan2, cos, sin } from "../math/index.ts";
import { autopilotErrors } from "./errors.ts";
import type { GeoPosition } from "./mission.ts";

export const EARTH_RADIUS_M = 6371000;
const DEG = 0.017453292519943295;

/** PX4's projection between latitude and longitude and the local frame. */
export class LocalProjection {
  private readonly lonRad: number;
  private readonly latRad: number;
  private readonly sinLat: number;
  private readonly cosLat: number;
  private readonly altM: number;

  constructor(origin: GeoPosition) {
    const isValid = Math.abs(origin.latDeg) <= 90 && Math.abs(origin.lonDeg) <= 180 && Number.isFinite(origin.altM);
    if (!isValid) {
      throw autopilotErrors.badOrigin({
        what: `the origin (${origin.latDeg}°, ${origin.lonDeg}°, ${origin.altM} m) is not a position`,
        where: { key: "origin" },
        fix: "use a latitude within ±90°, a longitude within ±180° and a finite altitude in metres",
      });
    }
    this.latRad = origin.latDeg * DEG;
    this.lonRad = origin.lonDeg * DEG;
    this.sinLat = sin(this.latRad);
    this.cosLat = cos(this.latRad);
    this.altM = origin.altM;
  }

  /** Converts a geodetic position to a local one; altitude is above mean sea level. */
  toNedInto(ned: Float64Array, position: GeoPosition): void {
    const lat = position.latDeg * DEG;
    const dLon = position.lonDeg * DEG - this.lonRad;
    const sinLat = sin(lat);
    const cosLat = cos(lat);
    const cosDLon = cos(dLon);
    const c = acos(Math.min(Math.max(this.sinLat * sinLat + this.cosLat * cosLat * cosDLon, -1), 1));
    const k = c > 0 ? c / sin(c) : 1;
    ned[0] = k * (this.cosLat * sinLat - this.sinLat * cosLat * cosDLon) * EARTH_RADIUS_M;
    ned[1] = k * cosLat * sin(dLon) * EARTH_RADIUS_M;
    ned[2] = this.altM - position.altM;
  }

  toGeo(ned: ArrayLike<number>): GeoPosition {
    const x = ned[0]! / EARTH_RADIUS_M;
    const y = ned[1]! / EARTH_RADIUS_M;
    const c = Math.sqrt(x * x + y * y);
    const altM = this.altM - ned[2]!;
    if (!(c > 0)) return { latDeg: this.latRad / DEG, lonDeg: this.lonRad / DEG, altM };
    const sinC = sin(c);
    const cosC = cos(c);
    const lat = asin(cosC * this.sinLat + (x * sinC * this.cosLat) / c);
    const lon = this.lonRad + atan2(y * sinC, c * this.cosLat * cosC - x * this.sinLat * sinC);
    return { latDeg: lat / DEG, lonDeg: lon / DEG, altM };
  }
}
