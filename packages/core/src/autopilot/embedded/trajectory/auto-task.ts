/**
 * The trajectory generator of all automatic modes: turns the navigator's triplet into a smooth setpoint of position,
 * velocity, acceleration and heading.
 *
 * It follows waypoints with its own state, not the vehicle's, and slows down if the vehicle lags (time stretch). The
 * velocity target depends on the state before this tick's step; vertical limits depend on the sign of the previous
 * tick's velocity target. While the vehicle is on the ground, it restarts at every tick.
 */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../../snapshot/index.ts";
import { directionInPlace, Heading, wrapPi } from "../heading.ts";
import { loadMemory, saveMemory } from "../memory.ts";
import type { Parameters } from "../parameters.ts";
import type { Vehicle } from "../vehicle.ts";
import { TAKEOFF } from "../takeoff.ts";
import { TYPE_IDLE, TYPE_LAND, TYPE_LOITER, TYPE_TAKEOFF, type Triplet } from "../navigator/triplet.ts";
import { JerkAxes } from "./jerk-axes.ts";
import { LegTracker } from "./leg-tracker.ts";
import { Path } from "./path.ts";
import { TrajectorySetpoint } from "./setpoint.ts";
import { TaskParameters } from "./task-parameters.ts";

const G = 9.80665;
/** PX4's float32 epsilon. */
const TINY = 1.1920928955078125e-7;
/** Initial sink rate of a trajectory that starts on the ground (m/s). */
const GROUND_SINK = 0.7;
/** A climb-rate target above this requests take-off (m/s). */
const TAKEOFF_CLIMB = -0.3;

// Memory cells
const TYPE = 0;
const TYPE_BEFORE = 1;
const YAW = 2;
const YAW_RATE = 3;
const YAW_LOCK = 4;
const YAW_BEFORE = 5;
const LAND_YAW = 6;
const BRAKING = 7;
const CRUISE = 8;
const ALIGNED = 9;
const OVERRIDE_US = 10;
const TARGET_VZ = 11;
const ACTIVE = 12;
const SPEED_UP = 13;
const SPEED_DOWN = 14;
const WANT_TAKEOFF = 15;
const FRESH = 16;
const STEP_S = 17;
const CELLS = 18;

const YAW_TO_HOME = 1;
const YAW_FROM_HOME = 2;
const YAW_ALONG = 3;
const YAW_FIRST = 4;
const YAW_FIXED = 5;

export class AutoTask implements Saveable {
  readonly setpoint = new TrajectorySetpoint();
  private readonly vehicle: Vehicle;
  private readonly homeNed: Float64Array;
  private readonly axes = new JerkAxes(3);
  private readonly path = new Path();
  private readonly heading = new Heading();
  private readonly m = new Float64Array(CELLS);
  private readonly leg: LegTracker;
  private readonly dtS: number;
  private readonly p = new TaskParameters();
  /** Scratch: a horizontal vector whose direction is computed. */
  private readonly way = new Float64Array(2);

  constructor(vehicle: Vehicle, homeNed: Float64Array, dtS: number) {
    this.vehicle = vehicle;
    this.homeNed = homeNed;
    this.dtS = dtS;
    this.leg = new LegTracker(vehicle, this.path);
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

  /** Sets the cruise speed by command. It stays in force until a later setpoint has its own. */
  overrideCruise(speedMps: number, nowUs: number): void {
    this.m[CRUISE] = speedMps;
    this.m[OVERRIDE_US] = nowUs;
  }

  deactivate(): void {
    this.m[ACTIVE] = 0;
    this.setpoint.clear();
  }

  /** Resets everything when an automatic mode is entered from another mode. */
  activate(): void {
    const m = this.m;
    m.fill(0);
    m[TYPE] = m[TYPE_BEFORE] = TYPE_IDLE;
    m[CRUISE] = NaN;
    m[LAND_YAW] = NaN;
    m[ACTIVE] = 1;
    m[FRESH] = 1;
    this.leg.forget();
    this.axes.forget();
    this.path.forget();
    this.axes.pos.set(this.vehicle.posNed);
    this.axes.vel.set(this.vehicle.velNed);
    this.startOver();
  }

  update(triplet: Triplet, takeoffState: number): void {
    const m = this.m;
    // A task that was just activated has no elapsed time yet.
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
    if (takeoffState < TAKEOFF["ramp-up"]) this.restartOnGround();
  }

  save(writer: SnapshotWriter): void {
    this.setpoint.save(writer);
    this.axes.save(writer);
    this.path.save(writer);
    this.heading.save(writer);
    saveMemory(writer, this.m);
    this.leg.save(writer);
  }

  load(reader: SnapshotReader): void {
    this.setpoint.load(reader);
    this.axes.load(reader);
    this.path.load(reader);
    this.heading.load(reader);
    loadMemory(reader, this.m);
    this.leg.load(reader);
  }

  /** The part of the activation that also runs at every tick on the ground. */
  private startOver(): void {
    const m = this.m;
    m[YAW] = this.vehicle.headingRad;
    m[YAW_RATE] = 0;
    m[YAW_BEFORE] = NaN;
    m[BRAKING] = 0;
    m[OVERRIDE_US] = 0;
    this.axes.acc.fill(0);
    this.axes.jerk.fill(0);
    this.heading.reset(this.vehicle.headingRad, 0);
  }

  private restartOnGround(): void {
    this.startOver();
    this.axes.vel[0] = 0;
    this.axes.vel[1] = 0;
    this.axes.vel[2] = GROUND_SINK;
    this.axes.pos.set(this.vehicle.posNed);
  }

  private readTriplet(triplet: Triplet): void {
    const { m, leg } = this;
    const current = triplet.current;
    m[YAW_RATE] = NaN;
    if (current.valid && current.stampUs > m[OVERRIDE_US]) m[CRUISE] = current.cruiseMps;
    if (!(m[CRUISE] >= TINY)) m[CRUISE] = this.p.cruise;
    m[CRUISE] = Math.min(m[CRUISE], this.p.speedMaxXy);
    if (!current.valid) {
      m[TYPE] = TYPE_LOITER;
      m[YAW] = this.vehicle.headingRad;
      leg.stayHere(current.radiusM);
      return;
    }
    m[TYPE] = current.type;
    leg.follow(triplet);
    if (Number.isNaN(current.yawRad)) this.headByMode();
    else m[YAW] = current.yawRad;
  }

  /** Heading if no yaw is commanded. Inside the acceptance radius the smoothed setpoint does not change. */
  private headByMode(): void {
    const { m, way } = this;
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
    const radius = this.leg.radiusM;
    if (north * north + east * east > radius * radius) {
      way[0] = north;
      way[1] = east;
      directionInPlace(way);
      if (!Number.isNaN(way[0])) {
        m[YAW] = way[0]!;
        m[YAW_LOCK] = 1;
      }
    }
    if (m[YAW_LOCK] === 0) {
      m[YAW] = this.vehicle.headingRad;
      m[YAW_LOCK] = 1;
    }
  }

  private headAlongTrajectory(): void {
    const { m, way } = this;
    const p = this.vehicle.posNed;
    const vn = this.axes.vel[0];
    const ve = this.axes.vel[1];
    const n = this.path.target[0] - p[0];
    const e = this.path.target[1] - p[1];
    if (!(vn * vn + ve * ve > 0.01 && n * n + e * e > 4)) {
      m[YAW] = m[YAW_BEFORE];
      return;
    }
    way[0] = vn;
    way[1] = ve;
    directionInPlace(way);
    m[YAW] = way[0]!;
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
    if (m[TYPE_BEFORE] !== TYPE_LAND) m[LAND_YAW] = m[YAW];
    m[YAW] = m[LAND_YAW];
    this.path.velocity[2] = sink;
  }

  /** Stops a trajectory that is much faster than its limits. */
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
    limits[0] = this.leg.radiusM;
    limits[1] = p.altRadius;
    limits[2] = m[CRUISE];
    limits[3] = p.cornerGain;
    axes.maxVel[0] = axes.maxVel[1] = p.speedMaxXy;
    axes.maxAcc[0] = axes.maxAcc[1] = p.accXy;
    axes.maxJerk[0] = axes.maxJerk[1] = axes.maxJerk[2] = p.jerk;
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
        // The ramp starts with a sink rate: do not let the setpoint go below the ground.
        axes.pos[2] = this.vehicle.posNed[2];
      }
    } else {
      axes.maxVel[2] = p.autoDown;
      axes.maxAcc[2] = p.accDown;
    }
    // Margin for the corrections of the position controller.
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

  /** Advances along the old plan, more slowly if the vehicle lags, then makes a new plan. */
  private step(): void {
    const axes = this.axes;
    const p = this.vehicle.posNed;
    const n = axes.pos[0] - p[0];
    const e = axes.pos[1] - p[1];
    let stretch = 1;
    if (this.p.lagMax > TINY && n * axes.vel[0] + e * axes.vel[1] >= 0) {
      stretch = 1 - Math.min(Math.sqrt(n * n + e * e) / this.p.lagMax, 1);
    }
    const { posNed, velNed, accNed } = this.setpoint;
    const { velocity } = this.path;
    const stepS = this.m[STEP_S] * stretch;
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
    if (Number.isNaN(m[YAW])) {
      this.heading.reset(this.vehicle.headingRad, 0);
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
