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
import type { Scratch, State, VehicleConstants } from "../../memory.ts";

/** Depth, m, over which damping sets in. */
const SOFT_DEPTH = 2e-4;

/** Force in NED and moment in body axes of all points together. */
export function contactInto(w: Scratch, x: State, vehicle: VehicleConstants): void {
  const d = x.posNed[2];
  let fn = 0;
  let fe = 0;
  let fd = 0;
  let mx = 0;
  let my = 0;
  let mz = 0;
  const points = vehicle.pointCount;
  const r00 = w.rotation[0];
  const r01 = w.rotation[1];
  const r02 = w.rotation[2];
  const r10 = w.rotation[3];
  const r11 = w.rotation[4];
  const r12 = w.rotation[5];
  const r20 = w.rotation[6];
  const r21 = w.rotation[7];
  const r22 = w.rotation[8];
  for (let i = 0; i < points; i += 1) {
    const point = vehicle.points[i];
    const rx = point.position[0];
    const ry = point.position[1];
    const rz = point.position[2];
    const depth = d + (r20 * rx + r21 * ry + r22 * rz);
    if (depth <= 0) continue;
    const sx = x.rateBody[1] * rz - x.rateBody[2] * ry;
    const sy = x.rateBody[2] * rx - x.rateBody[0] * rz;
    const sz = x.rateBody[0] * ry - x.rateBody[1] * rx;
    const vn = x.velNed[0] + (r00 * sx + r01 * sy + r02 * sz);
    const ve = x.velNed[1] + (r10 * sx + r11 * sy + r12 * sz);
    const vd = x.velNed[2] + (r20 * sx + r21 * sy + r22 * sz);
    const spring = point.stiffness * depth;
    const hard = point.dissipation * spring;
    const damping = (hard * depth) / (SOFT_DEPTH + depth * (1 + hard * point.inverseDamping));
    const normal = Math.max(0, spring + damping * vd);
    const grip = point.friction * normal;
    const soft = grip * point.inverseGrip;
    const drag = grip / Math.sqrt(vn * vn + ve * ve + point.slipSpeed2 + soft * soft);
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
  w.contactForceNed[0] = fn;
  w.contactForceNed[1] = fe;
  w.contactForceNed[2] = fd;
  w.contactMoment[0] = mx;
  w.contactMoment[1] = my;
  w.contactMoment[2] = mz;
}

export function noContactInto(w: Scratch): void {
  for (let i = 0; i < 3; i += 1) {
    w.contactForceNed[i] = 0;
    w.contactMoment[i] = 0;
  }
}

/** Depth of each point below ground; touch-down is where it becomes positive. */
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
