/**
 * The local NED frame, tangent to the ellipsoid at the origin: converts positions to and from ECEF.
 *
 * n = (−sin φ cos λ, −sin φ sin λ, cos φ), e = (−sin λ, cos λ, 0), d = −(cos φ cos λ, cos φ sin λ, sin φ)
 * (Groves 2013, "Principles of GNSS, inertial and multisensor integrated navigation systems", equation 2.150).
 */
import { cos, sin } from "../../math/index.ts";
import { degToRad } from "./angle.ts";
import type { Ellipsoid } from "./ellipsoid.ts";
import type { WorldOrigin } from "./origin.ts";

/** The north-east-down frame that is tangent to an ellipsoid at a point. */
export class TangentFrame {
  private readonly originEcef = new Float64Array(3);
  /** Rows n, e, d in ECEF axes. */
  private readonly axes: Float64Array;

  constructor(ellipsoid: Ellipsoid, origin: WorldOrigin) {
    const latRad = degToRad(origin.latDeg);
    const lonRad = degToRad(origin.lonDeg);
    ellipsoid.toEcefInto(this.originEcef, [latRad, lonRad, origin.altMslM]);
    const sinLat = sin(latRad);
    const cosLat = cos(latRad);
    const sinLon = sin(lonRad);
    const cosLon = cos(lonRad);
    // prettier-ignore
    this.axes = Float64Array.of(
      -sinLat * cosLon, -sinLat * sinLon, cosLat,
      -sinLon, cosLon, 0,
      -cosLat * cosLon, -cosLat * sinLon, -sinLat,
    );
  }

  toEcefInto(ecef: Float64Array, posNed: ArrayLike<number>): void {
    const m = this.axes;
    const n = posNed[0]!;
    const e = posNed[1]!;
    const d = posNed[2]!;
    for (let i = 0; i < 3; i += 1) ecef[i] = this.originEcef[i]! + (m[i]! * n + m[3 + i]! * e + m[6 + i]! * d);
  }

  toNedInto(posNed: Float64Array, ecef: ArrayLike<number>): void {
    const m = this.axes;
    const x = ecef[0]! - this.originEcef[0]!;
    const y = ecef[1]! - this.originEcef[1]!;
    const z = ecef[2]! - this.originEcef[2]!;
    for (let i = 0; i < 3; i += 1) posNed[i] = m[3 * i]! * x + m[3 * i + 1]! * y + m[3 * i + 2]! * z;
  }
}
