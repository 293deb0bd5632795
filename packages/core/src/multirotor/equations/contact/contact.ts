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
import { MAX_COUNTS, type Scratch, type State, type VehicleConstants } from "../../memory.ts";

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

/**
 * The vehicle's motion and its points, copied to arrays of this module, because compiled code reads an array that never
 * changes with one instruction.
 */
const motion = new Float64Array(16);
/** After the attitude matrix: the centre of mass below the ground, its velocity (NED), and the body rates. */
const DOWN = 9;
const VELOCITY = 10;
const RATE = 13;

/** Cells of a point; its position is in the first three. */
const STIFFNESS = 3;
const DISSIPATION = 4;
const INVERSE_DAMPING = 5;
const FRICTION = 6;
const INVERSE_GRIP = 7;
const RELEASE_RATE = 8;
const SLIP_SPEED2 = 9;
const POINT_CELLS = 10;
const points = new Float64Array(MAX_COUNTS.points * POINT_CELLS);
/** Serial number of the vehicle whose points are in `points`. */
let loaded = 0;

function loadMotion(rotation: Float64Array, x: State, vehicle: VehicleConstants): void {
  if (vehicle.serial !== loaded) loadPoints(vehicle);
  for (let i = 0; i < 9; i += 1) motion[i] = rotation[i];
  motion[DOWN] = x.posNed[2];
  for (let i = 0; i < 3; i += 1) {
    motion[VELOCITY + i] = x.velNed[i];
    motion[RATE + i] = x.rateBody[i];
  }
}

function loadPoints(vehicle: VehicleConstants): void {
  for (let i = 0; i < vehicle.pointCount; i += 1) {
    const { position, stiffness, dissipation, inverseDamping, friction, inverseGrip, releaseRate, slipSpeed2 } =
      vehicle.points[i];
    const rest = [stiffness, dissipation, inverseDamping, friction, inverseGrip, releaseRate, slipSpeed2];
    points.set([...position, ...rest], POINT_CELLS * i);
  }
  loaded = vehicle.serial;
}

/** A point on the ground: depth, velocity north and east, normal force. Not shorter, because V8 would move it. */
const touch = new Float64Array(16);
const DEPTH = 0;
const NORTH = 1;
const EAST = 2;
const NORMAL = 3;

/** Fills `touch` for contact point i of the loaded motion; fills only its depth if the point is above the ground. */
function touchAt(i: number): void {
  const at = POINT_CELLS * i;
  const rx = points[at];
  const ry = points[at + 1];
  const rz = points[at + 2];
  const depth = motion[DOWN] + (motion[6] * rx + motion[7] * ry + motion[8] * rz);
  touch[DEPTH] = depth;
  if (depth <= 0) return;
  const wx = motion[RATE];
  const wy = motion[RATE + 1];
  const wz = motion[RATE + 2];
  const sx = wy * rz - wz * ry;
  const sy = wz * rx - wx * rz;
  const sz = wx * ry - wy * rx;
  const down = motion[VELOCITY + 2] + (motion[6] * sx + motion[7] * sy + motion[8] * sz);
  const spring = points[at + STIFFNESS] * depth;
  const hard = points[at + DISSIPATION] * spring;
  const damping = (hard * depth) / (SOFT_DEPTH + depth * (1 + hard * points[at + INVERSE_DAMPING]));
  touch[NORTH] = motion[VELOCITY] + (motion[0] * sx + motion[1] * sy + motion[2] * sz);
  touch[EAST] = motion[VELOCITY + 1] + (motion[3] * sx + motion[4] * sy + motion[5] * sz);
  touch[NORMAL] = Math.max(0, spring + damping * down);
}

/** Computes the force (NED) and the moment (body axes) of all points together, and the rates of the stretches. */
export function contactInto(w: Scratch, x: State, vehicle: VehicleConstants): void {
  loadMotion(w.rotation, x, vehicle);
  let fn = 0;
  let fe = 0;
  let fd = 0;
  let mx = 0;
  let my = 0;
  let mz = 0;
  const count = vehicle.pointCount;
  const grips = vehicle.gripCount;
  for (let i = 0; i < count; i += 1) {
    const at = POINT_CELLS * i;
    touchAt(i);
    if (touch[DEPTH] <= 0) {
      if (i < grips) releaseInto(w, x, vehicle, i);
      continue;
    }
    const normal = touch[NORMAL];
    const vn = touch[NORTH];
    const ve = touch[EAST];
    const grip = points[at + FRICTION] * normal;
    const soft = grip * points[at + INVERSE_GRIP];
    let tn = 0;
    let te = 0;
    if (i < grips) {
      const zn = points[at + RELEASE_RATE] * x.contactStretch[2 * i];
      const ze = points[at + RELEASE_RATE] * x.contactStretch[2 * i + 1];
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
      const drag = grip / Math.sqrt(vn * vn + ve * ve + points[at + SLIP_SPEED2] + soft * soft);
      tn = -drag * vn;
      te = -drag * ve;
    }
    const bx = motion[0] * tn + motion[3] * te - motion[6] * normal;
    const by = motion[1] * tn + motion[4] * te - motion[7] * normal;
    const bz = motion[2] * tn + motion[5] * te - motion[8] * normal;
    fn += tn;
    fe += te;
    fd -= normal;
    mx += points[at + 1] * bz - points[at + 2] * by;
    my += points[at + 2] * bx - points[at] * bz;
    mz += points[at] * by - points[at + 1] * bx;
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

const attitude = new Float64Array(16);

/**
 * Writes μN/c_grip − |V| of each gripping point to `g`, starting at `from`: positive while it sticks, negative while it
 * slides or is in the air.
 */
export function gripsInto(g: Float64Array, from: number, x: State, vehicle: VehicleConstants): void {
  quatToMatrixInto(attitude, x.qBodyToNed);
  loadMotion(attitude, x, vehicle);
  for (let i = 0; i < vehicle.gripCount; i += 1) {
    const at = POINT_CELLS * i;
    touchAt(i);
    if (touch[DEPTH] <= 0) {
      g[from + i] = -1;
      continue;
    }
    const pn = touch[NORTH] + points[at + RELEASE_RATE] * x.contactStretch[2 * i];
    const pe = touch[EAST] + points[at + RELEASE_RATE] * x.contactStretch[2 * i + 1];
    g[from + i] = points[at + FRICTION] * touch[NORMAL] * points[at + INVERSE_GRIP] - Math.sqrt(pn * pn + pe * pe);
  }
}
