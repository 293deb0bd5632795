/**
 * Vibration of an inertial sensor by propellers: a spectral line at the rotation frequency of each rotor, and one at
 * its blade-passing frequency.
 *
 * An imbalance U = m·e pulls the hub with the force U·Ω², which rotates with the propeller. A blade that lost the
 * fraction s of its radius lacks mass, U = ½·m_b·R·(1 − (1 − s)²) for a uniform blade of mass m_b = 3J/(N·R²), and
 * lift, which causes a rotating moment of ¾·T_b·R·(1 − (1 − s)⁴) about the hub. Intact blades shake the hub along its
 * axis N times per revolution. A force F and a moment M at hub r accelerate a sensor at position p by F/m + α × p and
 * change its angular rate by ∫α dt, with α = I⁻¹(r × F + M). A mount transmits the line at Ω with the factor
 * H = (1 + 2jζx)/(1 − x² + 2jζx), x = Ω/ω_n.
 *
 * The plant does not integrate this motion. A line is a sine whose phase advances by the angle that its rotor turns
 * between samples, so sampling aliases the line, as in a sensor without a filter. Rotor speed and thrust are treated as
 * constant over a revolution.
 */
import type { Readable, View } from "../../engine/contracts.ts";
import { sinCosInto } from "../../math/index.ts";
import { RandomStream } from "../../random/index.ts";
import { PartWithMemory } from "../../snapshot/index.ts";
import type { Airframe } from "./context.ts";

const TWO_PI = 6.283185307179586;
/** Kilogram metres per gram millimetre. */
const KGM_PER_GMM = 1e-6;
/**
 * Offsets of the stored responses to loads on a hub: a force and a moment that vary with cos ψ and sin ψ, and a force
 * along the axis.
 */
const FORCE_COS = 0;
const FORCE_SIN = 6;
const MOMENT_COS = 12;
const MOMENT_SIN = 18;
const AXIAL = 24;
const RESPONSE_SIZE = 30;

interface VibrationParams {
  readonly periodS: number;
  readonly posBodyM: readonly number[];
  readonly imbalanceGmm: number;
  readonly bladePassing: number;
  readonly mountHz: number;
  readonly mountDamping: number;
}

export class Vibration extends PartWithMemory {
  protected readonly memory;
  private readonly params: VibrationParams;
  private readonly airframe: Airframe;
  /** Whether the parameters cause lines even if the scenario damages no propeller. */
  private readonly hasOwnLines: boolean;
  /** Per rotor: linear and angular acceleration of the sensor per unit of each load. */
  private readonly responses: readonly Float64Array[];
  /** Angle of each rotor, and its speed at the last sample. */
  private readonly phase: Float64Array;
  private readonly speed: Float64Array;
  /** Linear and angular acceleration with cos and sin of the line's phase. */
  private readonly cosine = new Float64Array(6);
  private readonly sine = new Float64Array(6);
  private readonly sinCos = new Float64Array(2);
  private rotorSpeed: Readable | undefined;

  constructor(params: VibrationParams, airframe: Airframe, seed: number) {
    super();
    this.params = params;
    this.airframe = airframe;
    this.hasOwnLines = params.imbalanceGmm > 0 || params.bladePassing > 0;
    this.responses = airframe.rotors.map((rotor) => responsesOf(rotor, airframe, params.posBodyM));
    const random = new RandomStream(seed, "sensor.imu.vibration");
    this.phase = Float64Array.from(airframe.rotors, () => TWO_PI * random.uniform());
    this.speed = new Float64Array(airframe.rotors.length);
    this.memory = [this.phase, this.speed];
  }

  /** Adds the lines of this sample to specific force and body rates. */
  addInto(force: Float64Array, rate: Float64Array, bus: View<"imu">): void {
    if (!this.hasOwnLines && !isDamaged(bus)) return;
    this.rotorSpeed ??= rotorSpeedOf(bus);
    for (let i = 0; i < this.rotorSpeed.length; i += 1) {
      const speed = this.rotorSpeed[i]!;
      const angle = this.phase[i]! + 0.5 * this.params.periodS * (this.speed[i]! + speed);
      this.phase[i] = angle - TWO_PI * Math.floor(angle / TWO_PI);
      this.speed[i] = speed;
      if (speed > 0) this.addRotor(i, speed, force, rate, bus);
    }
  }

  private addRotor(i: number, speed: number, force: Float64Array, rate: Float64Array, bus: View<"imu">): void {
    const { params, cosine, sine } = this;
    const { radiusM, blades, inertiaKgM2 } = this.airframe.propeller;
    const response = this.responses[i]!;
    const remaining = 1 - bus.propellerChip[i]!;
    const lostMass = ((1.5 * inertiaKgM2) / (blades * radiusM)) * (1 - remaining * remaining);
    const imbalance = params.imbalanceGmm * KGM_PER_GMM + bus.propellerImbalance[i]! + lostMass;
    const pull = imbalance * speed * speed;
    // Compute the thrust of an intact blade from that of the chipped propeller.
    const bladeThrust = bus.rotorThrust[i]! / (blades - 1 + remaining * remaining * remaining);
    const moment = 0.75 * bladeThrust * radiusM * (1 - remaining * remaining * remaining * remaining);
    for (let k = 0; k < 6; k += 1) {
      cosine[k] = pull * response[FORCE_COS + k]! + moment * response[MOMENT_COS + k]!;
      sine[k] = pull * response[FORCE_SIN + k]! + moment * response[MOMENT_SIN + k]!;
    }
    this.addLine(this.phase[i]!, speed, force, rate);
    if (params.bladePassing === 0) return;
    const shake = params.bladePassing * bus.rotorThrust[i]!;
    for (let k = 0; k < 6; k += 1) {
      cosine[k] = shake * response[AXIAL + k]!;
      sine[k] = 0;
    }
    this.addLine(blades * this.phase[i]!, blades * speed, force, rate);
  }

  /**
   * Adds the line cosine·cos ψ + sine·sin ψ, as the mount transmits it. Its angular part is integrated over time,
   * because the gyroscope measures rates.
   */
  private addLine(phase: number, radS: number, force: Float64Array, rate: Float64Array): void {
    const { cosine, sine, sinCos } = this;
    const { mountHz, mountDamping } = this.params;
    sinCosInto(sinCos, phase);
    let s = sinCos[0]!;
    let c = sinCos[1]!;
    if (mountHz > 0) {
      const x = radS / (TWO_PI * mountHz);
      const damping = 2 * mountDamping * x;
      const spring = 1 - x * x;
      const size = 1 / (spring * spring + damping * damping);
      const real = (spring + damping * damping) * size;
      const imaginary = damping * (spring - 1) * size;
      const rotated = real * s + imaginary * c;
      c = real * c - imaginary * s;
      s = rotated;
    }
    for (let k = 0; k < 3; k += 1) {
      force[k]! += cosine[k]! * c + sine[k]! * s;
      rate[k]! += (cosine[3 + k]! * s - sine[3 + k]! * c) / radS;
    }
  }
}

function isDamaged(bus: View<"imu">): boolean {
  for (let i = 0; i < bus.propellerChip.length; i += 1)
    if (bus.propellerChip[i]! > 0 || bus.propellerImbalance[i]! > 0) return true;
  return false;
}

/** Returns the rotor speeds; empty at level linear, which has none. */
function rotorSpeedOf(bus: View<"imu">): Readable {
  return bus.truth.layout.find("rotorSpeed") === undefined ? [] : bus.truth.block("rotorSpeed", "imu");
}

/**
 * Returns the responses to unit loads. The heavy side of the propeller is at cos ψ·e₁ + sin ψ·e₂, with e₂ 90° ahead of
 * e₁ in the sense of rotation. A chip is on the opposite side, and the missing lift there rotates the hub.
 */
function responsesOf(
  { posBody, axisBody, spin }: Airframe["rotors"][number],
  { massKg, inverseInertia }: Airframe,
  sensor: readonly number[],
): Float64Array {
  const helper = Math.abs(axisBody[0]!) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const normal = cross(axisBody, helper);
  const e1 = scale(normal, 1 / Math.sqrt(dot(normal, normal)));
  const e2 = scale(cross(axisBody, e1), spin);
  const none = [0, 0, 0];
  const loads: readonly (readonly [at: number, force: readonly number[], moment: readonly number[]])[] = [
    [FORCE_COS, e1, none],
    [FORCE_SIN, e2, none],
    [MOMENT_COS, none, cross(axisBody, e1)],
    [MOMENT_SIN, none, cross(axisBody, e2)],
    [AXIAL, scale(axisBody, -1), none],
  ];
  const out = new Float64Array(RESPONSE_SIZE);
  const [xx, yy, zz, xy, xz, yz] = inverseInertia as [number, number, number, number, number, number];
  for (const [at, force, moment] of loads) {
    const arm = cross(posBody, force);
    const [mx, my, mz] = [arm[0]! + moment[0]!, arm[1]! + moment[1]!, arm[2]! + moment[2]!];
    const angularAcc = [xx * mx + xy * my + xz * mz, xy * mx + yy * my + yz * mz, xz * mx + yz * my + zz * mz];
    const lever = cross(angularAcc, sensor);
    for (let k = 0; k < 3; k += 1) {
      out[at + k] = force[k]! / massKg + lever[k]!;
      out[at + 3 + k] = angularAcc[k]!;
    }
  }
  return out;
}

type Vector = readonly number[];

function cross(a: Vector, b: Vector): number[] {
  return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
}

function dot(a: Vector, b: Vector): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}

function scale(a: Vector, factor: number): number[] {
  return a.map((part) => part * factor);
}

/** PX4's vibration metric (VehicleIMU): the length of the difference between consecutive samples, low-pass filtered. */
export class VibrationMetric extends PartWithMemory {
  private readonly last = new Float64Array(3);
  private readonly state = { value: 0, hasSample: false };
  protected readonly memory = [this.last, this.state];

  /** Adds a sample, and returns the metric. */
  update(sample: Readable): number {
    const { last, state } = this;
    let sum = 0;
    for (let i = 0; i < 3; i += 1) {
      const difference = state.hasSample ? sample[i]! - last[i]! : 0;
      sum += difference * difference;
      last[i] = sample[i]!;
    }
    state.hasSample = true;
    state.value = 0.99 * state.value + 0.01 * Math.sqrt(sum);
    return state.value;
  }
}
