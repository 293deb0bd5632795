/**
 * Contact of the vehicle's points with flat ground at d = 0: normal force, friction, and their moment.
 *
 * The normal force on a point at depth δ > 0 that sinks at δ̇ is, after Hunt and Crossley (1975) with exponent 1,
 *   N = max(0, k·δ + c·δ̇),  c = h/(1 + δ0/δ + h/c_max),  h = 1.5·α·k·δ.
 * N is continuous at touch-down, because it vanishes with δ at any speed. The ground never pulls. α sets how much
 * energy an impact loses. c_max bounds the derivative of the force with respect to δ̇, because a hard impact would
 * otherwise be so stiff that explicit steps of a millisecond gain energy. δ0 = 0.2 mm lets the damping begin without a
 * kink that an adaptive method would have to resolve. The stored energy is k·δ²/2.
 *
 * A gripping point is connected to the ground by a spring and a damper, in series with a Coulomb slider. With the
 * stretch z of the spring and the velocity v of the point over the ground (north and east),
 *   V = v + r·z, r = k_grip/c_grip,  F_t = −c_grip·s·V, s = min(1, μN/(c_grip·|V|)),  ż = s·V − r·z.
 * While s = 1 the point sticks: ż = v and F_t = −k_grip·z − c_grip·ż, so a constant force below μN moves it only by
 * the stretch of the spring. While s < 1 the point slides at v − ż, parallel to −F_t, with |F_t| = μN, and its stretch
 * tends to |k_grip·z| = μN. The work done on the point goes to k_grip·|z|²/2, c_grip·|ż|² and μN·|v − ż|, so the
 * contact never returns more energy than it stores. In the air z decays at the rate r until it is below 2⁻⁴¹ m,
 * then stays constant (see STRETCH_ROUNDER).
 *
 * The other points (rotor tips and hull of a vehicle with feet) only slide, with regularised Coulomb friction,
 *   F_t = −μN·v/√(v² + v_slip² + (μN/c_grip)²).
 */
import { quatToMatrixInto } from "../../../math/quat.ts";
import { MAX_COUNTS, type Scratch, type State, type VehicleConstants } from "../../memory.ts";

/** Depth in metres over which damping sets in. */
const SOFT_DEPTH = 2e-4;
/** Speed in m/s that avoids 0/0 for a point without load and motion. It is far below any relevant speed. */
const MIN_SPEED = 1e-30;

/**
 * Adding and subtracting this number rounds a stretch to multiples of 2⁻⁴⁰ m (9e-13 m), so that the rate of a stretch
 * below half of that is 0. Without the rounding, the stretch would decay through the subnormal numbers, which are slow
 * on some processors and flushed to zero by some threads. A comparison in place of the rounding would make an
 * evaluation in the air 5 % slower.
 */
const STRETCH_ROUNDER = 6144;

/**
 * The packed points, and the serial number, of the vehicle that was evaluated last. Flat arrays of this module are read
 * several times faster than the fields of one object per point.
 */
const POINT_CELLS = 10;
const points = new Float64Array(MAX_COUNTS.points * POINT_CELLS);
let packedSerial = 0;
const STIFFNESS = 3;
const DISSIPATION = 4;
const FRICTION = 5;
const SLIP_SPEED2 = 6;
const INVERSE_GRIP = 7;
const INVERSE_DAMPING = 8;
const RELEASE_RATE = 9;

/** Bounds of the points that do not grip: largest |x| and |y|, smallest and largest z. */
const box = new Float64Array(16);
/** Length in metres, far above any rounding error of a depth. */
const MARGIN = 1e-6;

function packPoints(vehicle: VehicleConstants): void {
  const { gripCount, pointCount } = vehicle;
  const sliding = vehicle.points.slice(gripCount, pointCount).map(({ position }) => position);
  box[0] = Math.max(0, ...sliding.map(([x]) => Math.abs(x)));
  box[1] = Math.max(0, ...sliding.map(([, y]) => Math.abs(y)));
  box[2] = Math.min(...sliding.map(([, , z]) => z));
  box[3] = Math.max(...sliding.map(([, , z]) => z));
  for (let i = 0; i < vehicle.pointCount; i += 1) {
    const point = vehicle.points[i];
    const at = i * POINT_CELLS;
    points.set(point.position, at);
    points[at + STIFFNESS] = point.stiffness;
    points[at + DISSIPATION] = point.dissipation;
    points[at + FRICTION] = point.friction;
    points[at + SLIP_SPEED2] = point.slipSpeed2;
    points[at + INVERSE_GRIP] = point.inverseGrip;
    points[at + INVERSE_DAMPING] = point.inverseDamping;
    points[at + RELEASE_RATE] = point.releaseRate;
  }
  packedSerial = vehicle.serial;
}

/**
 * The attitude matrix row by row, then the down coordinate, the velocity (NED) and the angular velocity (body axes).
 */
const pose = new Float64Array(16);
const DOWN = 9;
const VELOCITY = 10;
const RATE = 13;

/** Fills `points`, and `pose` except for the attitude matrix. */
function loadMotion(x: State, vehicle: VehicleConstants): void {
  if (vehicle.serial !== packedSerial) packPoints(vehicle);
  pose[DOWN] = x.posNed[2];
  pose[VELOCITY] = x.velNed[0];
  pose[VELOCITY + 1] = x.velNed[1];
  pose[VELOCITY + 2] = x.velNed[2];
  pose[RATE] = x.rateBody[0];
  pose[RATE + 1] = x.rateBody[1];
  pose[RATE + 2] = x.rateBody[2];
}

/**
 * Returns how many points may be in the ground: all points, or only the gripping points if the box around the other
 * points is above the ground. The second case is the usual one, and it skips most points of a vehicle with feet.
 */
function pointsNearGround(vehicle: VehicleConstants): number {
  const rz = pose[8];
  const lowest = Math.abs(pose[6]) * box[0] + Math.abs(pose[7]) * box[1] + Math.max(rz * box[2], rz * box[3]);
  return pose[DOWN] + lowest < -MARGIN ? vehicle.gripCount : vehicle.pointCount;
}

/**
 * A point in the ground: velocity north and east, normal force. The array is longer than needed, because V8 keeps
 * shorter arrays on its heap, where access is slower.
 */
const touch = new Float64Array(16);
const NORTH = 0;
const EAST = 1;
const NORMAL = 2;

/** Fills `touch` for the point whose numbers start at `at`; `depthCell` contains its depth. */
function touchAt(at: number): void {
  const rx = points[at];
  const ry = points[at + 1];
  const rz = points[at + 2];
  const depth = depthCell[0];
  const sx = pose[RATE + 1] * rz - pose[RATE + 2] * ry;
  const sy = pose[RATE + 2] * rx - pose[RATE] * rz;
  const sz = pose[RATE] * ry - pose[RATE + 1] * rx;
  const down = pose[VELOCITY + 2] + (pose[6] * sx + pose[7] * sy + pose[8] * sz);
  const spring = points[at + STIFFNESS] * depth;
  const hard = points[at + DISSIPATION] * spring;
  const damping = (hard * depth) / (SOFT_DEPTH + depth * (1 + hard * points[at + INVERSE_DAMPING]));
  touch[NORTH] = pose[VELOCITY] + (pose[0] * sx + pose[1] * sy + pose[2] * sz);
  touch[EAST] = pose[VELOCITY + 1] + (pose[3] * sx + pose[4] * sy + pose[5] * sz);
  touch[NORMAL] = Math.max(0, spring + damping * down);
}

/** The depth that `touchAt` reads. It is a cell, because a number passed to a call that is not inlined is boxed. */
const depthCell = new Float64Array(16);

/** Computes the force (NED) and the moment (body axes) of all points together, and the rates of the stretches. */
export function contactInto(w: Scratch, x: State, vehicle: VehicleConstants): void {
  for (let i = 0; i < 9; i += 1) pose[i] = w.rotation[i];
  loadMotion(x, vehicle);
  let fn = 0;
  let fe = 0;
  let fd = 0;
  let mx = 0;
  let my = 0;
  let mz = 0;
  const count = pointsNearGround(vehicle);
  const gripCount = vehicle.gripCount;
  for (let i = 0, at = 0; i < count; i += 1, at += POINT_CELLS) {
    const depth = pose[DOWN] + (pose[6] * points[at] + pose[7] * points[at + 1] + pose[8] * points[at + 2]);
    if (depth <= 0) {
      if (i < gripCount) releaseInto(w, x, vehicle, i);
      continue;
    }
    depthCell[0] = depth;
    touchAt(at);
    const normal = touch[NORMAL];
    const vn = touch[NORTH];
    const ve = touch[EAST];
    const grip = points[at + FRICTION] * normal;
    const soft = grip * points[at + INVERSE_GRIP];
    let tn = 0;
    let te = 0;
    if (i < gripCount) {
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
    const bx = pose[0] * tn + pose[3] * te - pose[6] * normal;
    const by = pose[1] * tn + pose[4] * te - pose[7] * normal;
    const bz = pose[2] * tn + pose[5] * te - pose[8] * normal;
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

/**
 * Writes the depth of each point below ground to the start of `g`; it becomes positive at touch-down. Writes
 * μN/c_grip − |V| of each gripping point to `g` from `gripsAt` on; it is positive while the point sticks, and negative
 * while it slides or is in the air.
 */
export function contactSeamsInto(g: Float64Array, gripsAt: number, x: State, vehicle: VehicleConstants): void {
  quatToMatrixInto(pose, x.qBodyToNed);
  loadMotion(x, vehicle);
  for (let i = 0, at = 0; i < vehicle.pointCount; i += 1, at += POINT_CELLS) {
    const depth = pose[DOWN] + (pose[6] * points[at] + pose[7] * points[at + 1] + pose[8] * points[at + 2]);
    g[i] = depth;
    if (i >= vehicle.gripCount) continue;
    if (depth <= 0) {
      g[gripsAt + i] = -1;
      continue;
    }
    depthCell[0] = depth;
    touchAt(at);
    const pn = touch[NORTH] + points[at + RELEASE_RATE] * x.contactStretch[2 * i];
    const pe = touch[EAST] + points[at + RELEASE_RATE] * x.contactStretch[2 * i + 1];
    g[gripsAt + i] = points[at + FRICTION] * touch[NORMAL] * points[at + INVERSE_GRIP] - Math.sqrt(pn * pn + pe * pe);
  }
}
