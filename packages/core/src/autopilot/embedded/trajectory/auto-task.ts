/**
 * The trajectory generator of all automatic modes: turns the navigator's triplet into a smooth setpoint of position,
 * velocity, acceleration and heading.
 *
 * It follows waypoints with its own state, not the vehicle's, and slows down if the vehicle lags (time stretch). The
 * velocity target depends on the state before this tick's step; vertical limits depend on the sign of the previous
 * tick's velocity target. While the vehicle is on the ground, the generator restarts at every tick.
 */
import { PartWithMemory } from "../../../snapshot/index.ts";
import { G, TINY } from "../constants.ts";
import { directionInPlace, Heading, wrapPi } from "../heading.ts";
import type { Parameters } from "../parameters.ts";
import type { Vehicle } from "../vehicle.ts";
import { TAKEOFF } from "../takeoff.ts";
import { TYPE_IDLE, TYPE_LAND, TYPE_LOITER, TYPE_TAKEOFF, type Triplet } from "../navigator/triplet.ts";
import { JerkAxes } from "./jerk-axes.ts";
import { LegTracker } from "./leg-tracker.ts";
import { Path } from "./path.ts";
import { TrajectorySetpoint } from "./setpoint.ts";
import { taskParameters } from "./task-parameters.ts";

/** Initial sink rate of a trajectory that starts on the ground (m/s). */
const GROUND_SINK = 0.7;
/** A downward velocity target below this requests take-off (m/s). */
const TAKEOFF_VELOCITY_D = -0.3;

/** A class, because V8 allocates at every write of a fraction to a copy of an object made by `{ ...object }`. */
class TaskMemory {
  type = 0;
  typeBefore = 0;
  yaw = 0;
  yawRate = 0;
  hasYawLock = false;
  yawBefore = 0;
  landYaw = 0;
  isBraking = false;
  cruise = 0;
  isAligned = false;
  overrideUs = 0;
  targetVz = 0;
  isActive = false;
  speedUp = 0;
  speedDown = 0;
  requestsTakeoff = false;
  /** True if the task was activated since the last tick. */
  wasJustActivated = false;
  stepS = 0;
}

const YAW_TO_HOME = 1;
const YAW_FROM_HOME = 2;
const YAW_ALONG_TRAJECTORY = 3;
const YAW_BEFORE_MOVING = 4;
const YAW_FIXED = 5;

export class AutoTask extends PartWithMemory {
  readonly setpoint = new TrajectorySetpoint();
  private readonly vehicle: Vehicle;
  private readonly homeNed: Float64Array;
  private readonly axes = new JerkAxes(3);
  private readonly path = new Path();
  private readonly heading = new Heading();
  private readonly m = new TaskMemory();
  private readonly leg: LegTracker;
  private readonly dtS: number;
  protected readonly memory;
  private p!: ReturnType<typeof taskParameters>;
  /** Scratch: a horizontal vector whose direction is computed. */
  private readonly direction = new Float64Array(2);

  constructor(vehicle: Vehicle, homeNed: Float64Array, dtS: number) {
    super();
    this.vehicle = vehicle;
    this.homeNed = homeNed;
    this.dtS = dtS;
    this.leg = new LegTracker(vehicle, this.path);
    this.memory = [this.setpoint, this.axes, this.path, this.heading, this.m, this.leg];
  }

  configure(parameters: Parameters): void {
    this.p = taskParameters(parameters);
    this.heading.configure(this.p.yawRateMax, this.p.yawAccMax);
  }

  get active(): boolean {
    return this.m.isActive;
  }

  get requestsTakeoff(): boolean {
    return this.m.requestsTakeoff;
  }

  /** Limits for the velocity controller (m/s, both positive). */
  get speedUp(): number {
    return this.m.speedUp;
  }

  get speedDown(): number {
    return this.m.speedDown;
  }

  /** Sets the cruise speed by command. A setpoint that is newer than the command replaces it. */
  overrideCruise(speedMps: number, nowUs: number): void {
    this.m.cruise = speedMps;
    this.m.overrideUs = nowUs;
  }

  deactivate(): void {
    this.m.isActive = false;
    this.setpoint.clear();
  }

  /** Resets everything when an automatic mode is entered from another mode. */
  activate(): void {
    const started = { type: TYPE_IDLE, typeBefore: TYPE_IDLE, cruise: NaN, landYaw: NaN };
    Object.assign(this.m, new TaskMemory(), started, { isActive: true, wasJustActivated: true });
    this.leg.reset();
    this.axes.reset();
    this.path.reset();
    this.axes.pos.set(this.vehicle.posNed);
    this.axes.vel.set(this.vehicle.velNed);
    this.resetMotion();
  }

  update(triplet: Triplet, takeoffState: number): void {
    const m = this.m;
    // A task that was just activated has no elapsed time yet.
    m.stepS = m.wasJustActivated ? 0 : this.dtS;
    m.wasJustActivated = false;
    this.readTriplet(triplet);

    const landing = m.type === TYPE_LAND;
    this.path.freeVertical = landing;
    if (landing) this.prepareLanding();
    this.checkBraking();
    this.setLimits();
    this.makeVelocityTarget();
    this.step();
    if (Number.isNaN(m.yaw) && Number.isNaN(m.yawRate)) this.setYawAlongTrajectory();
    m.typeBefore = m.type;
    this.smoothYaw();
    this.publish();
    if (takeoffState < TAKEOFF["ramp-up"]) this.restartOnGround();
  }

  /** Runs the part of the activation that also runs at every tick on the ground. */
  private resetMotion(): void {
    const m = this.m;
    m.yaw = this.vehicle.headingRad;
    m.yawRate = 0;
    m.yawBefore = NaN;
    m.isBraking = false;
    m.overrideUs = 0;
    this.axes.acc.fill(0);
    this.axes.jerk.fill(0);
    this.heading.reset(this.vehicle.headingRad, 0);
  }

  private restartOnGround(): void {
    this.resetMotion();
    this.axes.vel[0] = 0;
    this.axes.vel[1] = 0;
    this.axes.vel[2] = GROUND_SINK;
    this.axes.pos.set(this.vehicle.posNed);
  }

  private readTriplet(triplet: Triplet): void {
    const { m, leg } = this;
    const current = triplet.current;
    m.yawRate = NaN;
    if (current.valid && current.stampUs > m.overrideUs) m.cruise = current.cruiseMps;
    if (!(m.cruise >= TINY)) m.cruise = this.p.cruise;
    m.cruise = Math.min(m.cruise, this.p.speedMaxXy);
    if (!current.valid) {
      m.type = TYPE_LOITER;
      m.yaw = this.vehicle.headingRad;
      leg.stayHere(current.radiusM);
      return;
    }
    m.type = current.type;
    leg.follow(triplet);
    if (Number.isNaN(current.yawRad)) this.setYawByMode();
    else m.yaw = current.yawRad;
  }

  /** Sets the heading if no yaw is commanded. Inside the acceptance radius, the smoothed setpoint does not change. */
  private setYawByMode(): void {
    const { m, direction } = this;
    const p = this.vehicle.posNed;
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
      case YAW_ALONG_TRAJECTORY:
        m.hasYawLock = false;
        m.yaw = NaN;
        return;
      case YAW_FIXED:
        break;
      default:
        north = this.path.target[0] - p[0];
        east = this.path.target[1] - p[1];
    }
    const radius = this.leg.radiusM;
    if (north * north + east * east > radius * radius) {
      direction[0] = north;
      direction[1] = east;
      directionInPlace(direction);
      if (!Number.isNaN(direction[0])) {
        m.yaw = direction[0]!;
        m.hasYawLock = true;
      }
    }
    if (!m.hasYawLock) {
      m.yaw = this.vehicle.headingRad;
      m.hasYawLock = true;
    }
  }

  private setYawAlongTrajectory(): void {
    const { m, direction } = this;
    const p = this.vehicle.posNed;
    const vn = this.axes.vel[0];
    const ve = this.axes.vel[1];
    const n = this.path.target[0] - p[0];
    const e = this.path.target[1] - p[1];
    if (!(vn * vn + ve * ve > 0.01 && n * n + e * e > 4)) {
      m.yaw = m.yawBefore;
      return;
    }
    direction[0] = vn;
    direction[1] = ve;
    directionInPlace(direction);
    m.yaw = direction[0]!;
  }

  /** Sets the sink rate by height above home, and locks the heading at the start of the landing. */
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
    if (m.typeBefore !== TYPE_LAND) m.landYaw = m.yaw;
    m.yaw = m.landYaw;
    this.path.velocity[2] = sink;
  }

  /** Stops a trajectory that is much faster than its limits. */
  private checkBraking(): void {
    const m = this.m;
    const v = this.axes.vel;
    const xy2 = v[0] * v[0] + v[1] * v[1];
    if (!m.isBraking) {
      const limit = 1.3 * this.p.speedMaxXy;
      if (v[2] > 1.3 * this.p.speedMaxDown || v[2] < -1.3 * this.p.speedMaxUp || xy2 > limit * limit)
        m.isBraking = true;
    } else if (v[2] < 0.01 && v[2] > -0.01 && !(xy2 > 0.0001)) {
      m.isBraking = false;
    }
  }

  private setLimits(): void {
    const { m, p, axes } = this;
    const limits = this.path.limits;
    limits[0] = this.leg.radiusM;
    limits[1] = p.altRadius;
    limits[2] = m.cruise;
    limits[3] = p.cornerGain;
    axes.maxVel[0] = axes.maxVel[1] = p.speedMaxXy;
    axes.maxAcc[0] = axes.maxAcc[1] = p.accXy;
    axes.maxJerk[0] = axes.maxJerk[1] = axes.maxJerk[2] = p.jerk;
    let up = p.speedMaxUp;
    let down = p.speedMaxDown;
    if (m.isBraking) {
      axes.maxAcc.fill(G);
      axes.maxJerk.fill(G);
      up = Math.max(up, Math.abs(axes.vel[2]));
      down = Math.max(down, Math.abs(axes.vel[2]));
    } else if (m.targetVz < 0) {
      axes.maxVel[2] = p.autoUp;
      axes.maxAcc[2] = p.accUp;
      if (m.type === TYPE_TAKEOFF && this.homeNed[2] - this.vehicle.posNed[2] < p.landAlt1) {
        axes.maxVel[2] = p.takeoffSpeed;
        axes.maxAcc[2] = Math.min(p.accUp, p.takeoffAcc);
        // Do not let the setpoint go below the ground, because the ramp starts with a sink rate.
        axes.pos[2] = this.vehicle.posNed[2];
      }
    } else {
      axes.maxVel[2] = p.autoDown;
      axes.maxAcc[2] = p.accDown;
    }
    // Leave a margin for the corrections of the position controller.
    m.speedUp = Math.max(up, 1.2 * p.autoUp);
    m.speedDown = Math.max(down, 1.2 * p.autoDown);
  }

  private makeVelocityTarget(): void {
    const m = this.m;
    const v = this.path.velocity;
    if (m.isBraking || (this.p.yawMode === YAW_BEFORE_MOVING && !m.isAligned)) v.fill(0);
    else this.path.update(this.axes);
    m.targetVz = v[2];
    m.requestsTakeoff = v[2] < TAKEOFF_VELOCITY_D;
  }

  /** Advances along the old plan, more slowly if the vehicle lags, then makes a new plan. */
  private step(): void {
    const axes = this.axes;
    const p = this.vehicle.posNed;
    const n = axes.pos[0] - p[0];
    const e = axes.pos[1] - p[1];
    let stretch = 1;
    // Use single precision, so that a setpoint whose speed has decayed to, say, 1e-160 m/s is at rest.
    const ahead = Math.fround(n * axes.vel[0] + e * axes.vel[1]);
    if (this.p.lagMax > TINY && ahead >= 0) {
      stretch = 1 - Math.min(Math.sqrt(n * n + e * e) / this.p.lagMax, 1);
    }
    const { posNed, velNed, accNed } = this.setpoint;
    const { velocity } = this.path;
    const stepS = this.m.stepS * stretch;
    for (let i = 0; i < 3; i += 1) {
      axes.stepS[i] = stepS;
      axes.advance(i);
      posNed[i] = axes.pos[i];
      velNed[i] = axes.vel[i];
      accNed[i] = axes.acc[i];
      axes.targetVel[i] = velocity[i];
      axes.plan(i);
    }
    axes.synchronise();
  }

  private smoothYaw(): void {
    const m = this.m;
    if (Number.isNaN(m.yaw)) {
      this.heading.reset(this.vehicle.headingRad, 0);
      m.isAligned = true;
    } else {
      const raw = m.yaw;
      this.heading.targetRad[0] = raw;
      this.heading.stepS[0] = m.stepS;
      this.heading.update();
      m.yaw = this.heading.yawRad;
      m.yawRate = this.heading.rateRadps;
      m.isAligned = Math.abs(wrapPi(raw - m.yaw)) < this.p.yawTolerance;
    }
    m.yawBefore = m.yaw;
    if (Math.abs(m.yawRate) >= this.p.yawRateMax) m.isAligned = false;
  }

  private publish(): void {
    this.setpoint.yaw[0] = this.m.yaw;
    this.setpoint.yaw[1] = this.m.yawRate;
  }
}
