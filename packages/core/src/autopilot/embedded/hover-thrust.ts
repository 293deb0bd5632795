/**
 * Hover-thrust estimator: a scalar Kalman filter for the collective thrust at hover.
 *
 * Model: upward acceleration a = g·T/h − g for thrust T and hover thrust h. Measurements that the model cannot explain
 * are rejected; if rejection lasts, the variance is raised. The measurement noise is estimated from the residuals.
 */
import type { Clock } from "../../time/index.ts";
import { type Memory, PartWithMemory } from "../../snapshot/index.ts";
import { G } from "./constants.ts";
import type { Parameters } from "./parameters.ts";
import type { Vehicle } from "./vehicle.ts";

/** Time constants of the residual filter and of noise learning (s). */
const FILTER_S = 1;
const LEARN_S = 2;
/** Variance below which the estimate is good, and the time for which it must stay good to be valid (µs). */
const MAX_GOOD_VARIANCE = 0.001;
const MIN_GOOD_US = 2e6;
/** Height above home from which the vehicle is clear of the ground (m). */
const MIN_AIR_HEIGHT = 1;

interface HoverThrustContext {
  readonly vehicle: Vehicle;
  readonly homeNed: Float64Array;
  /** Thrust setpoint along body z, negative is up: one cell. */
  readonly thrustZ: Float64Array;
  /** Unmet demand: roll, pitch, yaw, thrust z. */
  readonly unallocated: Float64Array;
}

function settingsOf(p: Parameters) {
  const start = p.get("MPC_THR_HOVER");
  const range = p.get("HTE_THR_RANGE");
  const spread = p.get("HTE_HT_ERR_INIT");
  const noise = p.get("HTE_HT_NOISE");
  const gate = p.get("HTE_ACC_GATE");
  return {
    start,
    min: Math.min(Math.max(start - range, 0), 0.8),
    max: Math.min(Math.max(start + range, 0.2), 0.9),
    startVariance: spread * spread,
    processVariance: noise * noise,
    gate2: gate * gate,
    slowZ: p.get("HTE_VZ_THR"),
    slowXy: p.get("HTE_VXY_THR"),
  };
}

/** PX4's estimator of the hover thrust. */
export class HoverThrust extends PartWithMemory {
  private readonly vehicle: Vehicle;
  private readonly dtS: number;
  private readonly m = {
    hover: 0,
    variance: 0,
    noise: 0,
    residual: 0,
    ratio: 0,
    isInAir: false,
    isValid: false,
    goodSinceUs: 0,
    /** 0 if the estimate is not good, 1 if it has just become good, 2 if it has been good since `goodSinceUs`. */
    pending: 0,
  };
  protected readonly memory: Memory = this.m;
  private p!: ReturnType<typeof settingsOf>;
  private readonly context: HoverThrustContext;

  constructor(context: HoverThrustContext, dtS: number) {
    super();
    this.vehicle = context.vehicle;
    this.context = context;
    this.dtS = dtS;
  }

  configure(parameters: Parameters): void {
    this.p = settingsOf(parameters);
    if (this.m.noise === 0) this.reset();
  }

  get hover(): number {
    return this.m.hover;
  }

  get valid(): boolean {
    return this.m.isValid;
  }

  update(clock: Clock, armed: boolean, landed: boolean): void {
    const m = this.m;
    const { homeNed } = this.context;
    if (landed) m.isInAir = false;
    else if (homeNed[2] - this.vehicle.posNed[2] > MIN_AIR_HEIGHT) m.isInAir = true;
    if (armed && m.isInAir) {
      this.fuse();
      this.updateValidity(clock);
      return;
    }
    m.pending = 0;
    m.isValid = false;
    if (!armed) this.reset();
  }

  private reset(): void {
    this.m.hover = Math.min(Math.max(this.p.start, 0.1), 0.9);
    this.m.variance = this.p.startVariance;
    this.m.noise = 5;
  }

  /** Processes one measurement of the upward acceleration, with the upward thrust T of the motors. */
  private fuse(): void {
    const m = this.m;
    const v = this.vehicle.velNed;
    const att = this.vehicle.qBodyToNed;
    const produced = this.context.thrustZ[0] - this.context.unallocated[3];
    const thrust = -(1 - 2 * (att[1] * att[1] + att[2] * att[2])) * produced;
    const dt = this.dtS;
    const q = this.p.processVariance * dt * dt;
    m.variance += q;

    const fastZ = Math.abs(v[2]) - this.p.slowZ + 1;
    const fastXy = Math.sqrt(v[0] * v[0] + v[1] * v[1]) - this.p.slowXy + 1;
    const noiseFactor = Math.max(1, fastZ, fastXy);
    const measured = -this.vehicle.accNed[2];
    const h = m.hover;
    const slope = (-G * thrust) / (h * h);
    const noise = m.noise * noiseFactor * noiseFactor;
    const spread = Math.max(slope * m.variance * slope + noise, noise);
    const innovation = measured - (G * thrust) / h + G;
    const ratio = (innovation * innovation) / (this.p.gate2 * spread);
    let residual = innovation;
    if (ratio < 1) {
      const gain = (m.variance * slope) / spread;
      m.hover = Math.min(Math.max(h + gain * innovation, this.p.min), this.p.max);
      m.variance = Math.min(Math.max((1 - gain * slope) * m.variance, 1e-10), 1);
      residual = measured - (G * thrust) / m.hover + G;
    } else if (Math.abs(m.ratio) > 0.2) {
      m.variance += 1000 * q;
    }
    const filter = dt / (FILTER_S + dt);
    const signed = innovation > 0 ? ratio : innovation < 0 ? -ratio : 0;
    m.residual += filter * (residual - m.residual);
    m.ratio += filter * (Math.min(Math.max(signed, -1), 1) - m.ratio);
    const learn = dt / (LEARN_S + dt);
    const free = residual - m.residual;
    const target = free * free + slope * m.variance * slope;
    m.noise = Math.min(Math.max(m.noise + learn * (target - m.noise), 1), 400);
    // Only an accepted measurement can make the estimate good.
    const good = m.variance < MAX_GOOD_VARIANCE && (m.isValid || ratio < 1);
    m.pending = good ? Math.max(m.pending, 1) : 0;
  }

  /**
   * Updates the validity: the estimate is valid once it has been good for two seconds, and invalid when it is not good.
   */
  private updateValidity(clock: Clock): void {
    const m = this.m;
    if (m.pending === 0) {
      m.isValid = false;
      return;
    }
    if (m.pending === 1) {
      m.goodSinceUs = clock.us;
      m.pending = 2;
    }
    if (clock.us >= m.goodSinceUs + MIN_GOOD_US) m.isValid = true;
  }
}
