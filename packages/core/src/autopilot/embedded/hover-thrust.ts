/**
 * Hover-thrust estimator: a scalar Kalman filter for the collective thrust at hover.
 *
 * Model: upward acceleration a = g·T/h − g for thrust T and hover thrust h. Measurements that the model cannot explain
 * are rejected; if rejection lasts, the variance is raised. The measurement noise is estimated from the residuals.
 */
import type { Clock } from "../../time/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import type { Parameters } from "./parameters.ts";
import type { Vehicle } from "./vehicle.ts";

const G = 9.80665;
/** Time constants of the residual filter and of noise learning (s). */
const FILTER_S = 1;
const LEARN_S = 2;
/** Variance below which the estimate is good, and the time for which it must stay good to be valid (µs). */
const GOOD_VARIANCE = 0.001;
const GOOD_US = 2e6;
/** Height above home from which the vehicle counts as clear of the ground (m). */
const FREE_HEIGHT = 1;

// Memory cells
const HOVER = 0;
const VARIANCE = 1;
const NOISE = 2;
const RESIDUAL = 3;
const RATIO = 4;
const IN_AIR = 5;
const VALID = 6;
const GOOD_SINCE_US = 7;
const PENDING = 8;
const CELLS = 9;

interface HoverThrustSurroundings {
  readonly vehicle: Vehicle;
  readonly homeNed: Float64Array;
  /** Thrust setpoint along body z, negative is up: one cell. */
  readonly thrustZ: Float64Array;
  /** Unmet demand: roll, pitch, yaw, thrust z. */
  readonly unallocated: Float64Array;
}

/** PX4's estimator of the hover thrust. */
export class HoverThrust implements Saveable {
  private readonly vehicle: Vehicle;
  private readonly dtS: number;
  private readonly m = new Float64Array(CELLS);
  private start = 0.5;
  private startVariance = 0.01;
  private processVariance = 0;
  private gate2 = 9;
  private least = 0.3;
  private most = 0.7;
  private slowZ = 2;
  private slowXy = 10;

  private readonly around: HoverThrustSurroundings;

  constructor(around: HoverThrustSurroundings, dtS: number) {
    this.vehicle = around.vehicle;
    this.around = around;
    this.dtS = dtS;
  }

  configure(p: Parameters): void {
    this.start = p.get("MPC_THR_HOVER");
    const range = p.get("HTE_THR_RANGE");
    this.least = Math.min(Math.max(this.start - range, 0), 0.8);
    this.most = Math.min(Math.max(this.start + range, 0.2), 0.9);
    const spread = p.get("HTE_HT_ERR_INIT");
    this.startVariance = spread * spread;
    const noise = p.get("HTE_HT_NOISE");
    this.processVariance = noise * noise;
    const gate = p.get("HTE_ACC_GATE");
    this.gate2 = gate * gate;
    this.slowZ = p.get("HTE_VZ_THR");
    this.slowXy = p.get("HTE_VXY_THR");
    if (this.m[NOISE] === 0) this.reset();
  }

  get hover(): number {
    return this.m[HOVER];
  }

  get valid(): boolean {
    return this.m[VALID] === 1;
  }

  update(clock: Clock, armed: boolean, landed: boolean): void {
    const m = this.m;
    const { homeNed } = this.around;
    if (landed) m[IN_AIR] = 0;
    else if (homeNed[2] - this.vehicle.posNed[2] > FREE_HEIGHT) m[IN_AIR] = 1;
    if (armed && m[IN_AIR] === 1) {
      this.fuse();
      this.judge(clock);
      return;
    }
    m[PENDING] = 0;
    m[VALID] = 0;
    if (!armed) this.reset();
  }

  save(writer: SnapshotWriter): void {
    writer.numbers(this.m);
  }

  load(reader: SnapshotReader): void {
    reader.numbersInto(this.m);
  }

  private reset(): void {
    this.m[HOVER] = Math.min(Math.max(this.start, 0.1), 0.9);
    this.m[VARIANCE] = this.startVariance;
    this.m[NOISE] = 5;
  }

  /** Processes one measurement of the upward acceleration, with the upward thrust T of the motors. */
  private fuse(): void {
    const m = this.m;
    const v = this.vehicle.velNed;
    const att = this.vehicle.qBodyToNed;
    const given = this.around.thrustZ[0] - this.around.unallocated[3];
    const thrust = -(1 - 2 * (att[1] * att[1] + att[2] * att[2])) * given;
    const dt = this.dtS;
    const q = this.processVariance * dt * dt;
    m[VARIANCE] += q;

    const fastZ = Math.abs(v[2]) - this.slowZ + 1;
    const fastXy = Math.sqrt(v[0] * v[0] + v[1] * v[1]) - this.slowXy + 1;
    const distrust = Math.max(1, fastZ, fastXy);
    const measured = -this.vehicle.accNed[2];
    const h = m[HOVER];
    const slope = (-G * thrust) / (h * h);
    const noise = m[NOISE] * distrust * distrust;
    const spread = Math.max(slope * m[VARIANCE] * slope + noise, noise);
    const innovation = measured - (G * thrust) / h + G;
    const ratio = (innovation * innovation) / (this.gate2 * spread);
    let residual = innovation;
    if (ratio < 1) {
      const gain = (m[VARIANCE] * slope) / spread;
      m[HOVER] = Math.min(Math.max(h + gain * innovation, this.least), this.most);
      m[VARIANCE] = Math.min(Math.max((1 - gain * slope) * m[VARIANCE], 1e-10), 1);
      residual = measured - (G * thrust) / m[HOVER] + G;
    } else if (Math.abs(m[RATIO]) > 0.2) {
      m[VARIANCE] += 1000 * q;
    }
    const filter = dt / (FILTER_S + dt);
    const signed = innovation > 0 ? ratio : innovation < 0 ? -ratio : 0;
    m[RESIDUAL] += filter * (residual - m[RESIDUAL]);
    m[RATIO] += filter * (Math.min(Math.max(signed, -1), 1) - m[RATIO]);
    const learn = dt / (LEARN_S + dt);
    const free = residual - m[RESIDUAL];
    const target = free * free + slope * m[VARIANCE] * slope;
    m[NOISE] = Math.min(Math.max(m[NOISE] + learn * (target - m[NOISE]), 1), 400);
    // Only an accepted measurement can make the estimate good.
    const good = m[VARIANCE] < GOOD_VARIANCE && (m[VALID] === 1 || ratio < 1);
    m[PENDING] = good ? Math.max(m[PENDING], 1) : 0;
  }

  /** Valid once it has been good for two seconds; invalid as soon as it is not. */
  private judge(clock: Clock): void {
    const m = this.m;
    if (m[PENDING] === 0) {
      m[VALID] = 0;
      return;
    }
    if (m[PENDING] === 1) {
      m[GOOD_SINCE_US] = clock.us;
      m[PENDING] = 2;
    }
    if (clock.us >= m[GOOD_SINCE_US] + GOOD_US) m[VALID] = 1;
  }
}
