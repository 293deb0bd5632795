/**
 * Reports the state of an Earth body with the column names and units of NASA's check cases: feet, slugs, degrees.
 *
 * Column names are taken from the published files (NASA/TM-2015-218675, volume II, table 75). As in the published
 * tools, local gravity is the attraction along local down, without the centrifugal part.
 */
import { asin, atan2 } from "../../../packages/core/src/math/index.ts";
import { radToDeg, wrapLongitudeDeg } from "../../../packages/core/src/world/geodesy/index.ts";
import type { EarthBody } from "./earth-body.ts";
import { W_AIR, W_BODY, W_COS_LON, W_GRAVITATION, W_PLACE, W_SIN_LON, W_SIZE } from "./earth-body.ts";

export const FOOT_M = 0.3048;
/** One slug in kilograms: one pound-force (0.45359237 kg · 9.80665 m/s²) accelerates it by 1 ft/s². */
export const SLUG_KG = (0.45359237 * 9.80665) / FOOT_M;

const CHECK_COLUMNS = [
  "altitudeMsl_ft",
  "longitude_deg",
  "latitude_deg",
  "feVelocity_ft_s_X",
  "feVelocity_ft_s_Y",
  "feVelocity_ft_s_Z",
  "eulerAngle_deg_Yaw",
  "eulerAngle_deg_Pitch",
  "eulerAngle_deg_Roll",
  "bodyAngularRateWrtEi_deg_s_Roll",
  "bodyAngularRateWrtEi_deg_s_Pitch",
  "bodyAngularRateWrtEi_deg_s_Yaw",
  "localGravity_ft_s2",
  "airDensity_slug_ft3",
] as const;

export type CheckReport = Readonly<Record<(typeof CHECK_COLUMNS)[number], number>>;

/** Returns the report at `timeS`; the ECI and ECEF axes coincide at 0. */
export function checkReport(plant: EarthBody, timeS: number, x: Float64Array, u: Float64Array): CheckReport {
  const w = new Float64Array(W_SIZE);
  plant.evaluateInto(w, x, u);
  const [heightM, sinLat, cosLat] = [w[W_PLACE]!, w[W_PLACE + 1]!, w[W_PLACE + 2]!];
  const [sinLon, cosLon] = [w[W_SIN_LON]!, w[W_COS_LON]!];
  const turning = plant.planet.rotationRadS;
  const north = [-sinLat * cosLon, -sinLat * sinLon, cosLat];
  const east = [-sinLon, cosLon, 0];
  const down = [-cosLat * cosLon, -cosLat * sinLon, -sinLat];
  const overGround = [x[3]! + turning * x[1]!, x[4]! - turning * x[0]!, x[5]!];
  const body = (i: number) => [w[W_BODY + i]!, w[W_BODY + 3 + i]!, w[W_BODY + 6 + i]!];
  const longitudeDeg = radToDeg(atan2(sinLon, cosLon) - turning * timeS);
  return {
    altitudeMsl_ft: heightM / FOOT_M,
    longitude_deg: wrapLongitudeDeg(longitudeDeg),
    latitude_deg: radToDeg(atan2(sinLat, cosLat)),
    feVelocity_ft_s_X: dot(north, overGround) / FOOT_M,
    feVelocity_ft_s_Y: dot(east, overGround) / FOOT_M,
    feVelocity_ft_s_Z: dot(down, overGround) / FOOT_M,
    eulerAngle_deg_Yaw: radToDeg(atan2(dot(east, body(0)), dot(north, body(0)))),
    eulerAngle_deg_Pitch: radToDeg(-asin(Math.max(-1, Math.min(1, dot(down, body(0)))))),
    eulerAngle_deg_Roll: radToDeg(atan2(dot(down, body(1)), dot(down, body(2)))),
    bodyAngularRateWrtEi_deg_s_Roll: radToDeg(x[10]!),
    bodyAngularRateWrtEi_deg_s_Pitch: radToDeg(x[11]!),
    bodyAngularRateWrtEi_deg_s_Yaw: radToDeg(x[12]!),
    localGravity_ft_s2: dot(down, [w[W_GRAVITATION]!, w[W_GRAVITATION + 1]!, w[W_GRAVITATION + 2]!]) / FOOT_M,
    airDensity_slug_ft3: (w[W_AIR]! * FOOT_M * FOOT_M * FOOT_M) / SLUG_KG,
  };
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}
