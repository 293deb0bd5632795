/**
 * Rigid-body equations in NED with the rotors' angular momentum; last of the equations.
 *
 * With F, M the rotors' and the body's own force and moment in body axes, and H the rotors' angular momentum relative to
 * the body (its rate there, −Ḣ, is part of M):
 *   ṗ = v,  v̇ = (R·F + F_contact − c_d·(v − wind))/m + g,
 *   q̇ = ½ q ⊗ (0, ω),  ω̇ = I⁻¹·(M + M_contact − d∘ω − ω × (I·ω + H)).
 * Body drag is quadratic in body axes, −½ρ|v|·(CdA)∘v, acting at the centre of pressure; c_d is the linear term of the
 * reference level, isotropic in NED.
 */
const X_VEL = 3;
const X_Q = 6;
const X_RATE = 10;
const P_INV_MASS = 0;
const P_DRAG = 1;
const P_DRAG_AREA = 2;
const P_DRAG_CENTRE = 5;
const P_DAMPING = 8;
const P_INERTIA = 11;
const P_INV_INERTIA = 17;
const N_U_WIND = 21;
const W_ROTATION = 0;
const W_AIR = 9;
const W_RHO = 12;
const W_GRAVITY = 13;
const W_FORCE = 16;
const W_MOMENT = 19;
const W_SPIN = 22;
const W_CONTACT = 28;
const W_CONTACT_MOMENT = 31;

/** Adds the airframe's quadratic drag to the wrench of the rotors. */
export function bodyDragInto(w: Float64Array, p: Float64Array): void {
  const ax = w[W_AIR];
  const ay = w[W_AIR + 1];
  const az = w[W_AIR + 2];
  const pressure = 0.5 * w[W_RHO] * Math.sqrt(ax * ax + ay * ay + az * az);
  const fx = pressure * p[P_DRAG_AREA] * ax;
  const fy = pressure * p[P_DRAG_AREA + 1] * ay;
  const fz = pressure * p[P_DRAG_AREA + 2] * az;
  const cx = p[P_DRAG_CENTRE];
  const cy = p[P_DRAG_CENTRE + 1];
  const cz = p[P_DRAG_CENTRE + 2];
  w[W_FORCE] += fx;
  w[W_FORCE + 1] += fy;
  w[W_FORCE + 2] += fz;
  w[W_MOMENT] += cy * fz - cz * fy;
  w[W_MOMENT + 1] += cz * fx - cx * fz;
  w[W_MOMENT + 2] += cx * fy - cy * fx;
}

/** Motion of the centre of mass, attitude and body rates. */
export function bodyInto(
  dx: Float64Array,
  x: Float64Array,
  u: Float64Array,
  w: Float64Array,
  p: Float64Array,
  n: Int32Array,
): void {
  const vn = x[X_VEL];
  const ve = x[X_VEL + 1];
  const vd = x[X_VEL + 2];
  const wind = n[N_U_WIND];
  const drag = p[P_DRAG];
  const invMass = p[P_INV_MASS];
  const fx = w[W_FORCE];
  const fy = w[W_FORCE + 1];
  const fz = w[W_FORCE + 2];
  const fn = w[W_ROTATION] * fx + w[W_ROTATION + 1] * fy + w[W_ROTATION + 2] * fz;
  const fe = w[W_ROTATION + 3] * fx + w[W_ROTATION + 4] * fy + w[W_ROTATION + 5] * fz;
  const fd = w[W_ROTATION + 6] * fx + w[W_ROTATION + 7] * fy + w[W_ROTATION + 8] * fz;
  dx[0] = vn;
  dx[1] = ve;
  dx[2] = vd;
  dx[X_VEL] = (fn + w[W_CONTACT] - drag * (vn - u[wind])) * invMass;
  dx[X_VEL + 1] = (fe + w[W_CONTACT + 1] - drag * (ve - u[wind + 1])) * invMass;
  dx[X_VEL + 2] = (fd + w[W_CONTACT + 2] - drag * (vd - u[wind + 2])) * invMass + w[W_GRAVITY];

  const qw = x[X_Q];
  const qx = x[X_Q + 1];
  const qy = x[X_Q + 2];
  const qz = x[X_Q + 3];
  const wx = x[X_RATE];
  const wy = x[X_RATE + 1];
  const wz = x[X_RATE + 2];
  dx[X_Q] = 0.5 * (-qx * wx - qy * wy - qz * wz);
  dx[X_Q + 1] = 0.5 * (qw * wx + qy * wz - qz * wy);
  dx[X_Q + 2] = 0.5 * (qw * wy - qx * wz + qz * wx);
  dx[X_Q + 3] = 0.5 * (qw * wz + qx * wy - qy * wx);

  const xy = p[P_INERTIA + 3];
  const xz = p[P_INERTIA + 4];
  const yz = p[P_INERTIA + 5];
  const hx = p[P_INERTIA] * wx + xy * wy + xz * wz + w[W_SPIN];
  const hy = xy * wx + p[P_INERTIA + 1] * wy + yz * wz + w[W_SPIN + 1];
  const hz = xz * wx + yz * wy + p[P_INERTIA + 2] * wz + w[W_SPIN + 2];
  const mx = w[W_MOMENT] + w[W_CONTACT_MOMENT] - p[P_DAMPING] * wx - (wy * hz - wz * hy);
  const my = w[W_MOMENT + 1] + w[W_CONTACT_MOMENT + 1] - p[P_DAMPING + 1] * wy - (wz * hx - wx * hz);
  const mz = w[W_MOMENT + 2] + w[W_CONTACT_MOMENT + 2] - p[P_DAMPING + 2] * wz - (wx * hy - wy * hx);
  const ixy = p[P_INV_INERTIA + 3];
  const ixz = p[P_INV_INERTIA + 4];
  const iyz = p[P_INV_INERTIA + 5];
  dx[X_RATE] = p[P_INV_INERTIA] * mx + ixy * my + ixz * mz;
  dx[X_RATE + 1] = ixy * mx + p[P_INV_INERTIA + 1] * my + iyz * mz;
  dx[X_RATE + 2] = ixz * mx + iyz * my + p[P_INV_INERTIA + 2] * mz;
}
