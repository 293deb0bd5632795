/**
 * Rate control: from body rate setpoints to normalised torques, with PID and feed-forward.
 *
 * The derivative acts on the measured angular acceleration. The integral is held on the ground, does not grow
 * further into a saturation that the allocation reported, and has a lower gain for large errors. Yaw torque is low-pass
 * filtered, because motors follow it slowly.
 */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import { Biquad, BIQUAD_CELLS, lowPassWeight, sampledLowPassWeight } from "./filters.ts";
import type { Parameters } from "./parameters.ts";
import type { Vehicle } from "./vehicle.ts";

/** Rate error at which the integral gain reaches zero: 400 °/s. */
const FADE = 6.981317007977318;

const AXES = ["ROLL", "PITCH", "YAW"] as const;
const LIMITS = ["MC_RR_INT_LIM", "MC_PR_INT_LIM", "MC_YR_INT_LIM"] as const;

// Memory cells
const INTEGRAL = 0;
const YAW_TORQUE = 3;
const RATE = 4;
const RATE_DOT = 7;
const CELLS_2ND = 10;
const STARTED = CELLS_2ND + 3 * BIQUAD_CELLS;
const CELLS = STARTED + 1;

// Values of `STARTED`: the filters never ran, are running, or restart from the current rates.
const RUNS = 1;
const ANEW = 2;

export class RateControl implements Saveable {
  private readonly vehicle: Vehicle;
  private readonly dtS: number;
  private readonly filtered: boolean;
  /** P, I, D, feed-forward and integral limit, each for roll, pitch, yaw. */
  private readonly k = new Float64Array(15);
  private yawWeight = 1;
  private dotWeight = 1;
  private readonly lowPass = new Biquad();
  private readonly m = new Float64Array(CELLS);
  /** +1 if an axis is saturated upwards, −1 if downwards, as reported by the allocation. */
  readonly saturation = new Float64Array(3);
  readonly torque = new Float64Array(3);

  /** If `filtered`, rates pass PX4's gyro filters first, and angular acceleration is the derivative of the result. */
  constructor(vehicle: Vehicle, dtS: number, filtered: boolean) {
    this.vehicle = vehicle;
    this.dtS = dtS;
    this.filtered = filtered;
  }

  configure(p: Parameters): void {
    AXES.forEach((axis, i) => {
      const gain = p.get(`MC_${axis}RATE_K`);
      this.k[i] = gain * p.get(`MC_${axis}RATE_P`);
      this.k[3 + i] = gain * p.get(`MC_${axis}RATE_I`);
      this.k[6 + i] = gain * p.get(`MC_${axis}RATE_D`);
      this.k[9 + i] = p.get(`MC_${axis}RATE_FF`);
      this.k[12 + i] = p.get(LIMITS[i]!);
    });
    this.yawWeight = lowPassWeight(p.get("MC_YAW_TQ_CUTOFF"), this.dtS);
    const isAnother = this.lowPass.setLowPass(p.get("IMU_GYRO_CUTOFF"), 1 / this.dtS);
    if (isAnother && this.m[STARTED] === RUNS) this.m[STARTED] = ANEW;
    this.dotWeight = sampledLowPassWeight(p.get("IMU_DGYRO_CUTOFF"), this.dtS);
  }

  resetIntegral(): void {
    this.m[INTEGRAL] = this.m[INTEGRAL + 1] = this.m[INTEGRAL + 2] = 0;
  }

  /** Updates the rates and angular accelerations that the controller uses. Call at every tick, armed or not. */
  observe(): void {
    const m = this.m;
    const { rateBody, rateDotBody } = this.vehicle;
    if (!this.filtered) {
      for (let i = 0; i < 3; i += 1) {
        m[RATE + i] = rateBody[i];
        m[RATE_DOT + i] = rateDotBody[i];
      }
      return;
    }
    if (m[STARTED] !== RUNS) {
      const isChange = m[STARTED] === ANEW;
      this.startFilters();
      // The step from the old filter's output is not a motion of the vehicle: keep the angular acceleration.
      if (isChange) return;
    }
    const perS = 1 / this.dtS;
    for (let i = 0; i < 3; i += 1) {
      const before = m[RATE + i];
      m[RATE + i] = rateBody[i];
      if (this.lowPass.on) this.lowPass.apply(m, RATE + i, m, CELLS_2ND + BIQUAD_CELLS * i);
      m[RATE_DOT + i] += this.dotWeight * ((m[RATE + i] - before) * perS - m[RATE_DOT + i]);
    }
  }

  update(rateSp: Float64Array, integrate: boolean): void {
    const { m, k, torque } = this;
    for (let i = 0; i < 3; i += 1) {
      const sp = rateSp[i];
      let error = sp - m[RATE + i];
      torque[i] = k[i] * error + m[INTEGRAL + i] - k[6 + i] * m[RATE_DOT + i] + k[9 + i] * sp;
      if (!integrate) continue;
      if (this.saturation[i] > 0) error = Math.min(error, 0);
      else if (this.saturation[i] < 0) error = Math.max(error, 0);
      const share = error / FADE;
      const factor = Math.max(0, 1 - share * share);
      const limit = k[12 + i];
      const integral = m[INTEGRAL + i] + factor * k[3 + i] * error * this.dtS;
      m[INTEGRAL + i] = integral < -limit ? -limit : integral > limit ? limit : integral;
    }
    m[YAW_TORQUE] += this.yawWeight * (torque[2] - m[YAW_TORQUE]);
    torque[2] = m[YAW_TORQUE];
  }

  /** Resets the filters as if the current rates had always been present. */
  private startFilters(): void {
    const m = this.m;
    m[STARTED] = RUNS;
    for (let i = 0; i < 3; i += 1) {
      m[RATE + i] = this.vehicle.rateBody[i];
      if (this.lowPass.on) this.lowPass.settle(m[RATE + i], m, CELLS_2ND + BIQUAD_CELLS * i);
    }
  }

  save(writer: SnapshotWriter): void {
    writer.numbers(this.m);
    writer.numbers(this.saturation);
    writer.numbers(this.torque);
  }

  load(reader: SnapshotReader): void {
    reader.numbersInto(this.m);
    reader.numbersInto(this.saturation);
    reader.numbersInto(this.torque);
  }
}
