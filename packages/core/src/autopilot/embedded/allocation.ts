/**
 * Control allocation: from normalised torque and thrust to motor commands between 0 and 1.
 *
 * If a motor would leave its range, demands are reduced axis by axis: first thrust, then roll and pitch. Yaw has the
 * lowest priority and gets the remaining range. With airmode, thrust may also be raised. Unmet demand is reported, so
 * that the integrals of the rate controller do not wind up.
 */
import { MOTOR_CHANNELS } from "../../signals/table.ts";
import { PartWithMemory } from "../../snapshot/index.ts";
import { TINY } from "./constants.ts";
import { AXES, PITCH, ROLL, THRUST_Z, YAW, makeMixer, type Mixer } from "./effectiveness.ts";
import type { Parameters } from "./parameters.ts";

/** A motor with a smaller effect on an axis is not used to desaturate that axis. */
const MIN_AXIS_EFFECT = 0.2;
/** A yaw demand may raise motors above full command by this much before thrust is lowered to make room for it. */
const YAW_MARGIN = 0.15;

export class Allocation extends PartWithMemory {
  private n = 0;
  private readonly roll = new Float64Array(MOTOR_CHANNELS);
  private readonly pitch = new Float64Array(MOTOR_CHANNELS);
  private readonly yaw = new Float64Array(MOTOR_CHANNELS);
  private readonly thrust = new Float64Array(MOTOR_CHANNELS);
  /** Effect of each rotor on roll, pitch, yaw and thrust z, normalised. */
  private readonly effect = new Float64Array(4 * MOTOR_CHANNELS);
  /** Largest change per tick; 0 for no limit. */
  private readonly slew = new Float64Array(MOTOR_CHANNELS);
  private hasSlew = false;
  private airmode = 0;
  private thrustCurve = 0;
  private readonly tickS: number;
  /** Thrust of each motor, 0 to 1. The slew limits apply to this thrust. */
  readonly motors = new Float64Array(MOTOR_CHANNELS);
  private readonly before = new Float64Array(MOTOR_CHANNELS);
  private readonly upper = new Float64Array(1).fill(1);
  private readonly gain = new Float64Array(1);
  /** Unmet demand: roll, pitch, yaw, thrust z. */
  readonly unallocated = new Float64Array(4);
  protected readonly memory = { motors: this.motors, unallocated: this.unallocated };

  constructor(tickS: number) {
    super();
    this.tickS = tickS;
  }

  configure(p: Parameters): void {
    this.install(makeMixer(p));
    this.airmode = p.get("MC_AIRMODE");
    this.thrustCurve = p.get("THR_MDL_FAC");
    this.hasSlew = false;
    for (let i = 0; i < this.n; i += 1) {
      const time = p.get(`CA_R${i}_SLEW`);
      this.slew[i] = time > TINY ? this.tickS / time : 0;
      if (this.slew[i] > 0) this.hasSlew = true;
    }
  }

  private install(mixer: Mixer): void {
    // Parameters are doubles. Convert the bound of the loops below to an integer once, not in each iteration.
    this.n = mixer.rotors | 0;
    const rows = [ROLL, PITCH, YAW, THRUST_Z];
    for (let i = 0; i < this.n; i += 1) {
      this.roll[i] = mixer.mix[i * AXES + ROLL];
      this.pitch[i] = mixer.mix[i * AXES + PITCH];
      this.yaw[i] = mixer.mix[i * AXES + YAW];
      this.thrust[i] = mixer.mix[i * AXES + THRUST_Z];
      rows.forEach((axis, row) => (this.effect[row * MOTOR_CHANNELS + i] = mixer.effect[axis * this.n + i]));
    }
  }

  get rotors(): number {
    return this.n;
  }

  /** Computes `motors` from a torque and the thrust along body z (negative is up). */
  update(torque: Float64Array, thrustZ: Float64Array): void {
    const { n, motors: u, roll, pitch, yaw, thrust } = this;
    if (this.hasSlew) this.before.set(u);
    const x = torque[0];
    const y = torque[1];
    const z = torque[2];
    const t = thrustZ[0];
    for (let i = 0; i < n; i += 1) u[i] = roll[i] * x + pitch[i] * y + thrust[i] * t;
    if (this.airmode === 2) {
      for (let i = 0; i < n; i += 1) u[i] += yaw[i] * z;
      this.desaturate(thrust, false);
      this.desaturate(yaw, false);
    } else {
      if (this.airmode === 1) {
        this.desaturate(thrust, false);
      } else if (this.isSaturated()) {
        this.desaturate(thrust, true);
        this.desaturate(roll, false);
        this.desaturate(pitch, false);
      }
      for (let i = 0; i < n; i += 1) u[i] += yaw[i] * z;
      if (this.isSaturated()) {
        this.upper[0] = 1 + YAW_MARGIN;
        this.desaturate(yaw, false);
        this.upper[0] = 1;
        this.desaturate(thrust, true);
      }
    }
    if (this.hasSlew) this.limitSlew();
    for (let i = 0; i < n; i += 1) u[i] = u[i] < 0 ? 0 : u[i] > 1 ? 1 : u[i];
  }

  /** Computes the unmet demand. */
  report(torque: Float64Array, thrustZ: Float64Array): void {
    const { n, motors: u, effect, unallocated } = this;
    for (let row = 0; row < 4; row += 1) {
      let produced = 0;
      const at = row * MOTOR_CHANNELS;
      for (let i = 0; i < n; i += 1) produced += effect[at + i] * u[i];
      unallocated[row] = (row === 3 ? thrustZ[0] : torque[row]) - produced;
    }
  }

  /** Writes the signs of the saturated axes, which the rate controller reads. */
  saturationInto(out: Float64Array): void {
    const un = this.unallocated;
    const isMet = un[0] * un[0] + un[1] * un[1] + un[2] * un[2] < 1e-6;
    for (let i = 0; i < 3; i += 1) out[i] = isMet || Math.abs(un[i]) <= TINY ? 0 : un[i] > 0 ? 1 : -1;
  }

  /** Writes the motor commands s, which solve thrust = f·s² + (1 − f)·s. */
  commandInto(command: Float64Array, channels: Int32Array): void {
    const f = this.thrustCurve;
    const u = this.motors;
    for (let i = 0; i < this.n; i += 1) {
      let s = u[i];
      if (f > TINY) {
        const half = (1 - f) / (2 * f);
        s = Math.sqrt(half * half + s / f) - half;
        s = s < 0 ? 0 : s > 1 ? 1 : s;
      }
      command[channels[i]] = s;
    }
  }

  stop(): void {
    this.motors.fill(0);
    this.unallocated.fill(0);
  }

  private isSaturated(): boolean {
    const u = this.motors;
    for (let i = 0; i < this.n; i += 1) if (u[i] < 0 || u[i] > 1) return true;
    return false;
  }

  /**
   * Moves all motors along one axis until they exceed their range as little as possible. `increaseOnly`: moves them
   * only in the positive direction of the axis, which for thrust z reduces the thrust.
   */
  private desaturate(axis: Float64Array, increaseOnly: boolean): void {
    const { n, motors: u, gain } = this;
    this.desaturationGain(axis);
    if (increaseOnly && gain[0] < 0) return;
    let k = gain[0];
    for (let i = 0; i < n; i += 1) u[i] += k * axis[i];
    this.desaturationGain(axis);
    k = 0.5 * gain[0];
    for (let i = 0; i < n; i += 1) u[i] += k * axis[i];
  }

  private desaturationGain(axis: Float64Array): void {
    const u = this.motors;
    const upper = this.upper[0];
    let lowest = 0;
    let highest = 0;
    for (let i = 0; i < this.n; i += 1) {
      const a = axis[i];
      if (Math.abs(a) < MIN_AXIS_EFFECT) continue;
      const bound = u[i] < 0 ? 0 : u[i] > upper ? upper : u[i];
      if (bound === u[i]) continue;
      const k = (bound - u[i]) / a;
      if (k < lowest) lowest = k;
      if (k > highest) highest = k;
    }
    this.gain[0] = lowest + highest;
  }

  private limitSlew(): void {
    const { motors: u, before, slew } = this;
    for (let i = 0; i < this.n; i += 1) {
      if (slew[i] === 0) continue;
      u[i] = Math.min(Math.max(u[i], before[i] - slew[i]), before[i] + slew[i]);
    }
  }
}
