/**
 * Contact of the vehicle's points with flat ground at d = 0: normal force, friction, and their moment.
 *
 * Each point that lies δ > 0 below ground and sinks at δ̇ feels, after Hunt and Crossley (1975) with exponent 1,
 *   N = max(0, k·δ + c·δ̇),  c = s/(1 + δ0/δ + s/c_max), s = 1.5·α·k·δ,  F_t = −μN·v_t/√(v_t² + v_slip² + (μN/c_grip)²).
 * The force is continuous at touch-down, since it vanishes with δ whatever the speed; the ground never pulls. α sets how
 * much an impact loses. Friction is Coulomb's, regularised. c_max and c_grip bound the slopes over velocity, so that a
 * hard impact does not become a stiff equation that explicit steps of a millisecond would answer with energy from
 * nowhere; δ0 = 0.2 mm lets the damping, too, begin without a kink that an adaptive method would have to resolve. k·δ²/2 is the stored energy.
 */
const X_POS = 0;
const X_VEL = 3;
const X_RATE = 10;
const N_POINTS = 4;
const P_POINT = 864;
const POINT_STRIDE = 10;
const C_POS = 0;
const C_STIFFNESS = 3;
const C_DISSIPATION = 4;
const C_FRICTION = 5;
const C_SLIP2 = 6;
const C_INV_GRIP = 7;
const C_INV_DAMPING = 8;
const W_ROTATION = 0;
const W_CONTACT = 28;
const W_CONTACT_MOMENT = 31;

/** Depth, m, over which damping sets in. */
const SOFT_DEPTH = 2e-4;

/** Force in NED and moment in body axes of all points together. */
export function contactInto(w: Float64Array, x: Float64Array, p: Float64Array, n: Int32Array): void {
  const d = x[X_POS + 2];
  let fn = 0;
  let fe = 0;
  let fd = 0;
  let mx = 0;
  let my = 0;
  let mz = 0;
  const points = n[N_POINTS];
  const r00 = w[W_ROTATION];
  const r01 = w[W_ROTATION + 1];
  const r02 = w[W_ROTATION + 2];
  const r10 = w[W_ROTATION + 3];
  const r11 = w[W_ROTATION + 4];
  const r12 = w[W_ROTATION + 5];
  const r20 = w[W_ROTATION + 6];
  const r21 = w[W_ROTATION + 7];
  const r22 = w[W_ROTATION + 8];
  for (let i = 0; i < points; i += 1) {
    const c = P_POINT + i * POINT_STRIDE;
    const rx = p[c + C_POS];
    const ry = p[c + C_POS + 1];
    const rz = p[c + C_POS + 2];
    const depth = d + (r20 * rx + r21 * ry + r22 * rz);
    if (depth <= 0) continue;
    const sx = x[X_RATE + 1] * rz - x[X_RATE + 2] * ry;
    const sy = x[X_RATE + 2] * rx - x[X_RATE] * rz;
    const sz = x[X_RATE] * ry - x[X_RATE + 1] * rx;
    const vn = x[X_VEL] + (r00 * sx + r01 * sy + r02 * sz);
    const ve = x[X_VEL + 1] + (r10 * sx + r11 * sy + r12 * sz);
    const vd = x[X_VEL + 2] + (r20 * sx + r21 * sy + r22 * sz);
    const spring = p[c + C_STIFFNESS] * depth;
    const hard = p[c + C_DISSIPATION] * spring;
    const damping = (hard * depth) / (SOFT_DEPTH + depth * (1 + hard * p[c + C_INV_DAMPING]));
    const normal = Math.max(0, spring + damping * vd);
    const grip = p[c + C_FRICTION] * normal;
    const soft = grip * p[c + C_INV_GRIP];
    const drag = grip / Math.sqrt(vn * vn + ve * ve + p[c + C_SLIP2] + soft * soft);
    const tn = -drag * vn;
    const te = -drag * ve;
    const bx = r00 * tn + r10 * te - r20 * normal;
    const by = r01 * tn + r11 * te - r21 * normal;
    const bz = r02 * tn + r12 * te - r22 * normal;
    fn += tn;
    fe += te;
    fd -= normal;
    mx += ry * bz - rz * by;
    my += rz * bx - rx * bz;
    mz += rx * by - ry * bx;
  }
  w[W_CONTACT] = fn;
  w[W_CONTACT + 1] = fe;
  w[W_CONTACT + 2] = fd;
  w[W_CONTACT_MOMENT] = mx;
  w[W_CONTACT_MOMENT + 1] = my;
  w[W_CONTACT_MOMENT + 2] = mz;
}

export function noContactInto(w: Float64Array): void {
  w[W_CONTACT] = 0;
  w[W_CONTACT + 1] = 0;
  w[W_CONTACT + 2] = 0;
  w[W_CONTACT_MOMENT] = 0;
  w[W_CONTACT_MOMENT + 1] = 0;
  w[W_CONTACT_MOMENT + 2] = 0;
}

/** Depth of each point below ground; touch-down is where it becomes positive. */
export function depthsInto(g: Float64Array, x: Float64Array, p: Float64Array, n: Int32Array): void {
  const qw = x[6];
  const qx = x[7];
  const qy = x[8];
  const qz = x[9];
  const r20 = 2 * (qx * qz - qw * qy);
  const r21 = 2 * (qy * qz + qw * qx);
  const r22 = 1 - 2 * (qx * qx + qy * qy);
  for (let i = 0; i < n[N_POINTS]; i += 1) {
    const c = P_POINT + i * POINT_STRIDE;
    g[i] = x[X_POS + 2] + (r20 * p[c + C_POS] + r21 * p[c + C_POS + 1] + r22 * p[c + C_POS + 2]);
  }
}
