// Attitudes in other forms: Euler angles, axis and angle, rotation vectors, and the angle between two attitudes. A
// function normalises only if its comment says so.

import { wrapPi } from "./angle.ts";
import { asin, atan2 } from "./inverse-trig.ts";
import { quatConjugateInto, quatMultiplyInto, quatNormaliseInto } from "./quat.ts";
import { sinCosInPlace, sinCosInto } from "./trig.ts";
import { vec3CrossInto, vec3Dot, vec3Norm, vec3NormaliseInto } from "./vec3.ts";

/** Aerospace ZYX angles: yaw about down, then pitch about the new right, then roll about the new forward axis. */
export interface EulerAngles {
  readonly rollRad: number;
  readonly pitchRad: number;
  readonly yawRad: number;
}

// Below this squared half angle use the series: it is exact to the last bit, while dividing by the angle is not.
const SMALL_SQUARE = 1e-8;
// If a length is below this, pitch is so close to ±90° that roll + yaw or roll − yaw is rounding noise.
const GIMBAL_LOCK = 4 * Number.EPSILON;

const roll = new Float64Array(2);
const pitch = new Float64Array(2);
const yaw = new Float64Array(2);
const half = new Float64Array(2);
const inverse = new Float64Array(4);
const start = new Float64Array(3);
const end = new Float64Array(3);
const axis = new Float64Array(3);
const cross = new Float64Array(3);
const flip = new Float64Array(4);

/** out = q_z(yaw) ⊗ q_y(pitch) ⊗ q_x(roll), normalised. */
export function quatFromEulerInto(out: Float64Array, euler: EulerAngles): void {
  sinCosInto(roll, euler.rollRad / 2);
  sinCosInto(pitch, euler.pitchRad / 2);
  sinCosInto(yaw, euler.yawRad / 2);
  const sr = roll[0];
  const cr = roll[1];
  const sp = pitch[0];
  const cp = pitch[1];
  const sy = yaw[0];
  const cy = yaw[1];
  out[0] = cr * cp * cy + sr * sp * sy;
  out[1] = sr * cp * cy - cr * sp * sy;
  out[2] = cr * sp * cy + sr * cp * sy;
  out[3] = cr * cp * sy - sr * sp * cy;
  quatNormaliseInto(out, out);
}

/**
 * out = (roll, pitch, yaw). Half the sum and half the difference of roll and yaw are the angles of two plane vectors
 * (w − y, x + z) and (w + y, x − z), whose lengths multiply to cos(pitch). So no angle is computed from a sine or
 * cosine that is near 1. At gimbal lock one vector vanishes and the other still gives the heading; roll is then 0.
 */
export function quatToEulerInto(out: Float64Array, q: Float64Array, outAt = 0, qAt = 0): void {
  const w = q[qAt];
  const x = q[qAt + 1];
  const y = q[qAt + 2];
  const z = q[qAt + 3];
  const sumLength = Math.sqrt((w - y) * (w - y) + (x + z) * (x + z)); // cos(pitch/2) − sin(pitch/2)
  const differenceLength = Math.sqrt((w + y) * (w + y) + (x - z) * (x - z)); // cos(pitch/2) + sin(pitch/2)
  let halfSum = atan2(x + z, w - y);
  let halfDifference = atan2(x - z, w + y);
  if (sumLength < GIMBAL_LOCK) halfSum = -halfDifference;
  if (differenceLength < GIMBAL_LOCK) halfDifference = -halfSum;
  out[outAt] = wrapPi(halfSum + halfDifference);
  out[outAt + 1] = atan2(2 * (w * y - x * z), sumLength * differenceLength);
  out[outAt + 2] = wrapPi(halfSum - halfDifference);
}

/** Returns the yaw of an attitude: heading of body x, clockwise from north, in [−π, π]. */
export function quatYaw(q: Float64Array, qAt = 0): number {
  const w = q[qAt];
  const x = q[qAt + 1];
  const y = q[qAt + 2];
  const z = q[qAt + 3];
  return atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

/** out = the rotation by an angle about an axis of any length, normalised; the zero axis gives the identity. */
export function quatFromAxisAngleInto(out: Float64Array, axis: Float64Array, angleRad: number): void {
  const norm = vec3Norm(axis);
  if (norm === 0) {
    out[0] = 1;
    out[1] = 0;
    out[2] = 0;
    out[3] = 0;
    return;
  }
  sinCosInto(half, angleRad / 2);
  out[0] = half[1];
  out[1] = half[0] * (axis[0] / norm);
  out[2] = half[0] * (axis[1] / norm);
  out[3] = half[0] * (axis[2] / norm);
  quatNormaliseInto(out, out);
}

/**
 * The exponential map: out = (cos h, sin h · v/‖v‖) with h = ‖v‖/2 for a rotation vector v (axis times angle, rad).
 * Small angles use the series of cos h and sin h/(2h), so that the vector part is accurate to the last bit for any
 * small v.
 */
export function quatExpInto(out: Float64Array, v: Float64Array, outAt = 0, vAt = 0): void {
  const x = v[vAt];
  const y = v[vAt + 1];
  const z = v[vAt + 2];
  half[0] = 0.25 * (x * x + y * y + z * z);
  if (half[0] < SMALL_SQUARE) expFactorsSmall();
  else expFactors();
  out[outAt] = half[1];
  out[outAt + 1] = half[0] * x;
  out[outAt + 2] = half[0] * y;
  out[outAt + 3] = half[0] * z;
}

/** Replaces half[0] = h² by half = (sin h/(2h), cos h). */
function expFactors(): void {
  const h = Math.sqrt(half[0]);
  half[0] = h;
  sinCosInPlace(half);
  half[0] = (0.5 * half[0]) / h;
}

function expFactorsSmall(): void {
  const square = half[0];
  half[0] = 0.5 * (1 - square * (1 / 6 - square / 120));
  half[1] = 1 - square * (1 / 2 - square / 24);
}

/**
 * Computes the inverse of the exponential map: the shortest rotation vector of q, ‖out‖ ≤ π. q and −q give the same
 * vector.
 */
export function quatLogInto(out: Float64Array, q: Float64Array, outAt = 0, qAt = 0): void {
  const x = q[qAt + 1];
  const y = q[qAt + 2];
  const z = q[qAt + 3];
  half[0] = q[qAt];
  half[1] = x * x + y * y + z * z;
  if (half[1] < SMALL_SQUARE * half[0] * half[0]) logFactorSmall();
  else logFactor();
  out[outAt] = half[0] * x;
  out[outAt + 1] = half[0] * y;
  out[outAt + 2] = half[0] * z;
}

/** Replaces half = (w, s²) by half[0] = angle/s, with the sign of w. */
function logFactor(): void {
  const s = Math.sqrt(half[1]);
  half[0] = half[0] < 0 ? (-2 * atan2(s, -half[0])) / s : (2 * atan2(s, half[0])) / s;
}

/** Does the same as `logFactor`, with the series of atan(t)/t for t = s/w. */
function logFactorSmall(): void {
  const t = half[1] / (half[0] * half[0]);
  half[0] = (2 * (1 - t * (1 / 3 - t / 5))) / half[0];
}

/**
 * Returns the angle between two attitudes, 0 … π: 4·asin(‖q − sgn(q·p)·p‖/2). This resolves angles far below 1e-12 rad,
 * while 2·acos(q·p) has a resolution of 1e-8.
 */
export function quatAngleBetween(q: Float64Array, p: Float64Array, qAt = 0, pAt = 0): number {
  const dot = q[qAt] * p[pAt] + q[qAt + 1] * p[pAt + 1] + q[qAt + 2] * p[pAt + 2] + q[qAt + 3] * p[pAt + 3];
  const sign = dot < 0 ? -1 : 1;
  const w = q[qAt] - sign * p[pAt];
  const x = q[qAt + 1] - sign * p[pAt + 1];
  const y = q[qAt + 2] - sign * p[pAt + 2];
  const z = q[qAt + 3] - sign * p[pAt + 3];
  return 4 * asin(0.5 * Math.sqrt(w * w + x * x + y * y + z * z));
}

/** out = the shortest rotation, in body axes, from attitude q to attitude p: p = ±q ⊗ out, out[0] ≥ 0. */
export function quatDifferenceInto(out: Float64Array, q: Float64Array, p: Float64Array): void {
  quatConjugateInto(inverse, q);
  quatMultiplyInto(out, inverse, p);
  if (out[0] >= 0) return;
  for (let i = 0; i < 4; i++) out[i] = -out[i];
}

/** out = the shortest rotation that turns the direction of `from` into the direction of `to`; both must be non-zero. */
export function quatBetweenInto(out: Float64Array, from: Float64Array, to: Float64Array): void {
  vec3NormaliseInto(start, from);
  vec3NormaliseInto(end, to);
  if (vec3Dot(start, end) > -0.9) {
    turnInto(out, start, end);
    return;
  }
  // The directions are nearly opposite, so a + b is only rounding error. Turn by π about an axis normal to `from`, then
  // by the remaining small angle.
  perpendicularInto(axis, start, end);
  flip[0] = 0;
  flip[1] = axis[0];
  flip[2] = axis[1];
  flip[3] = axis[2];
  for (let i = 0; i < 3; i++) start[i] = -start[i];
  turnInto(out, start, end);
  quatMultiplyInto(out, out, flip);
}

/** Unit vectors a → b, not opposite: (cos(θ/2), sin(θ/2)·axis) = (‖a + b‖/2, a × b/‖a + b‖), normalised. */
function turnInto(out: Float64Array, a: Float64Array, b: Float64Array): void {
  const x = a[0] + b[0];
  const y = a[1] + b[1];
  const z = a[2] + b[2];
  const length = Math.sqrt(x * x + y * y + z * z);
  vec3CrossInto(cross, a, b);
  out[0] = 0.5 * length;
  out[1] = cross[0] / length;
  out[2] = cross[1] / length;
  out[3] = cross[2] / length;
  quatNormaliseInto(out, out);
}

/** out = a unit vector normal to a: along a × b, or any normal vector if a × b vanishes. */
function perpendicularInto(out: Float64Array, a: Float64Array, b: Float64Array): void {
  vec3CrossInto(out, a, b);
  if (vec3Norm(out) < 1e-9) {
    // The coordinate axis, x or y, that is farther from a.
    out[0] = Math.abs(a[0]) < 0.6 ? 1 : 0;
    out[1] = 1 - out[0];
    out[2] = 0;
    vec3CrossInto(out, a, out);
  }
  // Orthogonalise twice: the second pass removes the component along a that rounding leaves in the first.
  for (let pass = 0; pass < 2; pass++) {
    const along = vec3Dot(out, a);
    for (let i = 0; i < 3; i++) out[i] -= along * a[i];
    vec3NormaliseInto(out, out);
  }
}
