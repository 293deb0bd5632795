// Unit quaternions (w, x, y, z), with Hamilton's product. As an attitude q maps body to NED: v_ned = R(q)·v_body; q and
// −q are the same attitude. Nothing is allocated; `…Into` fills its first argument, which may alias another. Trailing
// offsets locate each argument in a flat state. Only the functions whose names say so normalise.

/** out = q ⊗ p: first p, then q. */
export function quatMultiplyInto(
  out: Float64Array,
  q: Float64Array,
  p: Float64Array,
  outAt = 0,
  qAt = 0,
  pAt = 0,
): void {
  const qw = q[qAt];
  const qx = q[qAt + 1];
  const qy = q[qAt + 2];
  const qz = q[qAt + 3];
  const pw = p[pAt];
  const px = p[pAt + 1];
  const py = p[pAt + 2];
  const pz = p[pAt + 3];
  out[outAt] = qw * pw - qx * px - qy * py - qz * pz;
  out[outAt + 1] = qw * px + qx * pw + qy * pz - qz * py;
  out[outAt + 2] = qw * py - qx * pz + qy * pw + qz * px;
  out[outAt + 3] = qw * pz + qx * py - qy * px + qz * pw;
}

/** out = (w, −x, −y, −z), for a unit quaternion the inverse rotation. */
export function quatConjugateInto(out: Float64Array, q: Float64Array, outAt = 0, qAt = 0): void {
  out[outAt] = q[qAt];
  out[outAt + 1] = -q[qAt + 1];
  out[outAt + 2] = -q[qAt + 2];
  out[outAt + 3] = -q[qAt + 3];
}

/** Returns ‖q‖. */
export function quatNorm(q: Float64Array, qAt = 0): number {
  const w = q[qAt];
  const x = q[qAt + 1];
  const y = q[qAt + 2];
  const z = q[qAt + 3];
  return Math.sqrt(w * w + x * x + y * y + z * z);
}

/** out = q/‖q‖; the zero quaternion becomes the identity. */
export function quatNormaliseInto(out: Float64Array, q: Float64Array, outAt = 0, qAt = 0): void {
  const norm = quatNorm(q, qAt);
  if (!(norm > 1e-140 && norm < 1e150)) {
    normaliseExtremeInto(out, q, outAt, qAt);
    return;
  }
  out[outAt] = q[qAt] / norm;
  out[outAt + 1] = q[qAt + 1] / norm;
  out[outAt + 2] = q[qAt + 2] / norm;
  out[outAt + 3] = q[qAt + 3] / norm;
}

/**
 * Normalises zero, and quaternions whose squared components overflow or underflow: divides by the largest component
 * first.
 */
function normaliseExtremeInto(out: Float64Array, q: Float64Array, outAt: number, qAt: number): void {
  let largest = 0;
  for (let i = 0; i < 4; i++) largest = Math.max(largest, Math.abs(q[qAt + i]));
  for (let i = 0; i < 4; i++) out[outAt + i] = largest === 0 ? 0 : q[qAt + i] / largest;
  if (largest === 0) out[outAt] = 1;
  const norm = quatNorm(out, outAt);
  for (let i = 0; i < 4; i++) out[outAt + i] /= norm;
}

/** out = R(q)·v, from body to NED: with u = (x, y, z) and t = 2·u × v, R(q)·v = v + w·t + u × t. */
export function quatRotateInto(out: Float64Array, q: Float64Array, v: Float64Array, outAt = 0, qAt = 0, vAt = 0): void {
  const w = q[qAt];
  const x = q[qAt + 1];
  const y = q[qAt + 2];
  const z = q[qAt + 3];
  const vx = v[vAt];
  const vy = v[vAt + 1];
  const vz = v[vAt + 2];
  const tx = 2 * (y * vz - z * vy);
  const ty = 2 * (z * vx - x * vz);
  const tz = 2 * (x * vy - y * vx);
  out[outAt] = vx + w * tx + (y * tz - z * ty);
  out[outAt + 1] = vy + w * ty + (z * tx - x * tz);
  out[outAt + 2] = vz + w * tz + (x * ty - y * tx);
}

/** out = R(q)ᵀ·v, from NED to body: v − w·t + u × t. */
export function quatRotateInverseInto(
  out: Float64Array,
  q: Float64Array,
  v: Float64Array,
  outAt = 0,
  qAt = 0,
  vAt = 0,
): void {
  const w = q[qAt];
  const x = q[qAt + 1];
  const y = q[qAt + 2];
  const z = q[qAt + 3];
  const vx = v[vAt];
  const vy = v[vAt + 1];
  const vz = v[vAt + 2];
  const tx = 2 * (y * vz - z * vy);
  const ty = 2 * (z * vx - x * vz);
  const tz = 2 * (x * vy - y * vx);
  out[outAt] = vx - w * tx + (y * tz - z * ty);
  out[outAt + 1] = vy - w * ty + (z * tx - x * tz);
  out[outAt + 2] = vz - w * tz + (x * ty - y * tx);
}

/** out = ½·q ⊗ (0, rateBody), the derivative of an attitude. */
export function quatDerivativeInto(
  out: Float64Array,
  q: Float64Array,
  rateBody: Float64Array,
  outAt = 0,
  qAt = 0,
  rateAt = 0,
): void {
  const w = q[qAt];
  const x = q[qAt + 1];
  const y = q[qAt + 2];
  const z = q[qAt + 3];
  const wx = rateBody[rateAt];
  const wy = rateBody[rateAt + 1];
  const wz = rateBody[rateAt + 2];
  out[outAt] = 0.5 * (-x * wx - y * wy - z * wz);
  out[outAt + 1] = 0.5 * (w * wx + y * wz - z * wy);
  out[outAt + 2] = 0.5 * (w * wy - x * wz + z * wx);
  out[outAt + 3] = 0.5 * (w * wz + x * wy - y * wx);
}

/** out = R(q) body → NED, row by row. */
export function quatToMatrixInto(out: Float64Array, q: Float64Array, qAt = 0): void {
  const w = q[qAt];
  const x = q[qAt + 1];
  const y = q[qAt + 2];
  const z = q[qAt + 3];
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y - w * z);
  out[2] = 2 * (x * z + w * y);
  out[3] = 2 * (x * y + w * z);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z - w * x);
  out[6] = 2 * (x * z - w * y);
  out[7] = 2 * (y * z + w * x);
  out[8] = 1 - 2 * (x * x + y * y);
}
