/**
 * A rigid body over a rotating Earth: a plant in inertial axes, with drag and rate damping, without flat-Earth terms.
 *
 * Its axes (ECI) are fixed and coincide with those of the Earth (ECEF) at t = 0, so the equations need no Coriolis or
 * transport terms; the Earth rotates under the body. It exists to run the check cases of NASA/TM-2015-218675 with the
 * same engine and integrators as every flight. Equations, with v relative to the air and p, q, r relative to the Earth:
 *   m·dv/dt = m·gravitation − ½·ρ·|v|·S·CD·v
 *   I·dω/dt = −ω × I·ω + ¼·ρ·|v|·S·(b²·Clp·p, c²·Cmq·q, b²·Cnr·r)
 */
import { cos, quatToMatrixInto, sin } from "../../../packages/core/src/math/index.ts";
import { defineKind, defineParams } from "../../../packages/core/src/params/index.ts";
import type { Kind, ParamsOf } from "../../../packages/core/src/params/index.ts";
import {
  ANY,
  above,
  atLeast,
  atMost,
  choice,
  closed,
  number,
  section,
  vector,
} from "../../../packages/core/src/params/rows.ts";
import type { InputLayout, Plant, View } from "../../../packages/core/src/engine/contracts.ts";
import { type Block, StateLayout } from "../../../packages/core/src/state/index.ts";
import { makeUs76 } from "../../../packages/core/src/world/atmosphere/index.ts";
import type { Atmosphere } from "../../../packages/core/src/world/environment.ts";
import { degToRad } from "../../../packages/core/src/world/geodesy/index.ts";
import { Planet, planetParams } from "./planet.ts";
import { WindProfile, windProfileParam } from "./wind-profile.ts";

const PI = 3.141592653589793;

/**
 * Gas constant of dry air. The check cases are defined and were computed in English units, whose molar constant of
 * 1545.31 ft·lbf/(lbmol·°R) is rounded. With the rounded constant the air is 4 to 6 parts per million denser than with
 * the SI constant. With the SI constant, the density is 0.2 to 12 parts per million below the density in all published
 * tools.
 */
const GAS_CONSTANT_J_KG_K = {
  english: (1545.31 / 28.9644) * 9.80665 * 0.3048 * 1.8,
  si: 8314.32 / 28.9644,
} as const;

const POS = 0;
const VEL = 3;
const Q = 6;
const RATE = 10;

/**
 * Offsets in the scratch array, which holds the results of an evaluation. Vectors are in inertial axes unless noted.
 */
export const W_AIR = 0; // density, temperature, pressure
export const W_PLACE = 3; // height, sin and cos of the geodetic latitude
export const W_SIN_LON = 6; // of the longitude from the fixed meridian
export const W_COS_LON = 7;
const W_VEL_AIR = 8; // velocity relative to the air
const W_WIND = 11; // north-east-down
export const W_GRAVITATION = 14;
const W_DRAG = 17; // acceleration
const W_RATE_DOT = 20; // body axes
export const W_BODY = 23; // body axes in inertial ones, row by row
export const W_SIZE = 32;

const bodyParams = defineParams({
  massKg: number("kg", above(0), "Mass."),
  inertiaKgM2: vector(3, "kg.m2", atLeast(0), "Principal moments of inertia x, y, z."),
  dragCoefficient: number("1", atLeast(0), "Drag coefficient CD.", 0),
  areaM2: number("m2", atLeast(0), "Reference area S.", 0),
  spanM: number("m", atLeast(0), "Reference length b of roll and yaw damping.", 0),
  chordM: number("m", atLeast(0), "Reference length c of pitch damping.", 0),
  rollDamping: number("1/rad", atMost(0), "Clp.", 0),
  pitchDamping: number("1/rad", atMost(0), "Cmq.", 0),
  yawDamping: number("1/rad", atMost(0), "Cnr.", 0),
});

const startParams = defineParams({
  latDeg: number("deg", closed(-90, 90), "Geodetic latitude.", 0),
  lonDeg: number("deg", closed(-180, 180), "Longitude.", 0),
  altM: number("m", ANY, "Height above the figure of the Earth.", 0),
  velNedMps: vector(3, "m/s", ANY, "Velocity over ground.", [0, 0, 0]),
  rollDeg: number("deg", ANY, "Roll from the local horizon.", 0),
  pitchDeg: number("deg", ANY, "Pitch from the local horizon.", 0),
  yawDeg: number("deg", ANY, "Yaw from north.", 0),
  rateBodyRadS: vector(
    3,
    "rad/s",
    ANY,
    "Body rates relative to inertial space: a body that turns with the Earth has the Earth's rate.",
    [0, 0, 0],
  ),
});

const earthBodyParams = defineParams({
  planet: section(planetParams, "The Earth: figure, rotation, attraction.", {}),
  body: section(bodyParams, "The body: mass, drag, damping."),
  start: section(startParams, "Initial position, velocity and attitude.", {}),
  wind: windProfileParam,
  airConstants: choice(
    ["english", "si"],
    "Gas constant of the standard atmosphere: rounded in English units as in NASA's tools, or the SI value of the standard.",
    "english",
  ),
});

export type EarthBodyParams = ParamsOf<typeof earthBodyParams>;

const block = (name: string, unit: string, group: string, absolute: number): Block => ({
  name,
  size: 3,
  unit,
  kind: "vector",
  group,
  tolerance: { absolute, relative: 0 },
  components: ["x", "y", "z"],
});

const LAYOUT = new StateLayout([
  block("posEci", "m", "position", 1e-6),
  block("velEci", "m/s", "velocity", 1e-7),
  {
    ...block("qBodyToEci", "1", "attitude", 1e-9),
    size: 4,
    kind: "attitude",
    components: ["w", "x", "y", "z"],
    rateBlock: "rateBody",
  },
  block("rateBody", "rad/s", "rate", 1e-9),
]);

export class EarthBody implements Plant {
  readonly layout = LAYOUT;
  readonly planet: Planet;
  private readonly params: EarthBodyParams;
  private readonly atmosphere: Atmosphere;
  private readonly wind: WindProfile;
  /** Offset of the bus's wind in u; −1 without a bus. */
  private readonly windAt: number;
  private readonly work = new Float64Array(W_SIZE);
  private readonly altitude = new Float64Array(1);
  private readonly place = new Float64Array(3);
  private readonly bodyAxes = new Float64Array(9);

  constructor(params: EarthBodyParams, input?: InputLayout) {
    const knots = params.wind;
    const fault = knots.findIndex((knot, i) => i > 0 && knot.altitudeM <= knots[i - 1]!.altitudeM);
    if (fault > 0 || params.body.inertiaKgM2.some((moment) => moment <= 0)) {
      throw new RangeError(
        fault > 0
          ? `knot ${fault + 1} of the wind is not above the previous one`
          : "a moment of inertia is not positive",
      );
    }
    this.params = params;
    this.planet = new Planet(params.planet);
    const gasConstantJKgK = GAS_CONSTANT_J_KG_K[params.airConstants];
    this.atmosphere = makeUs76({ temperatureOffsetK: 0, qnhPa: 101325, gasConstantJKgK });
    this.wind = new WindProfile(knots);
    this.windAt = input?.offsets["windNed"] ?? -1;
  }

  initialInto(x: Float64Array): void {
    const { latDeg, lonDeg, altM, velNedMps, rollDeg, pitchDeg, yawDeg, rateBodyRadS } = this.params.start;
    const latRad = degToRad(latDeg);
    const lonRad = degToRad(lonDeg);
    this.planet.ellipsoid.toEcefInto(x, [latRad, lonRad, altM]);
    const [n, e, d] = velNedMps as readonly [number, number, number];
    const [sinLat, cosLat, sinLon, cosLon] = [sin(latRad), cos(latRad), sin(lonRad), cos(lonRad)];
    // The inertial velocity is the velocity over ground plus the velocity of the ground, ω × r.
    const outward = -sinLat * n - cosLat * d;
    x[VEL] = cosLon * outward - sinLon * e - this.planet.rotationRadS * x[POS + 1]!;
    x[VEL + 1] = sinLon * outward + cosLon * e + this.planet.rotationRadS * x[POS]!;
    x[VEL + 2] = cosLat * n - sinLat * d;
    // Rotate from body to horizon (yaw, pitch, roll), then to Earth (about east by −φ − 90°, about the axis by λ).
    x.set([1, 0, 0, 0], Q);
    turn(x, 3, lonRad);
    turn(x, 2, -latRad - PI / 2);
    turn(x, 3, degToRad(yawDeg));
    turn(x, 2, degToRad(pitchDeg));
    turn(x, 1, degToRad(rollDeg));
    x.set(rateBodyRadS, RATE);
  }

  derivativesInto(dx: Float64Array, _timeS: Float64Array, x: Float64Array, u: Float64Array): void {
    const w = this.work;
    const { altitude, atmosphere } = this;
    this.placeInto(w, x);
    // A trial step may leave the atmosphere, so clamp the altitude to its ends. Outputs of such a state are an error.
    altitude[0] = Math.min(Math.max(altitude[0]!, atmosphere.minAltitudeM), atmosphere.maxAltitudeM);
    this.forcesInto(w, x, u);
    for (let i = 0; i < 3; i += 1) {
      dx[POS + i] = x[VEL + i]!;
      dx[VEL + i] = w[W_GRAVITATION + i]! + w[W_DRAG + i]!;
      dx[RATE + i] = w[W_RATE_DOT + i]!;
    }
    const qw = x[Q]!;
    const qx = x[Q + 1]!;
    const qy = x[Q + 2]!;
    const qz = x[Q + 3]!;
    const p = x[RATE]!;
    const q = x[RATE + 1]!;
    const r = x[RATE + 2]!;
    dx[Q] = -0.5 * (qx * p + qy * q + qz * r);
    dx[Q + 1] = 0.5 * (qw * p + qy * r - qz * q);
    dx[Q + 2] = 0.5 * (qw * q + qz * p - qx * r);
    dx[Q + 3] = 0.5 * (qw * r + qx * q - qy * p);
  }

  readonly outputsInto = (y: View<"outputs">, _timeS: Float64Array, x: Float64Array, u: Float64Array): void => {
    const w = this.work;
    this.evaluateInto(w, x, u);
    y.airDensity[0] = w[W_AIR]!;
    y.airTemperature[0] = w[W_AIR + 1]!;
    y.airPressure[0] = w[W_AIR + 2]!;
    for (let i = 0; i < 3; i += 1) {
      y.rateDotBody[i] = w[W_RATE_DOT + i]!;
      y.specificForceBody[i] = alongBody(w, i, W_DRAG);
      y.airVelBody[i] = -alongBody(w, i, W_VEL_AIR);
    }
    this.groundAccelerationInto(y.accNed, w, x);
  };

  /** Computes the acceleration relative to the ground; only this has Coriolis and centrifugal terms. */
  private groundAccelerationInto(accNed: Float64Array, w: Float64Array, x: Float64Array): void {
    const turning = this.planet.rotationRadS;
    const ax = w[W_GRAVITATION]! + w[W_DRAG]! + turning * (2 * x[VEL + 1]! - turning * x[POS]!);
    const ay = w[W_GRAVITATION + 1]! + w[W_DRAG + 1]! - turning * (2 * x[VEL]! + turning * x[POS + 1]!);
    const az = w[W_GRAVITATION + 2]! + w[W_DRAG + 2]!;
    const outward = w[W_COS_LON]! * ax + w[W_SIN_LON]! * ay;
    accNed[0] = w[W_PLACE + 2]! * az - w[W_PLACE + 1]! * outward;
    accNed[1] = w[W_COS_LON]! * ay - w[W_SIN_LON]! * ax;
    accNed[2] = -w[W_PLACE + 2]! * outward - w[W_PLACE + 1]! * az;
  }

  /**
   * Computes everything that depends on (x, u) alone, and not on the angle by which the Earth has turned. Throws a
   * typed error outside the atmosphere.
   */
  evaluateInto(w: Float64Array, x: Float64Array, u: Float64Array): void {
    this.placeInto(w, x);
    this.forcesInto(w, x, u);
  }

  /** Computes the position over the Earth, and the altitude at which the air is sampled. */
  private placeInto(w: Float64Array, x: Float64Array): void {
    const { place, altitude } = this;
    this.planet.ellipsoid.heightInto(place, x);
    for (let i = 0; i < 3; i += 1) w[W_PLACE + i] = place[i]!;
    altitude[0] = place[0]!;
  }

  private forcesInto(w: Float64Array, x: Float64Array, u: Float64Array): void {
    this.airInto(w, x, u);
    quatToMatrixInto(this.bodyAxes, x, Q);
    w.set(this.bodyAxes, W_BODY);
    this.planet.gravitationInto(w, W_GRAVITATION, x);
    const { massKg, inertiaKgM2, dragCoefficient, areaM2, spanM, chordM } = this.params.body;
    const { rollDamping, pitchDamping, yawDamping } = this.params.body;
    const vx = w[W_VEL_AIR]!;
    const vy = w[W_VEL_AIR + 1]!;
    const vz = w[W_VEL_AIR + 2]!;
    const pressureRate = w[W_AIR]! * Math.sqrt(vx * vx + vy * vy + vz * vz) * areaM2;
    const drag = (-0.5 * pressureRate * dragCoefficient) / massKg;
    w[W_DRAG] = drag * vx;
    w[W_DRAG + 1] = drag * vy;
    w[W_DRAG + 2] = drag * vz;
    const ix = inertiaKgM2[0]!;
    const iy = inertiaKgM2[1]!;
    const iz = inertiaKgM2[2]!;
    const p = x[RATE]!;
    const q = x[RATE + 1]!;
    const r = x[RATE + 2]!;
    // The air turns with the Earth, about the third inertial axis.
    const turning = this.planet.rotationRadS;
    const damping = 0.25 * pressureRate;
    const span2 = spanM * spanM;
    const roll = damping * span2 * rollDamping * (p - turning * w[W_BODY + 6]!);
    const pitch = damping * chordM * chordM * pitchDamping * (q - turning * w[W_BODY + 7]!);
    const yaw = damping * span2 * yawDamping * (r - turning * w[W_BODY + 8]!);
    w[W_RATE_DOT] = (roll + (iy - iz) * q * r) / ix;
    w[W_RATE_DOT + 1] = (pitch + (iz - ix) * r * p) / iy;
    w[W_RATE_DOT + 2] = (yaw + (ix - iy) * p * q) / iz;
  }

  /** Computes air and wind at the position, and the velocity relative to the air. */
  private airInto(w: Float64Array, x: Float64Array, u: Float64Array): void {
    const sinLat = w[W_PLACE + 1]!;
    const cosLat = w[W_PLACE + 2]!;
    this.atmosphere.sampleInto(w, this.altitude);
    this.wind.sampleInto(w, W_WIND, W_PLACE);
    if (this.windAt >= 0) for (let i = 0; i < 3; i += 1) w[W_WIND + i]! += u[this.windAt + i]!;
    const px = x[POS]!;
    const py = x[POS + 1]!;
    const axisDistance = Math.sqrt(px * px + py * py);
    const cosLon = axisDistance > 0 ? px / axisDistance : 1;
    const sinLon = axisDistance > 0 ? py / axisDistance : 0;
    w[W_SIN_LON] = sinLon;
    w[W_COS_LON] = cosLon;
    const n = w[W_WIND]!;
    const e = w[W_WIND + 1]!;
    const d = w[W_WIND + 2]!;
    const outward = -sinLat * n - cosLat * d;
    const turning = this.planet.rotationRadS;
    w[W_VEL_AIR] = x[VEL]! + turning * py - (cosLon * outward - sinLon * e);
    w[W_VEL_AIR + 1] = x[VEL + 1]! - turning * px - (sinLon * outward + cosLon * e);
    w[W_VEL_AIR + 2] = x[VEL + 2]! - (cosLat * n - sinLat * d);
  }
}

/** Returns the component along body axis i of an inertial vector in the scratch array. */
function alongBody(w: Float64Array, i: number, at: number): number {
  return w[W_BODY + i]! * w[at]! + w[W_BODY + 3 + i]! * w[at + 1]! + w[W_BODY + 6 + i]! * w[at + 2]!;
}

/** Rotates the attitude by an angle about its body axis 1, 2 or 3: q ← q ⊗ (cos α/2, sin α/2 along the axis). */
function turn(x: Float64Array, axis: 1 | 2 | 3, angleRad: number): void {
  const c = cos(angleRad / 2);
  const s = sin(angleRad / 2);
  const q = [x[Q]!, x[Q + 1]!, x[Q + 2]!, x[Q + 3]!] as const;
  const next = (axis % 3) + 1;
  const last = (next % 3) + 1;
  x[Q] = c * q[0] - s * q[axis];
  x[Q + axis] = c * q[axis] + s * q[0];
  x[Q + next] = c * q[next]! + s * q[last]!;
  x[Q + last] = c * q[last]! - s * q[next]!;
}

export const earthBody: Kind<EarthBody, { readonly input?: InputLayout }> = defineKind({
  name: "earth-body",
  about: "A rigid body with drag and rate damping over a rotating, oblate Earth.",
  version: 1,
  params: earthBodyParams,
  make: (params, context: { readonly input?: InputLayout }): EarthBody => new EarthBody(params, context.input),
});
