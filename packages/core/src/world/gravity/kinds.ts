/**
 * The kinds of gravity: uniform, spherical, and normal gravity of the WGS-84 ellipsoid.
 *
 * `wgs84` is the attraction of the ellipsoid plus the centrifugal acceleration (NIMA TR8350.2, third edition), at the
 * origin's latitude:
 *   γ0 = γe·(1 + k·sin²φ)/√(1 − e²·sin²φ)                                        (Somigliana; equation 4-1)
 *   γ  = γ0·(1 − (2/a)·(1 + f + m − 2f·sin²φ)·h + 3h²/a²)                        (equation 4-3)
 * The next term would be 4(h/a)³: below 1e-8 up to 8 km, 1e-5 at 86 km.
 */
import { sin } from "../../math/index.ts";
import { defineKind, defineParams } from "../../params/index.ts";
import { above, number } from "../../params/rows.ts";
import type { Gravity } from "../environment.ts";
import { degToRad, Ellipsoid, WGS84 } from "../geodesy/index.ts";
import type { OriginContext } from "../geodesy/index.ts";

/** TR8350.2, tables 3.1 and 3.4. */
const EQUATOR_GRAVITY_MPS2 = 9.7803253359;
const SOMIGLIANA_K = 0.00193185265241;
/** m = ω²·a²·b/GM. */
const CENTRIFUGAL_RATIO = 0.00344978650684;

const sphereParams = defineParams({
  gmM3S2: number("m3/s2", above(0), "Gravitational constant times the mass of the Earth.", 3.986004418e14),
  radiusM: number("m", above(0), "Radius of the Earth.", 6371000),
});

/** Makes the gravity GM/(r + h)², where r is the distance from the centre to sea level. */
function ofSphere({ gmM3S2, radiusM }: { gmM3S2: number; radiusM: number }): Gravity {
  return { coefficients: [gmM3S2 / (radiusM * radiusM), 0, 0, 1 / radiusM] };
}

const uniform = defineKind({
  name: "uniform",
  about: "The same acceleration everywhere.",
  version: 1,
  params: defineParams({
    accelerationMps2: number("m/s2", above(0), "Acceleration of free fall.", 9.80665),
  }),
  make: ({ accelerationMps2 }): Gravity => ({ coefficients: [accelerationMps2, 0, 0, 0] }),
});

const spherical = defineKind({
  name: "spherical",
  about: "Inverse square of the distance to the centre of a sphere; height is above mean sea level.",
  version: 1,
  params: sphereParams,
  make: (params): Gravity => ofSphere(params),
});

const sphericalReference = defineKind({
  name: "spherical-reference",
  about: "Inverse square with height above the origin, not above sea level, as in PX4Lockstep.jl.",
  version: 1,
  params: sphereParams,
  make: ({ gmM3S2, radiusM }, { origin }: OriginContext): Gravity =>
    ofSphere({ gmM3S2, radiusM: radiusM - origin.altMslM }),
});

const wgs84Gravity = defineKind({
  name: "wgs84",
  about: "Normal gravity of the WGS-84 ellipsoid at the origin's latitude; decreases with height.",
  version: 1,
  params: defineParams({}),
  make: (_params, { origin }: OriginContext): Gravity => {
    const { semiMajorM: a, flattening: f, eccentricity2 } = new Ellipsoid(WGS84);
    const sinLat = sin(degToRad(origin.latDeg));
    const sin2 = sinLat * sinLat;
    const surface = (EQUATOR_GRAVITY_MPS2 * (1 + SOMIGLIANA_K * sin2)) / Math.sqrt(1 - eccentricity2 * sin2);
    const perM = (-2 * surface * (1 + f + CENTRIFUGAL_RATIO - 2 * f * sin2)) / a;
    return { coefficients: [surface, perM, (3 * surface) / (a * a), 0] };
  },
});

export const gravityKinds = [uniform, spherical, sphericalReference, wgs84Gravity] as const;
