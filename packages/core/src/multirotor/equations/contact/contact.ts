/**
 * Contact of the vehicle's points with flat ground at d = 0: normal force, friction, and their moment.
 *
 * The normal force on a point at depth δ > 0 that sinks at δ̇ is, after Hunt and Crossley (1975) with exponent 1,
 *   N = max(0, k·δ + c·δ̇),  c = s/(1 + δ0/δ + s/c_max), s = 1.5·α·k·δ.
 * It is continuous at touch-down, because it vanishes with δ at any speed, and the ground never pulls. α sets how much
 * energy an impact loses. c_max bounds the slope over velocity, because a hard impact would otherwise be so stiff that
 * explicit steps of a millisecond gain energy. δ0 = 0.2 mm lets the damping begin without a kink that an adaptive
 * method would have to resolve. The stored energy is k·δ²/2.
 *
 * A gripping point is connected to the ground by a spring and a damper, in series with a Coulomb slider. With its
 * stretch z and its velocity v over the ground (north and east),
 *   V = v + r·z, r = k_grip/c_grip,  F_t = −c_grip·s·V, s = min(1, μN/(c_grip·|V|)),  ż = s·V − r·z.
 * While s = 1 it sticks: ż = v and F_t = −k_grip·z − c_grip·ż, so a constant force below μN moves it only by the
 * stretch of the spring. Otherwise it slides at v − ż, parallel to −F_t, with |F_t| = μN, and tends to |k_grip·z| = μN.
 * The work done on it goes to k_grip·|z|²/2, c_grip·|ż|² and μN·|v − ż|, so it never returns more energy than it
 * stores. In the air z decays at r, until it is below half of 2⁻⁴⁰ m.
 *
 * The other points (rotor tips and hull of a vehicle with feet) only slide, with regularised Coulomb friction,
 *   F_t = −μN·v/√(v² + v_slip² + (μN/c_grip)²).
 */
import { quatToMatrixInto } from "../../../math/quat.ts";
import type { Scratch, State, VehicleConstants } from "../../memory.ts";

/** Depth in metres over which damping sets in. */
const SOFT_DEPTH = 2e-4;
/** Speed in m/s, far below any that matters, that avoids 0/0 for a point without load and motion. */
const MIN_SPEED = 1e-30;

/**
 * Adding and subtracting this number rounds a stretch to multiples of 2⁻⁴⁰ m (9e-13 m), so that a stretch below half of
 * that becomes 0. Otherwise it would decay through the subnormal numbers, which are slow on some processors and flushed
 * to zero by some threads. A comparison instead would make an evaluation in the air 5 % slower.
 */
const STRETCH_ROUNDER = 6144;

/** A point on the ground: depth, velocity north and east, normal force. Longer than needed, because V8 keeps shorter arrays on its heap, where access is slower. */
const touch = new Float64Array(16);
const DEPTH = 0;
const NORTH = 1;
const EAST = 2;
const NORMAL = 3;

/** Fills `touch` for a contact point; fills only its depth if the point is above the ground. */
function touchAt(r: Float64Array, x: State, point: VehicleConstants["points"][number]): void {
  const rx = point.position[0];
  const ry = point.position[1];
  const rz = point.position[2];
  const depth = x.posNed[2] + (r[6] * rx + r[7] * ry + r[8] * rz);
  touch[DEPTH] = depth;
  if (depth <= 0) return;
  const sx = x.rateBody[1] * rz - x.rateBody[2] * ry;
  const sy = x.rateBody[2] * rx - x.rateBody[0] * rz;
  const sz = x.rateBody[0] * ry - x.rateBody[1] * rx;
  const down = x.velNed[2] + (r[6] * sx + r[7] * sy + r[8] * sz);
  const spring = point.stiffness * depth;
  const hard = point.dissipation * spring;
  const damping = (hard * depth) / (SOFT_DEPTH + depth * (1 + hard * point.inverseDamping));
  touch[NORTH] = x.velNed[0] + (r[0] * sx + r[1] * sy + r[2] * sz);
  touch[EAST] = x.velNed[1] + (r[3] * sx + r[4] * sy + r[5] * sz);
  touch[NORMAL] = Math.max(0, spring + damping * down);
}

/** Computes the force (NED) and the moment (body axes) of all points together, and the rates of the stretches. */
export function contactInto(w: Scratch, x: State, vehicle: VehicleConstants): void {
  const r = w.rotation;
  let fn = 0;
  let fe = 0;
  let fd = 0;
  let mx = 0;
  let my = 0;
  let mz = 0;
  const points = vehicle.pointCount;
  const grips = vehicle.gripCount;
  for (let i = 0; i < points; i += 1) {
    const point = vehicle.points[i];
    touchAt(r, x, point);
    if (touch[DEPTH] <= 0) {
      if (i < grips) releaseInto(w, x, vehicle, i);
      continue;
    }
    const normal = touch[NORMAL];
    const vn = touch[NORTH];
    const ve = touch[EAST];
    const grip = point.friction * normal;
    const soft = grip * point.inverseGrip;
    let tn = 0;
    let te = 0;
    if (i < grips) {
      const zn = point.releaseRate * x.contactStretch[2 * i];
      const ze = point.releaseRate * x.contactStretch[2 * i + 1];
      const pn = vn + zn;
      const pe = ve + ze;
      const speed = Math.max(soft, Math.sqrt(pn * pn + pe * pe), MIN_SPEED);
      const share = soft / speed;
      const drag = grip / speed;
      w.stretchRate[2 * i] = share * pn - zn;
      w.stretchRate[2 * i + 1] = share * pe - ze;
      tn = -drag * pn;
      te = -drag * pe;
    } else {
      const drag = grip / Math.sqrt(vn * vn + ve * ve + point.slipSpeed2 + soft * soft);
      tn = -drag * vn;
      te = -drag * ve;
    }
    const bx = r[0] * tn + r[3] * te - r[6] * normal;
    const by = r[1] * tn + r[4] * te - r[7] * normal;
    const bz = r[2] * tn + r[5] * te - r[8] * normal;
    fn += tn;
    fe += te;
    fd -= normal;
    mx += point.position[1] * bz - point.position[2] * by;
    my += point.position[2] * bx - point.position[0] * bz;
    mz += point.position[0] * by - point.position[1] * bx;
  }
  w.contactForceNed[0] = fn;
  w.contactForceNed[1] = fe;
  w.contactForceNed[2] = fd;
  w.contactMoment[0] = mx;
  w.contactMoment[1] = my;
  w.contactMoment[2] = mz;
}

export function noContactInto(w: Scratch, x: State, vehicle: VehicleConstants): void {
  for (let i = 0; i < 3; i += 1) {
    w.contactForceNed[i] = 0;
    w.contactMoment[i] = 0;
  }
  for (let i = 0; i < vehicle.gripCount; i += 1) releaseInto(w, x, vehicle, i);
}

/** Lets the stretch of a point in the air decay. */
function releaseInto(w: Scratch, x: State, vehicle: VehicleConstants, i: number): void {
  const rate = vehicle.points[i].releaseRate;
  const zn = x.contactStretch[2 * i];
  const ze = x.contactStretch[2 * i + 1];
  w.stretchRate[2 * i] = rate * (STRETCH_ROUNDER - (zn + STRETCH_ROUNDER));
  w.stretchRate[2 * i + 1] = rate * (STRETCH_ROUNDER - (ze + STRETCH_ROUNDER));
}

export function stretchInto(dx: State, w: Scratch, vehicle: VehicleConstants): void {
  for (let i = 0; i < 2 * vehicle.gripCount; i += 1) dx.contactStretch[i] = w.stretchRate[i];
}

/** Computes the depth of each point below ground; it becomes positive at touch-down. */
export function depthsInto(g: Float64Array, x: State, vehicle: VehicleConstants): void {
  const qw = x.qBodyToNed[0];
  const qx = x.qBodyToNed[1];
  const qy = x.qBodyToNed[2];
  const qz = x.qBodyToNed[3];
  const r20 = 2 * (qx * qz - qw * qy);
  const r21 = 2 * (qy * qz + qw * qx);
  const r22 = 1 - 2 * (qx * qx + qy * qy);
  for (let i = 0; i < vehicle.pointCount; i += 1) {
    const position = vehicle.points[i].position;
    g[i] = x.posNed[2] + (r20 * position[0] + r21 * position[1] + r22 * position[2]);
  }
}

const attitude = new Float64Array(9);

/**
 * Writes μN/c_grip − |V| of each gripping point to `g`, starting at `at`: positive while it sticks, negative while it
 * slides or is in the air.
 */
export function gripsInto(g: Float64Array, at: number, x: State, vehicle: VehicleConstants): void {
  quatToMatrixInto(attitude, x.qBodyToNed);
  for (let i = 0; i < vehicle.gripCount; i += 1) {
    const point = vehicle.points[i];
    touchAt(attitude, x, point);
    if (touch[DEPTH] <= 0) {
      g[at + i] = -1;
      continue;
    }
    const pn = touch[NORTH] + point.releaseRate * x.contactStretch[2 * i];
    const pe = touch[EAST] + point.releaseRate * x.contactStretch[2 * i + 1];
    g[at + i] = point.friction * touch[NORMAL] * point.inverseGrip - Math.sqrt(pn * pn + pe * pe);
  }
}
