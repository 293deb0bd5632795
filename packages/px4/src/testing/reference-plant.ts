/**
 * The plant of the PX4 reference flights: a rigid body with lagging motors and linear drag, stepped by
 * semi-implicit Euler in a fixed order. It is not one of our models and serves only to repeat those flights.
 */
import { SIGNALS } from "@escapement/core";
import type { DriverEstimate } from "../lockstep/driver-inputs.ts";

export interface ReferenceSetup {
  readonly plant: {
    readonly mass_kg: number;
    readonly gravity: number;
    readonly inertia_diag: readonly number[];
    readonly rotors: readonly { readonly position_frd: readonly number[]; readonly km: number }[];
    readonly max_thrust_per_rotor_N: number;
    readonly motor_lag_s: number;
    readonly linear_drag_N_per_mps: number;
  };
  readonly wind: { readonly velocity_ned: readonly number[] };
}

const SUBSTEP_S = 0.001;
const SUBSTEPS = 4;

export class ReferencePlant {
  readonly pos = new Float64Array(3);
  readonly vel = new Float64Array(3);
  readonly q = Float64Array.of(1, 0, 0, 0);
  readonly rate = new Float64Array(3);
  readonly acc = new Float64Array(3);
  readonly rateDot = new Float64Array(3);
  private readonly motor: Float64Array;
  private readonly setup: ReferenceSetup;

  constructor(setup: ReferenceSetup) {
    this.setup = setup;
    this.motor = new Float64Array(setup.plant.rotors.length);
  }

  get heading(): number {
    const [w, x, y, z] = this.q as unknown as [number, number, number, number];
    return Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
  }

  /** The true state, which PX4 received as its estimate. */
  readonly estimate: DriverEstimate = {
    posNed: this.pos,
    velNed: this.vel,
    accNed: this.acc,
    qBodyToNed: this.q,
    rateBody: this.rate,
    rateDotBody: this.rateDot,
    valid: SIGNALS.estValid.initial,
  };

  /** Advances one tick of 4 ms with constant commands. */
  advance(command: ArrayLike<number>): void {
    const yawAtStart = this.heading;
    for (let k = 0; k < SUBSTEPS; k += 1) this.substep(command, yawAtStart);
  }

  private substep(command: ArrayLike<number>, yawAtStart: number): void {
    const { plant, wind } = this.setup;
    const { pos, vel, q, rate, acc, rateDot, motor } = this;
    const h = SUBSTEP_S;
    const follow = 1 - Math.exp(-h / plant.motor_lag_s);
    let total = 0;
    const moment = [0, 0, 0];
    plant.rotors.forEach((rotor, i) => {
      motor[i] = motor[i]! + (command[i]! - motor[i]!) * follow;
      const thrust = plant.max_thrust_per_rotor_N * motor[i]!;
      total += thrust;
      // r × (0, 0, −T)
      moment[0]! += -rotor.position_frd[1]! * thrust;
      moment[1]! += rotor.position_frd[0]! * thrust;
      moment[2]! += rotor.km * thrust;
    });
    const [w, x, y, z] = q as unknown as [number, number, number, number];
    const up = -total / plant.mass_kg;
    const a = [2 * (x * z + w * y) * up, 2 * (y * z - w * x) * up, (1 - 2 * (x * x + y * y)) * up + plant.gravity];
    for (let i = 0; i < 3; i += 1) {
      a[i]! -= (plant.linear_drag_N_per_mps / plant.mass_kg) * (vel[i]! - wind.velocity_ned[i]!);
    }
    if (pos[2]! >= 0 && a[2]! > 0) {
      a.fill(0);
      vel.fill(0);
      pos[2] = 0;
      rate.fill(0);
      rateDot.fill(0);
      q.set([Math.cos(yawAtStart / 2), 0, 0, Math.sin(yawAtStart / 2)]);
    } else {
      const [j1, j2, j3] = plant.inertia_diag as unknown as [number, number, number];
      const [p, r, s] = rate as unknown as [number, number, number];
      rateDot[0] = (moment[0]! - (r * j3 * s - s * j2 * r)) / j1;
      rateDot[1] = (moment[1]! - (s * j1 * p - p * j3 * s)) / j2;
      rateDot[2] = (moment[2]! - (p * j2 * r - r * j1 * p)) / j3;
      for (let i = 0; i < 3; i += 1) rate[i] = rate[i]! + h * rateDot[i]!;
    }
    for (let i = 0; i < 3; i += 1) {
      vel[i] = vel[i]! + h * a[i]!;
      pos[i] = pos[i]! + h * vel[i]!;
      acc[i] = a[i]!;
    }
    if (pos[2]! > 0 && vel[2]! > 0) {
      pos[2] = 0;
      vel.fill(0);
      rate.fill(0);
      acc.fill(0);
    }
    this.turn(h);
  }

  /** Integrates the attitude: q += h · ½ q ⊗ (0, ω), normalised. */
  private turn(h: number): void {
    const { q, rate } = this;
    const [w, x, y, z] = q as unknown as [number, number, number, number];
    const [p, r, s] = rate as unknown as [number, number, number];
    q[0] = w + 0.5 * h * (-x * p - y * r - z * s);
    q[1] = x + 0.5 * h * (w * p + y * s - z * r);
    q[2] = y + 0.5 * h * (w * r + z * p - x * s);
    q[3] = z + 0.5 * h * (w * s + x * r - y * p);
    const norm = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (let i = 0; i < 4; i += 1) q[i] = q[i]! / norm;
  }
}
