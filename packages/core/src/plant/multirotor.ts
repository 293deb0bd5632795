/**
 * The coupled multirotor: actuators, power network, rotors, rigid body and contact in one right-hand side.
 *
 * Everything that moves between boundaries is in x, so that error control sees the whole plant. Order of the equations:
 * air → duties → actuators → sources → bus voltages → rotors → motors → batteries → contact → drag → body. It is part
 * of the contract, like the order of operations inside each: fingerprints depend on it. Outputs are read from the same
 * evaluation. The levels of propulsion are whole numbers in n, settled at assembly.
 */
import { type Dims, inputLayout, type Plant, type View } from "../engine/index.ts";
import type { Equations, Evaluation } from "../integrate/contracts.ts";
import type { StateLayout } from "../state/index.ts";
import { dutiesInto, laggedActuatorsInto, snapActuators } from "./actuators/actuators.ts";
import { airInto } from "./body/air.ts";
import { bodyDragInto, bodyInto } from "./body/rigid-body.ts";
import { contactInto, depthsInto, noContactInto } from "./contact/contact.ts";
import { AIR_PRESSURE, AIR_TEMPERATURE, type Environment } from "./environment.ts";
import { multirotorEquations } from "./multirotor-equations.ts";
import { initialState } from "./multirotor-initial.ts";
import { W_SIZE } from "./multirotor-layout.ts";
import { packMultirotor } from "./multirotor-pack.ts";
import { batteriesInto, sourcesInto } from "./power/batteries.ts";
import { busVoltagesInto } from "./power/bus-solve.ts";
import { circuitError } from "./power/circuit-error.ts";
import { linearRotorsInto } from "./rotors/linear.ts";
import { momentumRotorsInto } from "./rotors/momentum.ts";
import { inPlaneInto, jamsInto, loadsInto, motorsInto } from "./rotors/motors.ts";
import { referenceRotorsInto } from "./rotors/reference.ts";
import { type Trim, type TrimOptions, trimOf } from "./trim.ts";
import type { Vehicle } from "./vehicle.ts";

const X_POS = 0;
const X_VEL = 3;
const X_RATE = 10;
const N_ROTORS = 0;
const N_BATTERIES = 1;
const N_BUSES = 2;
const N_SERVOS = 3;
const N_POINTS = 4;
const N_LEVEL = 5;
const N_MOTORS = 6;
const N_MOTOR_ACTUATOR = 8;
const N_X_SPEED = 13;
const N_X_SOC = 14;
const N_U_CONNECTED = 20;
const N_BODY_DRAG = 24;
const N_IDEAL = 25;
const N_BATTERY_BUS = 64;
const ACTUATOR_DIRECT = 0;
const LEVEL_LINEAR = 0;
const LEVEL_REFERENCE = 1;
const LEVEL_MOMENTUM = 2;
const P_REACH = 38;
const P_ROTOR = 64;
const ROTOR_STRIDE = 32;
const R_DIR = 9;
const P_BATTERY = 448;
const BATTERY_STRIDE = 48;
const B_LOW = 7;
const B_CRITICAL = 8;
const B_EMERGENCY = 9;
const W_ROTATION = 0;
const W_AIR = 9;
const W_RHO = 12;
const W_GRAVITY = 13;
const W_ALTITUDE = 14;
const W_CONTACT = 28;
const W_THRUST = 48;
const W_TORQUE = 60;
const W_CURRENT = 72;
const W_VOLTAGE = 132;
const W_LOAD = 140;
const W_BATTERY_CURRENT = 180;
const W_STATUS = 188;
const W_JAMMED = 189;

/** The right-hand side over flat arrays; status in w says whether the circuit has a working point. */
export function multirotorInto(
  dx: Float64Array,
  x: Float64Array,
  u: Float64Array,
  w: Float64Array,
  p: Float64Array,
  n: Int32Array,
): void {
  airInto(w, x, u, p, n);
  dutiesInto(dx, w, x, u, p, n);
  if (n[N_MOTOR_ACTUATOR] !== ACTUATOR_DIRECT || n[N_SERVOS] !== 0) laggedActuatorsInto(dx, x, u, p, n);
  sourcesInto(w, x, u, p, n);
  busVoltagesInto(w, x, p, n);
  if (n[N_LEVEL] === LEVEL_REFERENCE) referenceRotorsInto(w, x, p, n);
  else if (n[N_LEVEL] === LEVEL_LINEAR) linearRotorsInto(w, p, n);
  else momentumRotorsInto(w, x, p, n);
  motorsInto(dx, x, w, p, n);
  if (w[W_JAMMED] !== 0) jamsInto(dx, x, u, w, p, n);
  if (n[N_LEVEL] === LEVEL_MOMENTUM) inPlaneInto(w, p, n);
  if (n[N_IDEAL] !== 0) loadsInto(w, p, n);
  batteriesInto(dx, x, w, p, n);
  // Nothing of the vehicle can touch while it is higher than its farthest point is away.
  if (x[X_POS + 2] + p[P_REACH] > 0) contactInto(w, x, p, n);
  else noContactInto(w);
  if (n[N_BODY_DRAG] !== 0) bodyDragInto(w, p);
  bodyInto(dx, x, u, w, p, n);
}

export interface Multirotor extends Plant {
  readonly vehicle: Vehicle;
  readonly dims: Dims;
  /** The packed parameters, for code generation, benchmarks and dumps. */
  readonly packed: { readonly p: Float64Array; readonly n: Int32Array };
  /** Hover in still air, and what full duty would give. */
  trim(options?: TrimOptions): Trim;
}

export function makeMultirotor(vehicle: Vehicle, environment: Environment): Multirotor {
  return new CoupledMultirotor(vehicle, environment);
}

class CoupledMultirotor implements Multirotor {
  readonly vehicle: Vehicle;
  readonly dims: Dims;
  readonly layout: StateLayout;
  readonly packed: { readonly p: Float64Array; readonly n: Int32Array };
  readonly seamCount: number;
  readonly equations: Equations;
  private readonly environment: Environment;
  private readonly p: Float64Array;
  private readonly n: Int32Array;
  private readonly w = new Float64Array(W_SIZE);
  private readonly slope: Float64Array;
  private readonly air = new Float64Array(3);
  private readonly altitude = new Float64Array(1);
  /** The right-hand side with its scratch, as outputs want it: the equations above, or code made of them. */
  private evaluation: Evaluation;

  constructor(vehicle: Vehicle, environment: Environment) {
    const { dims, layout, p, n } = packMultirotor(vehicle, environment);
    this.vehicle = vehicle;
    this.environment = environment;
    this.dims = dims;
    this.layout = layout;
    this.p = p;
    this.n = n;
    this.packed = { p, n };
    this.slope = new Float64Array(layout.size);
    this.seamCount = n[N_POINTS] + n[N_BATTERIES];
    const { slope, w } = this;
    this.evaluation = { slope, scratch: w, evaluate: (_timeS, x, u) => multirotorInto(slope, x, u, w, p, n) };
    this.equations = multirotorEquations({
      p,
      n,
      dims,
      layout,
      into: (dx, _timeS, x, u, w) => multirotorInto(dx, x, u, w, p, n),
      initialInto: (x) => this.initialInto(x),
      adopt: (evaluation) => (this.evaluation = evaluation),
    });
  }

  trim(options: TrimOptions = {}): Trim {
    return trimOf(this.vehicle, { p: this.p, n: this.n, layout: this.layout }, options);
  }

  initialInto(x: Float64Array): void {
    initialState(x, this);
  }

  derivativesInto(dx: Float64Array, _timeS: Float64Array, x: Float64Array, u: Float64Array): void {
    multirotorInto(dx, x, u, this.w, this.p, this.n);
    // A trial step may ask for a state that cannot be: it is to be rejected, not to end the flight.
    if (this.w[W_STATUS] !== 0) dx.fill(NaN);
  }

  outputsInto(y: View<"outputs">, timeS: Float64Array, x: Float64Array, u: Float64Array): void {
    const { evaluation } = this;
    evaluation.evaluate(timeS, x, u);
    if (evaluation.scratch[W_STATUS] !== 0) throw circuitError(timeS, x, evaluation.scratch, this.p, this.n);
    this.powerOutputsInto(y, x, u);
    this.motionOutputsInto(y);
    this.altitude[0] = evaluation.scratch[W_ALTITUDE];
    this.environment.atmosphere.sampleInto(this.air, this.altitude);
    y.airDensity[0] = evaluation.scratch[W_RHO];
    y.airTemperature[0] = this.air[AIR_TEMPERATURE];
    y.airPressure[0] = this.air[AIR_PRESSURE];
  }

  private motionOutputsInto({
    airVelBody,
    accNed,
    rateDotBody,
    specificForceBody,
    contactForceNed,
  }: View<"outputs">): void {
    const { slope, scratch: w } = this.evaluation;
    const an = slope[X_VEL];
    const ae = slope[X_VEL + 1];
    const ad = slope[X_VEL + 2] - w[W_GRAVITY];
    for (let i = 0; i < 3; i += 1) {
      airVelBody[i] = w[W_AIR + i];
      accNed[i] = slope[X_VEL + i];
      rateDotBody[i] = slope[X_RATE + i];
      specificForceBody[i] = w[W_ROTATION + i] * an + w[W_ROTATION + 3 + i] * ae + w[W_ROTATION + 6 + i] * ad;
      contactForceNed[i] = w[W_CONTACT + i];
    }
  }

  private powerOutputsInto(y: View<"outputs">, x: Float64Array, u: Float64Array): void {
    const { p, n } = this;
    const { scratch: w } = this.evaluation;
    const { rotorThrust, rotorTorque, motorCurrent, busVoltage, busCurrent } = y;
    const { batteryVoltage, batteryCurrent, batteryRemaining, batteryWarning } = y;
    loadsInto(w, p, n);
    const rotors = n[N_ROTORS];
    const hasMotors = n[N_MOTORS] > 0;
    for (let i = 0; i < rotors; i += 1) {
      rotorThrust[i] = w[W_THRUST + i];
      rotorTorque[i] = p[P_ROTOR + i * ROTOR_STRIDE + R_DIR] * w[W_TORQUE + i];
      motorCurrent[i] = hasMotors ? w[W_CURRENT + i] : 0;
    }
    const buses = n[N_BUSES];
    for (let i = 0; i < buses; i += 1) {
      busVoltage[i] = w[W_VOLTAGE + i];
      busCurrent[i] = w[W_LOAD + i];
    }
    const batteries = n[N_BATTERIES];
    for (let i = 0; i < batteries; i += 1) {
      const b = P_BATTERY + i * BATTERY_STRIDE;
      const connected = u[n[N_U_CONNECTED] + i] !== 0;
      const charge = x[n[N_X_SOC] + i];
      const soc = charge > 0 ? (charge > 1 ? 1 : charge) : 0;
      batteryVoltage[i] = connected ? w[W_VOLTAGE + n[N_BATTERY_BUS + i]] : 0;
      batteryCurrent[i] = connected ? w[W_BATTERY_CURRENT + i] : 0;
      batteryRemaining[i] = soc;
      if (soc <= p[b + B_EMERGENCY]) batteryWarning[i] = 3;
      else if (soc <= p[b + B_CRITICAL]) batteryWarning[i] = 2;
      else batteryWarning[i] = soc <= p[b + B_LOW] ? 1 : 0;
    }
  }

  jump(x: Float64Array, u: Float64Array): void {
    snapActuators(x, u, this.n);
  }

  /** Rotor speeds are magnitudes and charge lies between empty and full; everything else is free. */
  project(x: Float64Array): number {
    const { n } = this;
    let corrected = 0;
    for (let i = 0; i < n[N_MOTORS]; i += 1) {
      if (x[n[N_X_SPEED] + i] >= 0) continue;
      x[n[N_X_SPEED] + i] = 0;
      corrected += 1;
    }
    for (let i = 0; i < n[N_BATTERIES]; i += 1) {
      const soc = x[n[N_X_SOC] + i];
      if (soc >= 0 && soc <= 1) continue;
      x[n[N_X_SOC] + i] = soc < 0 ? 0 : 1;
      corrected += 1;
    }
    return corrected;
  }

  /** High above the ground, with something in every battery. A tenth more than the farthest point reaches covers rounding. */
  seamsAreFar(x: Float64Array): boolean {
    const { n } = this;
    if (!(x[X_POS + 2] + 1.1 * this.p[P_REACH] < 0)) return false;
    for (let i = 0; i < n[N_BATTERIES]; i += 1) if (!(x[n[N_X_SOC] + i] > 0)) return false;
    return true;
  }

  /** Depth of every contact point, then how empty each battery is. */
  seamsInto(g: Float64Array, _timeS: Float64Array, x: Float64Array): void {
    depthsInto(g, x, this.p, this.n);
    const points = this.n[N_POINTS];
    for (let i = 0; i < this.n[N_BATTERIES]; i += 1) g[points + i] = -x[this.n[N_X_SOC] + i];
  }
}

/** A fresh input of the right size with every signal at its initial value: motors healthy, batteries connected. */
export function restingInput(dims: Dims): Float64Array {
  const { size, offsets } = inputLayout(dims);
  const u = new Float64Array(size);
  u.fill(1, offsets.motorGain, offsets.motorGain + dims.rotors);
  u.fill(1, offsets.batteryConnected, offsets.batteryConnected + dims.batteries);
  return u;
}
