/**
 * The trajectory generator of all automatic modes: turns the navigator's triplet into a smooth setpoint of position,
 * velocity, acceleration and heading.
 *
 * It follows waypoints by its own state, never by the vehicle's, and waits for a vehicle that lags (time stretch). The
 * velocity target is made from the state before this tick's step; vertical limits follow the sign of the previous tick's
 * velocity target. While the vehicle stands on the ground it starts anew every tick.
 */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../../../snapshot/index.ts";
import { Heading, directionOf, wrapPi } from "../heading.ts";
import { loadMemory, saveMemory } from "../memory.ts";
import type { Parameters } from "../parameters.ts";
import type { Vehicle } from "../vehicle.ts";
import { TAKEOFF_RAMPUP } from "../takeoff.ts";
import {
  TYPE_IDLE,
  TYPE_LAND,
  TYPE_LOITER,
  TYPE_TAKEOFF,
  type PositionSetpoint,
  type Triplet,
} from "../navigator/triplet.ts";
import { JerkAxes } from "./jerk-axes.ts";
import { Path } from "./path.ts";

const G = 9.80665;
const DEG = 0.017453292519943295;
/** PX4's float32 epsilon. */
const TINY = 1.1920928955078125e-7;
/** A target that moved less is the same target (m). */
const SAME_TARGET = 0.001;
/** Sink rate from which a trajectory starts on the ground (m/s). */
const GROUND_SINK = 0.7;
/** Climb rate target from which take-off is wanted (m/s). */
const TAKEOFF_CLIMB = -0.3;

/** Where the vehicle is relative to the leg. */
const ON_LEG = 0;
const TARGET_BEHIND = 1;
const PREVIOUS_AHEAD = 2;
const OFF_TRACK = 3;

// Memory cells
const TYPE = 0;
const TYPE_BEFORE = 1;
const RADIUS = 2;
const PREV_WAS_VALID = 3;
const NEXT_WAS_VALID = 4;
const STATE = 5;
const YAW = 6;
const YAW_RATE = 7;
const YAW_LOCK = 8;
const YAW_BEFORE = 9;
const LAND_YAW = 10;
const BRAKING = 11;
const CRUISE = 12;
const ALIGNED = 13;
const OVERRIDE_US = 14;
const TARGET_VZ = 15;
const ACTIVE = 16;
const SPEED_UP = 17;
const SPEED_DOWN = 18;
const WANT_TAKEOFF = 19;
const FRESH = 20;
const STEP_S = 21;
const CELLS = 22;

const YAW_TO_HOME = 1;
const YAW_FROM_HOME = 2;
const YAW_ALONG = 3;
const YAW_FIRST = 4;
const YAW_FIXED = 5;

/** What the position controller is given: NaN where nothing is commanded. */
export class TrajectorySetpoint implements Saveable {
  private readonly m = new Float64Array(11).fill(NaN);
  readonly posNed = this.m.subarray(0, 3);
  readonly velNed = this.m.subarray(3, 6);
  readonly accNed = this.m.subarray(6, 9);
  /** Yaw and yaw rate. */
  readonly yaw = this.m.subarray(9, 11);

  clear(): void {
    this.m.fill(NaN);
  }

  copy(from: TrajectorySetpoint): void {
    this.m.set(from.m);
  }

  save(writer: SnapshotWriter): void {
    saveMemory(writer, this.m);
  }

  load(reader: SnapshotReader): void {
    loadMemory(reader, this.m);
  }
}

export class AutoTask implements Saveable {
  readonly setpoint = new TrajectorySetpoint();
  private readonly vehicle: Vehicle;
  private readonly homeNed: Float64Array;
  private readonly axes = new JerkAxes(3);
  private readonly path = new Path();
  private readonly heading = new Heading();
  private readonly m = new Float64Array(CELLS);
  /** The triplet in the local frame as last taken over, and the closest point of its leg. */
  private readonly places = new Float64Array(12);
  private readonly tripletPrev = this.places.subarray(0, 3);
  private readonly tripletTarget = this.places.subarray(3, 6);
  private readonly tripletNext = this.places.subarray(6, 9);
  private readonly closest = this.places.subarray(9, 12);
  private readonly dtS: number;
  private readonly p = new TaskParameters();

  constructor(vehicle: Vehicle, homeNed: Float64Array, dtS: number) {
    this.vehicle = vehicle;
    this.homeNed = homeNed;
    this.dtS = dtS;
  }

  configure(parameters: Parameters): void {
    this.p.read(parameters);
    this.heading.configure(this.p.yawRateMax, this.p.yawAccMax);
  }

  get active(): boolean {
    return this.m[ACTIVE] === 1;
  }

  get wantsTakeoff(): boolean {
    return this.m[WANT_TAKEOFF] === 1;
  }

  /** Limits for the velocity controller (m/s, both positive). */
  get speedUp(): number {
    return this.m[SPEED_UP];
  }

  get speedDown(): number {
    return this.m[SPEED_DOWN];
  }

  /** A new cruise speed by command: holds until a younger setpoint brings its own. */
  overrideCruise(speedMps: number, nowUs: number): void {
    this.m[CRUISE] = speedMps;
    this.m[OVERRIDE_US] = nowUs;
  }

  deactivate(): void {
    this.m[ACTIVE] = 0;
    this.setpoint.clear();
  }

  /** Entering an automatic mode from another: everything afresh. */
  activate(): void {
    const m = this.m;
    m.fill(0);
    m[TYPE] = m[TYPE_BEFORE] = TYPE_IDLE;
    m[CRUISE] = NaN;
    m[LAND_YAW] = NaN;
    m[ACTIVE] = 1;
    m[FRESH] = 1;
    this.places.fill(0);
    this.axes.forget();
    this.path.forget();
    this.axes.pos.set(this.vehicle.posNed);
    this.axes.vel.set(this.vehicle.velNed);
    this.startOver();
  }

  update(triplet: Triplet, takeoffState: number): void {
    const m = this.m;
    // A task that has just been switched on has no time behind it yet.
    m[STEP_S] = m[FRESH] === 1 ? 0 : this.dtS;
    m[FRESH] = 0;
    this.readTriplet(triplet);

    const landing = m[TYPE] === TYPE_LAND;
    this.path.freeVertical = landing;
    if (landing) this.prepareLanding();
    this.checkBraking();
    this.setLimits();
    this.makeVelocityTarget();
    this.step();
    if (Number.isNaN(m[YAW]) && Number.isNaN(m[YAW_RATE])) this.headAlongTrajectory();
    m[TYPE_BEFORE] = m[TYPE];
    this.smoothYaw();
    this.publish();
    if (takeoffState < TAKEOFF_RAMPUP) this.restartOnGround();
  }

  save(writer: SnapshotWriter): void {
    this.setpoint.save(writer);
    this.axes.save(writer);
    this.path.save(writer);
    this.heading.save(writer);
    saveMemory(writer, this.m);
    saveMemory(writer, this.places);
  }

  load(reader: SnapshotReader): void {
    this.setpoint.load(reader);
    this.axes.load(reader);
    this.path.load(reader);
    this.heading.load(reader);
    loadMemory(reader, this.m);
    loadMemory(reader, this.places);
  }

  /** The part of an activation that also happens every tick on the ground. */
  private startOver(): void {
    const m = this.m;
    m[YAW] = this.vehicle.headingRad[0];
    m[YAW_RATE] = 0;
    m[YAW_BEFORE] = NaN;
    m[BRAKING] = 0;
    m[OVERRIDE_US] = 0;
    this.axes.acc.fill(0);
    this.axes.jerk.fill(0);
    this.heading.reset(this.vehicle.headingRad[0], 0);
  }

  private restartOnGround(): void {
    this.startOver();
    this.axes.vel[0] = 0;
    this.axes.vel[1] = 0;
    this.axes.vel[2] = GROUND_SINK;
    this.axes.pos.set(this.vehicle.posNed);
  }

  private readTriplet(triplet: Triplet): void {
    const m = this.m;
    const current = triplet.current;
    if (!current.valid) {
      this.tripletPrev.set(this.vehicle.posNed);
      this.tripletTarget.set(this.vehicle.posNed);
      this.tripletNext.set(this.vehicle.posNed);
      m[TYPE] = TYPE_LOITER;
      m[YAW] = this.vehicle.headingRad[0];
      m[YAW_RATE] = NaN;
      m[RADIUS] = current.radiusM;
      this.chooseLeg();
      return;
    }
    m[TYPE] = current.type;
    if (current.stampUs > m[OVERRIDE_US]) m[CRUISE] = current.cruiseMps;
    if (!(m[CRUISE] >= TINY)) m[CRUISE] = this.p.cruise;
    m[CRUISE] = Math.min(m[CRUISE], this.p.speedMaxXy);

    const moved = this.hasMoved(current) || (m[PREV_WAS_VALID] === 1) !== triplet.previous.valid;
    const changed = moved || (m[NEXT_WAS_VALID] === 1) !== triplet.next.valid;
    if (changed) this.takeOver(triplet);
    const before = m[STATE];
    m[STATE] = this.stateOnLeg();
    if (changed || m[STATE] !== before || m[STATE] === OFF_TRACK) this.chooseLeg();
    if (Number.isNaN(current.yawRad)) {
      this.headByMode();
    } else {
      m[YAW] = current.yawRad;
      m[YAW_RATE] = NaN;
    }
  }

  private hasMoved(current: PositionSetpoint): boolean {
    for (let i = 0; i < 3; i += 1) {
      if (!(Math.abs(this.tripletTarget[i] - current.posNed[i]) < SAME_TARGET)) return true;
    }
    return false;
  }

  private takeOver(triplet: Triplet): void {
    const m = this.m;
    const { previous, current, next } = triplet;
    this.tripletTarget.set(current.posNed);
    m[RADIUS] = current.radiusM;
    this.tripletPrev.set(previous.valid ? previous.posNed : current.posNed);
    m[PREV_WAS_VALID] = previous.valid ? 1 : 0;
    this.tripletNext.set(m[TYPE] !== TYPE_LOITER && next.valid ? next.posNed : current.posNed);
    m[NEXT_WAS_VALID] = next.valid ? 1 : 0;
  }

  private stateOnLeg(): number {
    const p = this.vehicle.posNed;
    const a = this.tripletPrev;
    const b = this.tripletTarget;
    let un = b[0] - a[0];
    let ue = b[1] - a[1];
    let ud = b[2] - a[2];
    const length = Math.sqrt(un * un + ue * ue + ud * ud);
    if (!(length > 1e-5)) {
      this.closest.set(a);
      return ON_LEG;
    }
    un /= length;
    ue /= length;
    ud /= length;
    const pn = p[0] - a[0];
    const pe = p[1] - a[1];
    const pd = p[2] - a[2];
    const along = pn * un + pe * ue + pd * ud;
    const c = this.closest;
    c[0] = a[0] + un * along;
    c[1] = a[1] + ue * along;
    c[2] = a[2] + ud * along;
    if ((b[0] - p[0]) * un + (b[1] - p[1]) * ue + (b[2] - p[2]) * ud < 0) return TARGET_BEHIND;
    const radius2 = this.m[RADIUS] * this.m[RADIUS];
    if (along < 0 && pn * pn + pe * pe + pd * pd > radius2) return PREVIOUS_AHEAD;
    if (this.m[TYPE] === TYPE_LAND) return ON_LEG;
    const n = p[0] - c[0];
    const e = p[1] - c[1];
    const d = p[2] - c[2];
    return n * n + e * e + d * d > radius2 ? OFF_TRACK : ON_LEG;
  }

  /** The leg actually flown: straight to the target, to the previous waypoint or back to the track where need be. */
  private chooseLeg(): void {
    const path = this.path;
    switch (this.m[STATE]) {
      case TARGET_BEHIND:
        path.target.set(this.tripletTarget);
        path.prev.set(this.vehicle.posNed);
        path.next.set(this.tripletNext);
        return;
      case PREVIOUS_AHEAD:
        path.next.set(this.tripletTarget);
        path.target.set(this.tripletPrev);
        path.prev.set(this.vehicle.posNed);
        return;
      case OFF_TRACK:
        path.next.set(this.tripletTarget);
        path.target.set(this.closest);
        path.prev.set(this.vehicle.posNed);
        return;
      default:
        path.target.set(this.tripletTarget);
        path.prev.set(this.tripletPrev);
        path.next.set(this.tripletNext);
    }
  }

  /** Heading without a commanded yaw; inside the acceptance radius the smoothed setpoint simply stays. */
  private headByMode(): void {
    const m = this.m;
    const p = this.vehicle.posNed;
    m[YAW_RATE] = NaN;
    let north = 0;
    let east = 0;
    switch (this.p.yawMode) {
      case YAW_TO_HOME:
        north = this.homeNed[0] - p[0];
        east = this.homeNed[1] - p[1];
        break;
      case YAW_FROM_HOME:
        north = p[0] - this.homeNed[0];
        east = p[1] - this.homeNed[1];
        break;
      case YAW_ALONG:
        m[YAW_LOCK] = 0;
        m[YAW] = NaN;
        return;
      case YAW_FIXED:
        break;
      default:
        north = this.path.target[0] - p[0];
        east = this.path.target[1] - p[1];
    }
    if (north * north + east * east > m[RADIUS] * m[RADIUS]) {
      const direction = directionOf(north, east);
      if (!Number.isNaN(direction)) {
        m[YAW] = direction;
        m[YAW_LOCK] = 1;
      }
    }
    if (m[YAW_LOCK] === 0) {
      m[YAW] = this.vehicle.headingRad[0];
      m[YAW_LOCK] = 1;
    }
  }

  private headAlongTrajectory(): void {
    const m = this.m;
    const p = this.vehicle.posNed;
    const vn = this.axes.vel[0];
    const ve = this.axes.vel[1];
    const n = this.path.target[0] - p[0];
    const e = this.path.target[1] - p[1];
    if (vn * vn + ve * ve > 0.01 && n * n + e * e > 4) m[YAW] = directionOf(vn, ve);
    else m[YAW] = m[YAW_BEFORE];
  }

  /** Sink rate by height over home; heading locked where the landing began. */
  private prepareLanding(): void {
    const m = this.m;
    const p = this.p;
    const height = this.homeNed[2] - this.vehicle.posNed[2];
    let sink = p.speedMaxDown;
    if (height <= p.landAlt2) sink = p.landSpeed;
    else if (height <= p.landAlt1) {
      const share = (height - p.landAlt2) / (p.landAlt1 - p.landAlt2);
      sink = p.landSpeed + share * (p.speedMaxDown - p.landSpeed);
    }
    if (m[TYPE_BEFORE] !== TYPE_LAND) m[LAND_YAW] = m[YAW];
    m[YAW] = m[LAND_YAW];
    this.path.velocity[2] = sink;
  }

  /** A trajectory much faster than its limits is stopped first. */
  private checkBraking(): void {
    const m = this.m;
    const v = this.axes.vel;
    const xy2 = v[0] * v[0] + v[1] * v[1];
    if (m[BRAKING] === 0) {
      const limit = 1.3 * this.p.speedMaxXy;
      if (v[2] > 1.3 * this.p.speedMaxDown || v[2] < -1.3 * this.p.speedMaxUp || xy2 > limit * limit) m[BRAKING] = 1;
    } else if (v[2] < 0.01 && v[2] > -0.01 && !(xy2 > 0.0001)) {
      m[BRAKING] = 0;
    }
  }

  private setLimits(): void {
    const { m, p, axes } = this;
    const limits = this.path.limits;
    limits[0] = m[RADIUS];
    limits[1] = p.altRadius;
    limits[2] = m[CRUISE];
    limits[3] = p.cornerGain;
    axes.maxVel[0] = axes.maxVel[1] = p.speedMaxXy;
    axes.maxAcc[0] = axes.maxAcc[1] = p.accXy;
    axes.maxJerk.fill(p.jerk);
    let up = p.speedMaxUp;
    let down = p.speedMaxDown;
    if (m[BRAKING] === 1) {
      axes.maxAcc.fill(G);
      axes.maxJerk.fill(G);
      up = Math.max(up, Math.abs(axes.vel[2]));
      down = Math.max(down, Math.abs(axes.vel[2]));
    } else if (m[TARGET_VZ] < 0) {
      axes.maxVel[2] = p.autoUp;
      axes.maxAcc[2] = p.accUp;
      if (m[TYPE] === TYPE_TAKEOFF && this.homeNed[2] - this.vehicle.posNed[2] < p.landAlt1) {
        axes.maxVel[2] = p.takeoffSpeed;
        axes.maxAcc[2] = Math.min(p.accUp, p.takeoffAcc);
        // The ramp starts sinking: without this the setpoint would sink into the ground.
        axes.pos[2] = this.vehicle.posNed[2];
      }
    } else {
      axes.maxVel[2] = p.autoDown;
      axes.maxAcc[2] = p.accDown;
    }
    // Room for the position controller's own corrections.
    m[SPEED_UP] = Math.max(up, 1.2 * p.autoUp);
    m[SPEED_DOWN] = Math.max(down, 1.2 * p.autoDown);
  }

  private makeVelocityTarget(): void {
    const m = this.m;
    const v = this.path.velocity;
    if (m[BRAKING] === 1 || (this.p.yawMode === YAW_FIRST && m[ALIGNED] === 0)) v.fill(0);
    else this.path.update(this.axes);
    m[TARGET_VZ] = v[2];
    m[WANT_TAKEOFF] = v[2] < TAKEOFF_CLIMB ? 1 : 0;
  }

  /** Along the old plan, slower where the vehicle lags; then a new plan. */
  private step(): void {
    const axes = this.axes;
    const p = this.vehicle.posNed;
    const n = axes.pos[0] - p[0];
    const e = axes.pos[1] - p[1];
    let stretch = 1;
    if (this.p.lagMax > TINY && n * axes.vel[0] + e * axes.vel[1] >= 0) {
      stretch = 1 - Math.min(Math.sqrt(n * n + e * e) / this.p.lagMax, 1);
    }
    axes.stepS.fill(this.m[STEP_S] * stretch);
    axes.targetVel.set(this.path.velocity);
    axes.advance(0);
    axes.advance(1);
    axes.advance(2);
    this.setpoint.posNed.set(axes.pos);
    this.setpoint.velNed.set(axes.vel);
    this.setpoint.accNed.set(axes.acc);
    axes.plan(0);
    axes.plan(1);
    axes.plan(2);
    axes.synchronise();
  }

  private smoothYaw(): void {
    const m = this.m;
    if (Number.isNaN(m[YAW])) {
      this.heading.reset(this.vehicle.headingRad[0], 0);
      m[ALIGNED] = 1;
    } else {
      const raw = m[YAW];
      this.heading.targetRad[0] = raw;
      this.heading.stepS[0] = m[STEP_S];
      this.heading.update();
      m[YAW] = this.heading.yawRad;
      m[YAW_RATE] = this.heading.rateRadps;
      m[ALIGNED] = Math.abs(wrapPi(raw - m[YAW])) < this.p.yawTolerance ? 1 : 0;
    }
    m[YAW_BEFORE] = m[YAW];
    if (Math.abs(m[YAW_RATE]) >= this.p.yawRateMax) m[ALIGNED] = 0;
  }

  private publish(): void {
    this.setpoint.yaw[0] = this.m[YAW];
    this.setpoint.yaw[1] = this.m[YAW_RATE];
  }
}

/** The parameters of the trajectory generator, in SI units. */
class TaskParameters {
  cruise = 5;
  speedMaxXy = 12;
  speedMaxUp = 3;
  speedMaxDown = 1.5;
  autoUp = 3;
  autoDown = 1.5;
  accXy = 3;
  accUp = 4;
  accDown = 3;
  jerk = 4;
  cornerGain = 0.5;
  lagMax = 2;
  altRadius = 0.8;
  takeoffSpeed = 1.5;
  takeoffAcc = 0.5;
  landAlt1 = 10;
  landAlt2 = 5;
  landSpeed = 0.7;
  yawMode = 0;
  yawRateMax = 1;
  yawAccMax = 1;
  yawTolerance = 0.2;

  read(p: Parameters): void {
    this.cruise = p.get("MPC_XY_CRUISE");
    this.speedMaxXy = p.get("MPC_XY_VEL_MAX");
    this.speedMaxUp = p.get("MPC_Z_VEL_MAX_UP");
    this.speedMaxDown = p.get("MPC_Z_VEL_MAX_DN");
    this.autoUp = p.get("MPC_Z_V_AUTO_UP");
    this.autoDown = p.get("MPC_Z_V_AUTO_DN");
    this.accXy = p.get("MPC_ACC_HOR");
    this.accUp = p.get("MPC_ACC_UP_MAX");
    this.accDown = p.get("MPC_ACC_DOWN_MAX");
    this.jerk = p.get("MPC_JERK_AUTO");
    this.cornerGain = p.get("MPC_XY_TRAJ_P");
    this.lagMax = p.get("MPC_XY_ERR_MAX");
    this.altRadius = p.get("NAV_MC_ALT_RAD");
    this.takeoffSpeed = p.get("MPC_TKO_SPEED");
    const ramp = p.get("MPC_TKO_RAMP_T");
    this.takeoffAcc = ramp > 0 ? this.takeoffSpeed / ramp : this.accUp;
    this.landAlt1 = p.get("MPC_LAND_ALT1");
    this.landAlt2 = p.get("MPC_LAND_ALT2");
    this.landSpeed = p.get("MPC_LAND_SPEED");
    this.yawMode = p.get("MPC_YAW_MODE");
    this.yawRateMax = p.get("MPC_YAWRAUTO_MAX") * DEG;
    this.yawAccMax = p.get("MPC_YAWRAUTO_ACC") * DEG;
    this.yawTolerance = p.get("MIS_YAW_ERR") * DEG;
  }
}
