/**
 * The vehicle in its air: attitude matrix, density, gravity and the air's velocity past the centre of mass.
 *
 * First of the equations; everything after reads what it leaves in scratch. The attitude is not normalised here: the
 * integrator keeps it a unit quaternion, and a right-hand side that corrected it would hide when it did not. Density is
 * `densityAt` of density.ts written out, because a number returned from a call may be boxed (a test compares the two).
 */
const X_POS = 0;
const X_VEL = 3;
const X_Q = 6;
const N_U_WIND = 21;
const N_AIR_CELLS = 22;
const N_AIR_CELL = 96;
const P_GRAVITY = 23;
const P_ORIGIN_ALTITUDE = 27;
const P_AIR_START = 39;
const P_AIR_INV_CELL = 40;
const P_AIR = 1200;
const AIR_STRIDE = 12;
const A_CENTRE = 1;
const A_INV_HALF = 2;
const A_COEFFICIENT = 3;
const W_ROTATION = 0;
const W_AIR = 9;
const W_RHO = 12;
const W_GRAVITY = 13;
const W_ALTITUDE = 14;

export function airInto(w: Float64Array, x: Float64Array, u: Float64Array, p: Float64Array, n: Int32Array): void {
  const qw = x[X_Q];
  const qx = x[X_Q + 1];
  const qy = x[X_Q + 2];
  const qz = x[X_Q + 3];
  const r00 = 1 - 2 * (qy * qy + qz * qz);
  const r01 = 2 * (qx * qy - qw * qz);
  const r02 = 2 * (qx * qz + qw * qy);
  const r10 = 2 * (qx * qy + qw * qz);
  const r11 = 1 - 2 * (qx * qx + qz * qz);
  const r12 = 2 * (qy * qz - qw * qx);
  const r20 = 2 * (qx * qz - qw * qy);
  const r21 = 2 * (qy * qz + qw * qx);
  const r22 = 1 - 2 * (qx * qx + qy * qy);
  w[W_ROTATION] = r00;
  w[W_ROTATION + 1] = r01;
  w[W_ROTATION + 2] = r02;
  w[W_ROTATION + 3] = r10;
  w[W_ROTATION + 4] = r11;
  w[W_ROTATION + 5] = r12;
  w[W_ROTATION + 6] = r20;
  w[W_ROTATION + 7] = r21;
  w[W_ROTATION + 8] = r22;

  // v_air = wind − v, in body axes by the transpose.
  const wind = n[N_U_WIND];
  const an = u[wind] - x[X_VEL];
  const ae = u[wind + 1] - x[X_VEL + 1];
  const ad = u[wind + 2] - x[X_VEL + 2];
  w[W_AIR] = r00 * an + r10 * ae + r20 * ad;
  w[W_AIR + 1] = r01 * an + r11 * ae + r21 * ad;
  w[W_AIR + 2] = r02 * an + r12 * ae + r22 * ad;

  const h = p[P_ORIGIN_ALTITUDE] - x[X_POS + 2];
  const stretch = 1 + p[P_GRAVITY + 3] * h;
  w[W_ALTITUDE] = h;
  w[W_GRAVITY] = (p[P_GRAVITY] + h * (p[P_GRAVITY + 1] + h * p[P_GRAVITY + 2])) / (stretch * stretch);

  const cell = Math.floor((h - p[P_AIR_START]) * p[P_AIR_INV_CELL]);
  const last = n[N_AIR_CELLS] - 1;
  let at = P_AIR + AIR_STRIDE * n[N_AIR_CELL + (cell < 0 ? 0 : cell > last ? last : cell)];
  if (h >= p[at + AIR_STRIDE]) at += AIR_STRIDE;
  const t = (h - p[at + A_CENTRE]) * p[at + A_INV_HALF];
  const c = at + A_COEFFICIENT;
  let rho = p[c + 8];
  rho = rho * t + p[c + 7];
  rho = rho * t + p[c + 6];
  rho = rho * t + p[c + 5];
  rho = rho * t + p[c + 4];
  rho = rho * t + p[c + 3];
  rho = rho * t + p[c + 2];
  rho = rho * t + p[c + 1];
  w[W_RHO] = rho * t + p[c];
}
