/**
 * The velocity target of a trajectory along previous → target → next.
 *
 * The distance to the target and the corner there limit horizontal and vertical speed. Distances are measured from the
 * trajectory's own state, not the vehicle's. In a turn the trajectory aims at a point ahead on the leg (L1 guidance)
 * and does not exceed the speed before the turn.
 */
import { PartWithMemory } from "../../../snapshot/index.ts";
import { TINY } from "../constants.ts";
import type { JerkAxes } from "./jerk-axes.ts";
import { ACCELERATION, computeCornerSpeed, CORNER_SIZE, COS_ANGLE, DISTANCE, SPEED } from "./speed.ts";

/** Vectors shorter than this have no direction. */
const NO_DIRECTION = 1e-5;
/** A trajectory below this speed is never treated as turning (m/s). */
const TURNING_SPEED = 0.2;
/** A trajectory turns if the cosine of the angle between its velocity and the direction to the target is below this. */
const TURNING_COS = 0.98;
/** Minimum look-ahead distance in turns (m). */
const MIN_LOOK_AHEAD = 5;
/**
 * If the horizontal or vertical speed limit is below this (m/s), only its own component is reduced, so that rounding
 * does not stop the motion along the other component.
 */
const SEPARATE_BELOW = 0.5;

// Cells of `limits`
const RADIUS = 0;
const ALT_RADIUS = 1;
const CRUISE = 2;
const CORNER_GAIN = 3;

export class Path extends PartWithMemory {
  /** Previous, target and next waypoint, and the horizontal speed limit before the turn. */
  protected readonly memory = new Float64Array(10);
  readonly prev = this.memory.subarray(0, 3);
  readonly target = this.memory.subarray(3, 6);
  readonly next = this.memory.subarray(6, 9);
  private readonly straightSpeed = this.memory.subarray(9, 10);
  /** True if the target has no altitude (landing). The caller then sets the vertical velocity. */
  freeVertical = false;
  readonly velocity = new Float64Array(3);
  /** Horizontal and vertical acceptance radius, cruise speed, fraction of acceleration used in corners. */
  readonly limits = Float64Array.of(2, 0.8, 5, 0.5);
  private readonly aim = new Float64Array(3);
  /** Horizontal and vertical speed limits of this call. */
  private readonly speed = new Float64Array(2);
  /** Scratch: the corner whose speed is computed. */
  private readonly corner = new Float64Array(CORNER_SIZE);

  update(axes: JerkAxes): void {
    const turning = this.isTurning(axes);
    this.aimAt(axes, turning);
    this.limitHorizontal(axes);
    if (turning) this.speed[0] = Math.min(this.straightSpeed[0], this.speed[0]);
    else this.straightSpeed[0] = this.speed[0];
    if (this.freeVertical) {
      this.setHorizontalVelocity(axes);
    } else {
      this.limitVertical(axes);
      this.setVelocity(axes);
    }
  }

  reset(): void {
    this.memory.fill(0);
  }

  private isTurning(axes: JerkAxes): boolean {
    const vn = axes.vel[0];
    const ve = axes.vel[1];
    const dn = this.target[0] - axes.pos[0];
    const de = this.target[1] - axes.pos[1];
    const vv = vn * vn + ve * ve;
    const dd = dn * dn + de * de;
    if (!(vv > TURNING_SPEED * TURNING_SPEED)) return false;
    if (!(dd > this.limits[RADIUS] * this.limits[RADIUS])) return false;
    const product = Math.sqrt(vv * dd);
    const cosAlign = Math.sqrt(dd) > NO_DIRECTION ? (vn * dn + ve * de) / product : 0;
    return cosAlign < TURNING_COS;
  }

  /** Sets the point to fly to: the target or, in a turn, the point of the leg at the look-ahead distance. */
  private aimAt(axes: JerkAxes, turning: boolean): void {
    const { aim, prev, target } = this;
    const x = axes.pos;
    if (!turning) {
      aim[0] = target[0];
      aim[1] = target[1];
      aim[2] = target[2];
      return;
    }
    let un = target[0] - prev[0];
    let ue = target[1] - prev[1];
    let ud = target[2] - prev[2];
    const length = Math.sqrt(un * un + ue * ue + ud * ud);
    // A target without altitude gives no direction either: PX4 then aims at the previous waypoint.
    const scale = length > NO_DIRECTION && !this.freeVertical ? 1 / length : 0;
    un *= scale;
    ue *= scale;
    ud *= scale;
    const along = (x[0] - prev[0]) * un + (x[1] - prev[1]) * ue + (x[2] - prev[2]) * ud;
    const cn = prev[0] + un * along;
    const ce = prev[1] + ue * along;
    const cd = prev[2] + ud * along;
    const across2 = (cn - x[0]) * (cn - x[0]) + (ce - x[1]) * (ce - x[1]) + (cd - x[2]) * (cd - x[2]);
    const lookAhead = Math.max(this.limits[RADIUS], MIN_LOOK_AHEAD);
    const ahead = lookAhead * lookAhead > across2 ? Math.sqrt(lookAhead * lookAhead - across2) : 0;
    aim[0] = cn + ahead * un;
    aim[1] = ce + ahead * ue;
    aim[2] = cd + ahead * ud;
  }

  /** Computes the horizontal speed limit: low enough to take the corner at the target and to stop at `next`. */
  private limitHorizontal(axes: JerkAxes): void {
    const { target, next, limits, corner } = this;
    const jerk = axes.maxJerk[0];
    const acc = axes.maxAcc[0];
    const cruise = limits[CRUISE];
    const n = target[0] - next[0];
    const e = target[1] - next[1];
    const onward = Math.sqrt(n * n + e * e);
    const dn = target[0] - axes.pos[0];
    const de = target[1] - axes.pos[1];
    const distance = Math.sqrt(dn * dn + de * de);
    // v_f² = v² − 2a·(d − v·2a/j): the term v·2a/j is the distance flown until full deceleration is reached.
    const b = (4 * acc * acc) / jerk;
    let atTarget = 0;
    if (onward > 0.001 && !(onward < limits[RADIUS])) {
      corner[COS_ANGLE] = distance > NO_DIRECTION ? (dn * n + de * e) / (distance * onward) : 0;
      corner[ACCELERATION] = limits[CORNER_GAIN] * acc;
      corner[DISTANCE] = limits[RADIUS];
      computeCornerSpeed(corner);
      const after = Math.min(cruise, 0.5 * (Math.sqrt(b * b + 8 * acc * onward) - b));
      atTarget = Math.min(corner[SPEED]!, after);
    }
    const reachable = 0.5 * (Math.sqrt(b * b + 8 * acc * distance + 4 * atTarget * atTarget) - b);
    this.speed[0] = Math.min(cruise, Math.max(reachable, atTarget));
  }

  /**
   * Computes the vertical speed limit. Its corner is in the plane of altitude and horizontal distance from the origin.
   */
  private limitVertical(axes: JerkAxes): void {
    const { target, next, corner } = this;
    const x = axes.pos;
    const acc = axes.maxAcc[2];
    const limit = axes.maxVel[2];
    let arrival = 0;
    if (Math.abs(target[2] - next[2]) > 0.001) {
      const range = Math.sqrt(target[0] * target[0] + target[1] * target[1]);
      const a0 = range - Math.sqrt(x[0] * x[0] + x[1] * x[1]);
      const a1 = target[2] - x[2];
      const b0 = range - Math.sqrt(next[0] * next[0] + next[1] * next[1]);
      const b1 = target[2] - next[2];
      const a = Math.sqrt(a0 * a0 + a1 * a1);
      const b = Math.sqrt(b0 * b0 + b1 * b1);
      corner[COS_ANGLE] = a > NO_DIRECTION && b > NO_DIRECTION ? (a0 * b0 + a1 * b1) / (a * b) : 0;
      corner[ACCELERATION] = acc;
      corner[DISTANCE] = this.limits[ALT_RADIUS];
      computeCornerSpeed(corner);
      arrival = Math.min(corner[SPEED]!, limit);
    }
    const distance = Math.abs(target[2] - x[2]);
    const b = (4 * acc * acc) / axes.maxJerk[2];
    const reachable = 0.5 * (Math.sqrt(b * b + 8 * acc * distance + 4 * arrival * arrival) - b);
    this.speed[1] = Math.min(limit, Math.max(reachable, arrival));
  }

  private setHorizontalVelocity(axes: JerkAxes): void {
    const n = this.aim[0] - axes.pos[0];
    const e = this.aim[1] - axes.pos[1];
    const length = Math.sqrt(n * n + e * e);
    const scale = length > NO_DIRECTION ? this.speed[0] / length : 0;
    this.velocity[0] = n * scale;
    this.velocity[1] = e * scale;
  }

  /** Computes the velocity along the line to the aim point, as fast as both limits allow. */
  private setVelocity(axes: JerkAxes): void {
    const { aim, velocity } = this;
    const xy = this.speed[0];
    const z = this.speed[1];
    let n = aim[0] - axes.pos[0];
    let e = aim[1] - axes.pos[1];
    let d = aim[2] - axes.pos[2];
    const length = Math.sqrt(n * n + e * e + d * d);
    const scale = length > NO_DIRECTION ? Math.sqrt(xy * xy + z * z) / length : 0;
    n *= scale;
    e *= scale;
    d *= scale;
    const xyNow = Math.sqrt(n * n + e * e);
    if (xyNow > TINY && xy < xyNow) {
      const share = xy / xyNow;
      n *= share;
      e *= share;
      if (!(xy < SEPARATE_BELOW && xyNow < SEPARATE_BELOW)) d *= share;
    }
    const zNow = Math.abs(d);
    if (zNow > TINY && z < zNow) {
      const share = z / zNow;
      d *= share;
      if (!(z < SEPARATE_BELOW && zNow < SEPARATE_BELOW)) {
        n *= share;
        e *= share;
      }
    }
    velocity[0] = n;
    velocity[1] = e;
    velocity[2] = d;
  }
}
