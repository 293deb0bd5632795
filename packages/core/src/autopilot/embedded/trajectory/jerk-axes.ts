/**
 * Jerk-limited motion of one or more axes towards target velocities.
 *
 * Each axis follows a plan of three phases, jerk +J for T1, 0 for T2, −J for T3, after which the velocity is constant.
 * `advance` moves along the plan, `plan` makes a new plan from the current state to the current target, `synchronise`
 * stretches the faster axes to the duration of the slowest. `Heading` uses this class one derivative lower: the heading
 * is the velocity, and the yaw rate is the acceleration.
 */
import { PartWithMemory } from "../../../snapshot/index.ts";
import { TINY } from "../constants.ts";

export class JerkAxes extends PartWithMemory {
  readonly count: number;
  // State
  readonly jerk: Float64Array;
  readonly acc: Float64Array;
  readonly vel: Float64Array;
  readonly pos: Float64Array;
  // Plan
  private readonly t1: Float64Array;
  private readonly t2: Float64Array;
  private readonly t3: Float64Array;
  private readonly direction: Float64Array;
  protected readonly memory: Float64Array;
  // Set by the caller
  readonly targetVel: Float64Array;
  readonly maxJerk: Float64Array;
  readonly maxAcc: Float64Array;
  readonly maxVel: Float64Array;
  /** Time to advance by, one cell per axis. */
  readonly stepS: Float64Array;

  constructor(count: number) {
    super();
    this.count = count;
    this.memory = new Float64Array(8 * count);
    const part = (i: number) => this.memory.subarray(i * count, (i + 1) * count);
    this.jerk = part(0);
    this.acc = part(1);
    this.vel = part(2);
    this.pos = part(3);
    this.t1 = part(4);
    this.t2 = part(5);
    this.t3 = part(6);
    this.direction = part(7);
    this.targetVel = new Float64Array(count);
    this.maxJerk = new Float64Array(count).fill(1);
    this.maxAcc = new Float64Array(count).fill(1);
    this.maxVel = new Float64Array(count).fill(1);
    this.stepS = new Float64Array(count);
  }

  /** Resets to rest at zero, without a plan. */
  reset(): void {
    this.memory.fill(0);
  }

  /** Moves axis i along its plan. */
  advance(i: number): void {
    let remaining = this.stepS[i];
    const full = this.direction[i] * this.maxJerk[i];
    let j = full;
    let a = this.acc[i];
    let v = this.vel[i];
    let x = this.pos[i];

    let t = Math.min(remaining, this.t1[i]);
    x += t * (v + t * (0.5 * a + (t * j) / 6));
    v += t * (a + 0.5 * t * j);
    a += t * j;
    remaining -= t;
    if (remaining > 0) {
      t = Math.min(remaining, this.t2[i]);
      j = 0;
      x += t * (v + 0.5 * t * a);
      v += t * a;
      remaining -= t;
    }
    if (remaining > 0) {
      t = Math.min(remaining, this.t3[i]);
      j = -full;
      x += t * (v + t * (0.5 * a + (t * j) / 6));
      v += t * (a + 0.5 * t * j);
      a += t * j;
      remaining -= t;
    }
    if (remaining > 0) {
      j = 0;
      a = 0;
      x += remaining * v;
    }
    this.jerk[i] = j;
    this.acc[i] = a;
    this.vel[i] = v;
    this.pos[i] = x;
  }

  /**
   * Plans axis i to its target velocity in the shortest time.
   *
   * With J = ±j, a the current acceleration and Δ = v_target − v: a + J·T1 is the peak acceleration, T3 = a/J + T1
   * brings it back to zero, and Δ is the area below it. If the peak would exceed its limit, T1 is shortened.
   */
  plan(i: number): void {
    const a = this.acc[i];
    const v = this.vel[i];
    const j = this.maxJerk[i];
    const perJ = 1 / j;
    const maxVel = this.maxVel[i];
    let target = this.targetVel[i];
    target = target < -maxVel ? -maxVel : target > maxVel ? maxVel : target;
    this.targetVel[i] = target;

    // The velocity that results if the acceleration is reduced to zero from now on.
    const absA = Math.abs(a);
    const settled = absA > TINY ? v + 0.5 * a * absA * perJ : v;
    let direction = target > settled ? 1 : target < settled ? -1 : 0;
    if (direction === 0) direction = a > 0 ? 1 : a < 0 ? -1 : 0;
    this.direction[i] = direction;
    if (direction === 0 || j <= TINY) {
      this.t1[i] = this.t2[i] = this.t3[i] = 0;
      return;
    }

    const J = direction * j;
    const delta = target - v;
    const ratio = a * direction * perJ;
    const square = 2 * a * a + 4 * J * delta;
    let t1 = 0;
    if (square >= 0) {
      // T3 = ½√(2a² + 4JΔ)/j, T1 = T3 − a/J; no first phase if T1 is negative.
      t1 = 0.5 * Math.sqrt(square) * perJ - ratio;
      if (!(t1 >= 0)) t1 = 0;
      const limit = this.maxAcc[i];
      const top = a + J * t1;
      if (top > limit) t1 = (limit - a) * direction * perJ;
      else if (top < -limit) t1 = (-limit - a) * direction * perJ;
      t1 = t1 > 0 ? t1 : 0;
    }
    const t3 = ratio + t1 > 0 ? ratio + t1 : 0;
    const peak = a + J * t1;
    let t2 = 0;
    if (peak > TINY || peak < -TINY) {
      t2 = (delta - 0.5 * J * t1 * t1 - J * t1 * t3 - a * t1 + 0.5 * J * t3 * t3 - a * t3) / peak;
    }
    this.t1[i] = t1;
    this.t2[i] = t2 > 0 ? t2 : 0;
    this.t3[i] = t3;
  }

  /** Gives every faster axis the duration of the slowest. */
  synchronise(): void {
    let longest = 0;
    let slowest = 0;
    for (let i = 0; i < this.count; i += 1) {
      const total = this.t1[i] + this.t2[i] + this.t3[i];
      if (total > longest) {
        longest = total;
        slowest = i;
      }
    }
    if (longest <= TINY) return;
    for (let i = 0; i < this.count; i += 1) {
      if (i !== slowest && this.t1[i] + this.t2[i] + this.t3[i] < longest) this.stretch(i, slowest);
    }
  }

  /**
   * Replans axis i for the total duration T of axis `slowest`: T1 solves J·T1² − (J·T − a)·T1 + Δ − a·T + a²/(2J) = 0.
   */
  private stretch(i: number, slowest: number): void {
    const total = this.t1[slowest] + this.t2[slowest] + this.t3[slowest];
    const j = this.maxJerk[i];
    const direction = this.direction[i];
    if (direction === 0 || j <= TINY) {
      this.t1[i] = this.t2[i] = this.t3[i] = 0;
      return;
    }
    const a = this.acc[i];
    const J = direction * j;
    const perJ = direction / j;
    const ratio = a * perJ;
    const b = J * total - a;
    const square = total * total * J * J + 2 * total * a * J - a * a - 4 * J * (this.targetVel[i] - this.vel[i]);
    let t1 = 0;
    if (square >= 0) {
      const root = Math.sqrt(square);
      let first = (b - root) * 0.5 * perJ;
      let second = (b + root) * 0.5 * perJ;
      if (!(first > 0)) first = 0;
      if (!(second > 0)) second = 0;
      if (ratio + first >= 0 && ratio + 2 * first <= total) t1 = first;
      else if (ratio + second >= 0 && ratio + 2 * second <= total) t1 = second;
      const limit = this.maxAcc[i];
      const top = a + J * t1;
      if (top > limit) t1 = (limit - a) * perJ;
      else if (top < -limit) t1 = (-limit - a) * perJ;
    }
    const t3 = ratio + t1 > 0 ? ratio + t1 : 0;
    const t2 = total - t1 - t3;
    this.t1[i] = t1;
    this.t3[i] = t3;
    this.t2[i] = t2 > 0 ? t2 : 0;
  }
}
