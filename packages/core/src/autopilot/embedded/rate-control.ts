/**
 * Rate control: from body rate setpoints to normalised torques, with PID and feed-forward.
 *
 * The derivative acts on the measured angular acceleration. The integral is held on the ground, does not grow
 * further into a saturation that the allocation reported, and has a lower gain for large errors. Yaw torque is low-pass
 * filtered, because motors follow it slowly.
 */
import { PartWithMemory } from "../../snapshot/index.ts";
import { Biquad, lowPassWeight, sampledLowPassWeight } from "./filters.ts";
import type { Parameters } from "./parameters.ts";
import type { Vehicle } from "./vehicle.ts";

/** Rate error at which the integral gain reaches zero: 400 °/s. */
const MAX_INTEGRATED_ERROR = 6.981317007977318;

const AXES = ["ROLL", "PITCH", "YAW"] as const;
const LIMITS = ["MC_RR_INT_LIM", "MC_PR_INT_LIM", "MC_YR_INT_LIM"] as const;

export class RateControl extends PartWithMemory {
  private readonly vehicle: Vehicle;
  private readonly dtS: number;
  private readonly filtered: boolean;
  /** P, I, D, feed-forward and integral limit, each for roll, pitch, yaw. */
  private readonly k = new Float64Array(15);
  private yawWeight = 1;
  private dotWeight = 1;
  private readonly lowPass = new Biquad(3);
  private readonly integral = new Float64Array(3);
  private readonly yawTorque = new Float64Array(1);
  private readonly rate = new Float64Array(3);
  private readonly rateDot = new Float64Array(3);
  /** +1 if an axis is saturated upwards, −1 if downwards, as reported by the allocation. */
  readonly saturation = new Float64Array(3);
  readonly torque = new Float64Array(3);
  protected readonly memory = {
    integral: this.integral,
    yawTorque: this.yawTorque,
    rate: this.rate,
    rateDot: this.rateDot,
    lowPass: this.lowPass,
    saturation: this.saturation,
    torque: this.torque,
  };

  /**
   * If `filtered`, rates pass PX4's gyro filters first, and angular acceleration is the filtered derivative of the
   * result.
   */
  constructor(vehicle: Vehicle, dtS: number, filtered: boolean) {
    super();
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
    this.lowPass.setLowPass(p.get("IMU_GYRO_CUTOFF"), 1 / this.dtS);
    this.dotWeight = sampledLowPassWeight(p.get("IMU_DGYRO_CUTOFF"), this.dtS);
  }

  resetIntegral(): void {
    this.integral.fill(0);
  }

  /** Updates the rates and angular accelerations that the controller uses. Call at every tick, armed or not. */
  observe(): void {
    const { rate, rateDot, lowPass } = this;
    const { rateBody, rateDotBody } = this.vehicle;
    if (!this.filtered) {
      for (let i = 0; i < 3; i += 1) {
        rate[i] = rateBody[i];
        rateDot[i] = rateDotBody[i];
      }
      return;
    }
    if (!lowPass.isRunning) {
      rate.set(rateBody);
      // After a change of coefficients the output jumps. Skip the derivative at this tick, because that jump is not a
      // motion of the vehicle.
      if (lowPass.start(rateBody)) return;
    }
    const perS = 1 / this.dtS;
    for (let i = 0; i < 3; i += 1) {
      const before = rate[i];
      rate[i] = rateBody[i];
      if (lowPass.on) lowPass.apply(rate, i);
      rateDot[i] += this.dotWeight * ((rate[i] - before) * perS - rateDot[i]);
    }
  }

  update(rateSp: Float64Array, integrate: boolean): void {
    const { k, torque, rate, rateDot, integral, yawTorque } = this;
    for (let i = 0; i < 3; i += 1) {
      const sp = rateSp[i];
      let error = sp - rate[i];
      torque[i] = k[i] * error + integral[i] - k[6 + i] * rateDot[i] + k[9 + i] * sp;
      if (!integrate) continue;
      if (this.saturation[i] > 0) error = Math.min(error, 0);
      else if (this.saturation[i] < 0) error = Math.max(error, 0);
      const share = error / MAX_INTEGRATED_ERROR;
      const factor = Math.max(0, 1 - share * share);
      const limit = k[12 + i];
      const next = integral[i] + factor * k[3 + i] * error * this.dtS;
      integral[i] = next < -limit ? -limit : next > limit ? limit : next;
    }
    yawTorque[0] += this.yawWeight * (torque[2] - yawTorque[0]);
    torque[2] = yawTorque[0];
  }
}
