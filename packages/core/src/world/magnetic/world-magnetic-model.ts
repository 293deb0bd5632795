/**
 * The Earth's magnetic field from the World Magnetic Model 2025: field and yearly change at a date, north-east-down.
 *
 * The potential V = a·Σ (a/r)^(n+1)·(g·cos mλ + h·sin mλ)·P_nm(sin φ′) (Chulliat et al. 2025, "The US/UK World Magnetic
 * Model for 2025–2030", equation 4) is summed in Cartesian form by the recursion of Cunningham 1970, as given by
 * Montenbruck & Gill 2000, "Satellite orbits", equations 3.27 to 3.33. It has no division by the cosine of
 * the latitude, so the poles need no special case. The gradient is rotated into the local NED axes.
 */
import { atan2, cos, sin } from "../../math/index.ts";
import { degToRad, Ellipsoid, radToDeg, WGS84 } from "../geodesy/index.ts";
import { magneticErrors } from "./errors.ts";
import { WMM2025 } from "./wmm2025-coefficients.ts";

/** The model is valid between these years. */
export const MAGNETIC_EPOCH = { from: 2025, to: 2030 } as const;
const RADIUS_M = 6371200;
const DEGREE = 12;
/** The gradient of degree n needs the functions of degree n + 1. */
const COUNT = ((DEGREE + 2) * (DEGREE + 3)) / 2;

const at = (n: number, m: number) => (n * (n + 1)) / 2 + m;

/** Returns √((2 − δ₀ₘ)·(n − m)!/(n + m)!), the factor from Schmidt semi-normalised to plain Legendre functions. */
function schmidt(n: number, m: number): number {
  let square = m === 0 ? 1 : 2;
  for (let k = n - m + 1; k <= n + m; k += 1) square /= k;
  return Math.sqrt(square);
}

interface MagneticModelOptions {
  /** 2025.0 to 2030.0; constant over a flight. */
  readonly decimalYear: number;
}

export class MagneticModel {
  private readonly ellipsoid = new Ellipsoid(WGS84);
  private readonly g = new Float64Array(COUNT);
  private readonly h = new Float64Array(COUNT);
  private readonly gPerYear = new Float64Array(COUNT);
  private readonly hPerYear = new Float64Array(COUNT);
  private readonly v = new Float64Array(COUNT);
  private readonly w = new Float64Array(COUNT);
  private readonly position = new Float64Array(3);

  constructor({ decimalYear }: MagneticModelOptions) {
    const { from, to } = MAGNETIC_EPOCH;
    const years = decimalYear - from;
    if (!(decimalYear >= from && decimalYear <= to)) {
      throw magneticErrors.outOfDate({
        what: `the magnetic model is valid from 2025.0 to 2030.0, but the date is ${decimalYear}`,
        where: { key: "decimalYear" },
        fix: "give a decimal year between 2025 and 2030",
      });
    }
    for (const [n, m, g, h, gPerYear, hPerYear] of WMM2025) {
      const scale = schmidt(n, m);
      this.g[at(n, m)] = (g + years * gPerYear) * scale;
      this.h[at(n, m)] = (h + years * hPerYear) * scale;
      this.gPerYear[at(n, m)] = gPerYear * scale;
      this.hPerYear[at(n, m)] = hPerYear * scale;
    }
  }

  /** Computes the field in nT, north-east-down, at `[latDeg, lonDeg, heightM]`. */
  fieldNedInto(fieldNt: Float64Array, geodetic: ArrayLike<number>): void {
    this.gradientNedInto(fieldNt, geodetic, this.g, this.h);
  }

  /** Computes the change of the field in nT/year, north-east-down. */
  changeNedInto(changeNtPerYear: Float64Array, geodetic: ArrayLike<number>): void {
    this.gradientNedInto(changeNtPerYear, geodetic, this.gPerYear, this.hPerYear);
  }

  private gradientNedInto(out: Float64Array, geodetic: ArrayLike<number>, g: Float64Array, h: Float64Array): void {
    const position = this.position;
    const latRad = degToRad(geodetic[0]!);
    const lonRad = degToRad(geodetic[1]!);
    position[0] = latRad;
    position[1] = lonRad;
    position[2] = geodetic[2]!;
    this.ellipsoid.toEcefInto(position, position);
    this.fillFunctions(position[0], position[1], position[2]);
    this.sumInto(position, g, h);
    const [x, y, z] = [position[0], position[1], position[2]];
    const sinLat = sin(latRad);
    const cosLat = cos(latRad);
    const sinLon = sin(lonRad);
    const cosLon = cos(lonRad);
    const outward = cosLon * x + sinLon * y;
    out[0] = cosLat * z - sinLat * outward;
    out[1] = cosLon * y - sinLon * x;
    out[2] = -cosLat * outward - sinLat * z;
  }

  /** Computes V_nm = (a/r)^(n+1)·P_nm·cos mλ, and W_nm with sin mλ, order by order. */
  private fillFunctions(x: number, y: number, z: number): void {
    const { v, w } = this;
    const r2 = x * x + y * y + z * z;
    const rho = (RADIUS_M * RADIUS_M) / r2;
    const x0 = (RADIUS_M * x) / r2;
    const y0 = (RADIUS_M * y) / r2;
    const z0 = (RADIUS_M * z) / r2;
    v[0] = RADIUS_M / Math.sqrt(r2);
    w[0] = 0;
    for (let m = 0; m <= DEGREE + 1; m += 1) {
      const top = at(m, m);
      if (m > 0) {
        const before = at(m - 1, m - 1);
        v[top] = (2 * m - 1) * (x0 * v[before]! - y0 * w[before]!);
        w[top] = (2 * m - 1) * (x0 * w[before]! + y0 * v[before]!);
      }
      for (let n = m + 1; n <= DEGREE + 1; n += 1) {
        const one = ((2 * n - 1) / (n - m)) * z0;
        const two = n === m + 1 ? 0 : ((n + m - 1) / (n - m)) * rho;
        const below = n === m + 1 ? 0 : at(n - 2, m);
        v[at(n, m)] = one * v[at(n - 1, m)]! - two * v[below]!;
        w[at(n, m)] = one * w[at(n - 1, m)]! - two * w[below]!;
      }
    }
  }

  /**
   * Computes B = −∇V in Earth-centred axes (Montenbruck & Gill 2000, equation 3.33, with the sign of a magnetic
   * potential).
   */
  private sumInto(field: Float64Array, g: Float64Array, h: Float64Array): void {
    const { v, w } = this;
    let bx = 0;
    let by = 0;
    let bz = 0;
    for (let n = 1; n <= DEGREE; n += 1) {
      bx += g[at(n, 0)]! * v[at(n + 1, 1)]!;
      by += g[at(n, 0)]! * w[at(n + 1, 1)]!;
      bz += g[at(n, 0)]! * (n + 1) * v[at(n + 1, 0)]!;
      for (let m = 1; m <= n; m += 1) {
        const c = g[at(n, m)]!;
        const s = h[at(n, m)]!;
        const up = at(n + 1, m + 1);
        const down = at(n + 1, m - 1);
        const factor = (n - m + 2) * (n - m + 1);
        bx += 0.5 * (c * v[up]! + s * w[up]! - factor * (c * v[down]! + s * w[down]!));
        by += 0.5 * (c * w[up]! - s * v[up]! + factor * (c * w[down]! - s * v[down]!));
        bz += (n - m + 1) * (c * v[at(n + 1, m)]! + s * w[at(n + 1, m)]!);
      }
    }
    field[0] = bx;
    field[1] = by;
    field[2] = bz;
  }
}

/** Computes `[horizontalNt, totalNt, declinationDeg, inclinationDeg]` of a field in north-east-down axes. */
export function magneticElementsInto(elements: Float64Array, fieldNt: ArrayLike<number>): void {
  const north = fieldNt[0]!;
  const east = fieldNt[1]!;
  const down = fieldNt[2]!;
  const horizontal = Math.sqrt(north * north + east * east);
  elements[0] = horizontal;
  elements[1] = Math.sqrt(north * north + east * east + down * down);
  elements[2] = radToDeg(atan2(east, north));
  elements[3] = radToDeg(atan2(down, horizontal));
}
