/**
 * An ellipsoid of revolution: converts geodetic coordinates to Earth-centred Cartesian ones (ECEF) and back.
 *
 * Angles are in radians; heights are measured along the normal of the ellipsoid. A sphere is an ellipsoid with a
 * flattening of 0. The inverse iterates on the parametric latitude (Bowring 1976, "Transformation from spatial to
 * geographical coordinates", Survey Review 23, equation 4). This converges so fast that a fixed number of passes is
 * exact to rounding, including at the poles, from far below the ground to thousands of kilometres above it.
 */
import { atan2, cos, sin } from "../../math/index.ts";

interface EllipsoidShape {
  readonly semiMajorM: number;
  /** (a − b)/a; 0 for a sphere. */
  readonly flattening: number;
}

/** The ellipsoid of WGS 84: NIMA TR8350.2, third edition, table 3.1. */
export const WGS84: EllipsoidShape = { semiMajorM: 6378137, flattening: 1 / 298.257223563 };

/** At 1000 km, the error is 1e-5 m after one pass and only rounding after two; a third pass is a safety margin. */
const PASSES = 3;

const HEIGHT = 0;
const SIN_LAT = 1;
const COS_LAT = 2;

/** An ellipsoid of revolution and conversions between its coordinates. */
export class Ellipsoid {
  readonly semiMajorM: number;
  readonly semiMinorM: number;
  readonly flattening: number;
  /** First eccentricity squared, (a² − b²)/a². */
  readonly eccentricity2: number;
  private readonly work = new Float64Array(3);

  constructor(shape: EllipsoidShape) {
    this.semiMajorM = shape.semiMajorM;
    this.flattening = shape.flattening;
    this.semiMinorM = shape.semiMajorM * (1 - shape.flattening);
    this.eccentricity2 = shape.flattening * (2 - shape.flattening);
  }

  /** Returns the meridian radius of curvature M at a latitude. */
  meridianRadiusM(latRad: number): number {
    const s = sin(latRad);
    const w2 = 1 - this.eccentricity2 * s * s;
    return (this.semiMajorM * (1 - this.eccentricity2)) / (w2 * Math.sqrt(w2));
  }

  /** Returns the prime-vertical radius of curvature N at a latitude. */
  primeVerticalRadiusM(latRad: number): number {
    const s = sin(latRad);
    return this.semiMajorM / Math.sqrt(1 - this.eccentricity2 * s * s);
  }

  /** Converts `[latRad, lonRad, heightM]` to ECEF. */
  toEcefInto(ecef: Float64Array, geodetic: ArrayLike<number>): void {
    const latRad = geodetic[0]!;
    const lonRad = geodetic[1]!;
    const heightM = geodetic[2]!;
    const sinLat = sin(latRad);
    const n = this.semiMajorM / Math.sqrt(1 - this.eccentricity2 * sinLat * sinLat);
    const axisDistanceM = (n + heightM) * cos(latRad);
    ecef[0] = axisDistanceM * cos(lonRad);
    ecef[1] = axisDistanceM * sin(lonRad);
    ecef[2] = (n * (1 - this.eccentricity2) + heightM) * sinLat;
  }

  /** Converts an ECEF position to `[latRad, lonRad, heightM]`. */
  toGeodeticInto(geodetic: Float64Array, ecef: ArrayLike<number>): void {
    const work = this.work;
    const x = ecef[0]!;
    const y = ecef[1]!;
    this.heightInto(work, ecef);
    geodetic[0] = atan2(work[SIN_LAT]!, work[COS_LAT]!);
    geodetic[1] = atan2(y, x);
    geodetic[2] = work[HEIGHT]!;
  }

  /** Computes `[heightM, sinLat, cosLat]` of a position without inverse trigonometry, for right-hand sides. */
  heightInto(out: Float64Array, ecef: ArrayLike<number>): void {
    const a = this.semiMajorM;
    const b = this.semiMinorM;
    const e2 = this.eccentricity2;
    const x = ecef[0]!;
    const y = ecef[1]!;
    const z = ecef[2]!;
    const p = Math.sqrt(x * x + y * y);
    // β is the parametric latitude: tan β = (1 − f)·tan φ; e'²·b = e²·a²/b.
    const polar = (e2 * a * a) / b;
    const shrink = 1 - this.flattening;
    let sinBeta = z;
    let cosBeta = shrink * p;
    let upward = z;
    let outward = p;
    for (let pass = 0; pass < PASSES; pass += 1) {
      const norm = 1 / Math.sqrt(sinBeta * sinBeta + cosBeta * cosBeta);
      sinBeta *= norm;
      cosBeta *= norm;
      upward = z + polar * sinBeta * sinBeta * sinBeta;
      outward = p - e2 * a * cosBeta * cosBeta * cosBeta;
      sinBeta = shrink * upward;
      cosBeta = outward;
    }
    const normBeta = 1 / Math.sqrt(sinBeta * sinBeta + cosBeta * cosBeta);
    const norm = 1 / Math.sqrt(upward * upward + outward * outward);
    const sinLat = upward * norm;
    const cosLat = outward * norm;
    // The foot point is (a·cos β, b·sin β). Subtract it first to avoid cancellation of large terms.
    out[HEIGHT] = (p - a * cosBeta * normBeta) * cosLat + (z - b * sinBeta * normBeta) * sinLat;
    out[SIN_LAT] = sinLat;
    out[COS_LAT] = cosLat;
  }
}
