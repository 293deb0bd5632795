/**
 * Projections between the local NED frame and latitude, longitude, altitude.
 *
 * `wgs84` is the true geometry, `wgs84-flat` the same over flat ground, `px4` the projection of PX4, and `reference`
 * the projection of PX4Lockstep.jl. They differ by 0.1 to 0.2 % of the distance from the origin, so all parts of a
 * flight use the same projection.
 */
import { atan2, cos, sin } from "../../math/index.ts";
import { defineKind, defineParams } from "../../params/index.ts";
import { degToRad, radToDeg, wrapLongitudeDeg } from "./angle.ts";
import { Ellipsoid, WGS84 } from "./ellipsoid.ts";
import { geodesyErrors } from "./errors.ts";
import type { OriginContext, WorldOrigin } from "./origin.ts";
import { TangentFrame } from "./tangent-frame.ts";

/** Converts between `posNed` and `geodetic`, which is `[latDeg, lonDeg, altMslM]`. */
export interface Projection {
  toGeodeticInto(geodetic: Float64Array, posNed: ArrayLike<number>): void;
  toNedInto(posNed: Float64Array, geodetic: ArrayLike<number>): void;
}

class TangentProjection implements Projection {
  private readonly ellipsoid = new Ellipsoid(WGS84);
  private readonly frame: TangentFrame;
  private readonly work = new Float64Array(3);

  constructor(origin: WorldOrigin) {
    this.frame = new TangentFrame(this.ellipsoid, origin);
  }

  toGeodeticInto(geodetic: Float64Array, posNed: ArrayLike<number>): void {
    this.frame.toEcefInto(this.work, posNed);
    this.ellipsoid.toGeodeticInto(geodetic, this.work);
    geodetic[0] = radToDeg(geodetic[0]!);
    geodetic[1] = radToDeg(geodetic[1]!);
  }

  toNedInto(posNed: Float64Array, geodetic: ArrayLike<number>): void {
    const work = this.work;
    work[0] = degToRad(geodetic[0]!);
    work[1] = degToRad(geodetic[1]!);
    work[2] = geodetic[2]!;
    this.ellipsoid.toEcefInto(work, work);
    this.frame.toNedInto(posNed, work);
  }
}

/**
 * Maps one metre north and one metre east to constant angles, which is accurate near the origin. The altitude is the
 * altitude of the origin minus the down coordinate.
 */
class FlatProjection implements Projection {
  private readonly origin: WorldOrigin;
  private readonly metresPerRadNorth: number;
  private readonly metresPerRadEast: number;

  constructor(origin: WorldOrigin, radii: { northM: number; eastM: number }) {
    this.origin = origin;
    this.metresPerRadNorth = radii.northM;
    this.metresPerRadEast = radii.eastM * cos(degToRad(origin.latDeg));
    if (Math.abs(origin.latDeg) > 89.9) {
      throw geodesyErrors.outOfReach({
        what: `a flat projection cannot start at latitude ${origin.latDeg}°, where a degree of longitude has no length`,
        where: { key: "origin.latDeg" },
        fix: `choose the projection "wgs84" or "px4", which work at the poles`,
      });
    }
  }

  toGeodeticInto(geodetic: Float64Array, posNed: ArrayLike<number>): void {
    const { latDeg, lonDeg, altMslM } = this.origin;
    geodetic[0] = latDeg + radToDeg(posNed[0]! / this.metresPerRadNorth);
    if (Math.abs(geodetic[0]) > 90) this.reject(posNed[0]!);
    geodetic[1] = wrapLongitudeDeg(lonDeg + radToDeg(posNed[1]! / this.metresPerRadEast));
    geodetic[2] = altMslM - posNed[2]!;
  }

  toNedInto(posNed: Float64Array, geodetic: ArrayLike<number>): void {
    const { latDeg, lonDeg, altMslM } = this.origin;
    posNed[0] = degToRad(geodetic[0]! - latDeg) * this.metresPerRadNorth;
    posNed[1] = degToRad(wrapLongitudeDeg(geodetic[1]! - lonDeg)) * this.metresPerRadEast;
    posNed[2] = altMslM - geodetic[2]!;
  }

  private reject(northM: number): never {
    throw geodesyErrors.outOfReach({
      what: `a position ${northM} m north of latitude ${this.origin.latDeg}° lies beyond the pole of a flat projection`,
      fix: `choose the projection "wgs84" or "px4", which work at the poles, or move the origin`,
    });
  }
}

const PX4_RADIUS_M = 6371000;

/**
 * Azimuthal equidistant on a sphere (Snyder 1987, "Map projections: a working manual", USGS PP 1395, equations 20-14,
 * 20-15, 22-4, 22-5, 25-2 and 5-3): preserves the distance c and the direction from the origin.
 */
class AzimuthalProjection implements Projection {
  private readonly origin: WorldOrigin;
  private readonly sinLat0: number;
  private readonly cosLat0: number;

  constructor(origin: WorldOrigin) {
    this.origin = origin;
    this.sinLat0 = sin(degToRad(origin.latDeg));
    this.cosLat0 = cos(degToRad(origin.latDeg));
  }

  toGeodeticInto(geodetic: Float64Array, posNed: ArrayLike<number>): void {
    const { sinLat0, cosLat0 } = this;
    const x = posNed[0]! / PX4_RADIUS_M;
    const y = posNed[1]! / PX4_RADIUS_M;
    const c = Math.sqrt(x * x + y * y);
    if (c > 3.14) this.reject(c);
    // sin(c)/c → 1 at the origin.
    const sinc = c === 0 ? 1 : sin(c) / c;
    const cosC = cos(c);
    // Unit vector to the point: east, outward in the origin's meridian plane, and along the Earth's axis.
    const east = y * sinc;
    const equatorial = cosLat0 * cosC - x * sinLat0 * sinc;
    const axial = sinLat0 * cosC + x * cosLat0 * sinc;
    geodetic[0] = radToDeg(atan2(axial, Math.sqrt(equatorial * equatorial + east * east)));
    geodetic[1] = wrapLongitudeDeg(this.origin.lonDeg + radToDeg(atan2(east, equatorial)));
    geodetic[2] = this.origin.altMslM - posNed[2]!;
  }

  toNedInto(posNed: Float64Array, geodetic: ArrayLike<number>): void {
    const latRad = degToRad(geodetic[0]!);
    const lonRad = degToRad(wrapLongitudeDeg(geodetic[1]! - this.origin.lonDeg));
    const sinLat = sin(latRad);
    const cosLat = cos(latRad);
    const cosLon = cos(lonRad);
    const north = this.cosLat0 * sinLat - this.sinLat0 * cosLat * cosLon;
    const east = cosLat * sin(lonRad);
    const sinC = Math.sqrt(north * north + east * east);
    const c = atan2(sinC, this.sinLat0 * sinLat + this.cosLat0 * cosLat * cosLon);
    if (c > 3.14) this.reject(c);
    const k = sinC === 0 ? 1 : c / sinC;
    posNed[0] = k * north * PX4_RADIUS_M;
    posNed[1] = k * east * PX4_RADIUS_M;
    posNed[2] = this.origin.altMslM - geodetic[2]!;
  }

  private reject(c: number): never {
    throw geodesyErrors.outOfReach({
      what: `a position lies ${radToDeg(c)}° of arc from the origin, at its antipode`,
      fix: "move the origin nearer to the flight",
    });
  }
}

const REFERENCE_RADIUS_M = 6378137;

const wgs84 = defineKind({
  name: "wgs84",
  about: "The plane that touches the WGS-84 ellipsoid at the origin: exact at any distance.",
  version: 1,
  params: defineParams({}),
  make: (_params, { origin }: OriginContext): Projection => new TangentProjection(origin),
});

const wgs84Flat = defineKind({
  name: "wgs84-flat",
  about:
    "Flat ground with the WGS-84 radii of curvature at the origin: one metre down is one metre of altitude everywhere.",
  version: 1,
  params: defineParams({}),
  make: (_params, { origin }: OriginContext): Projection => {
    const ellipsoid = new Ellipsoid(WGS84);
    const latRad = degToRad(origin.latDeg);
    return new FlatProjection(origin, {
      northM: ellipsoid.meridianRadiusM(latRad) + origin.altMslM,
      eastM: ellipsoid.primeVerticalRadiusM(latRad) + origin.altMslM,
    });
  },
});

const px4 = defineKind({
  name: "px4",
  about: "The projection of PX4: azimuthal equidistant on a sphere of 6 371 000 m radius.",
  version: 1,
  params: defineParams({}),
  make: (_params, { origin }: OriginContext): Projection => new AzimuthalProjection(origin),
});

const reference = defineKind({
  name: "reference",
  about: "Flat ground with a radius of curvature of 6 378 137 m, as in PX4Lockstep.jl.",
  version: 1,
  params: defineParams({}),
  make: (_params, { origin }: OriginContext): Projection =>
    new FlatProjection(origin, { northM: REFERENCE_RADIUS_M, eastM: REFERENCE_RADIUS_M }),
});

/** The built-in projections. */
export const projectionKinds = [wgs84, wgs84Flat, px4, reference] as const;
