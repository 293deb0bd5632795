/**
 * The coupled multirotor: actuators, power network, rotors, rigid body and contact in one right-hand side.
 *
 * Everything that moves between boundaries is in x, so that error control sees the whole plant. Order of the equations:
 * air → duties → actuators → sources → bus voltages → rotors → motors → batteries → contact → drag → body. It is part
 * of the contract, like the order of operations inside each: fingerprints depend on it. Outputs are read from the same
 * evaluation. The levels of propulsion are whole numbers in n, settled at assembly.
 */
import { BusLayout, type Dims, inputLayout, type OutputsView, type Plant } from "../engine/index.ts";
import type { Equations, Evaluation } from "../integrate/contract.ts";
import type { StateLayout } from "../state/index.ts";
import { dutiesInto, laggedActuatorsInto, snapActuators } from "./equations/actuators/actuators.ts";
import { airInto } from "./equations/air/air.ts";
import { bodyDragInto, bodyInto } from "./equations/body/rigid-body.ts";
import { contactInto, depthsInto, noContactInto } from "./equations/contact/contact.ts";
import { AIR_PRESSURE, AIR_TEMPERATURE, type Environment } from "../world/environment.ts";
import { FAR_REACHES, multirotorEquations } from "./compiled-equations.ts";
import { initialState } from "./initial.ts";
import { W_SIZE } from "./memory.ts";
import { outputsInto } from "./outputs.ts";
import { packMultirotor } from "./pack.ts";
import { batteriesInto, sourcesInto } from "./equations/power/batteries.ts";
import { busVoltagesInto } from "./equations/power/bus-solve.ts";
import { circuitError } from "./equations/power/circuit-error.ts";
import { linearRotorsInto } from "./equations/rotors/linear.ts";
import { momentumRotorsInto } from "./equations/rotors/momentum.ts";
import { inPlaneInto, jamsInto, loadsInto, motorsInto } from "./equations/rotors/motors.ts";
import { referenceRotorsInto } from "./equations/rotors/reference.ts";
import { type Lift, liftOf, type Trim, type TrimOptions, trimOf } from "./trim.ts";
import type { Vehicle } from "./vehicle.ts";

const X_POS = 0;
const N_BATTERIES = 1;
const N_SERVOS = 3;
const N_POINTS = 4;
const N_LEVEL = 5;
const N_MOTORS = 6;
const N_MOTOR_ACTUATOR = 8;
const N_X_SPEED = 13;
const N_X_SOC = 14;
const N_BODY_DRAG = 24;
const N_IDEAL = 25;
const ACTUATOR_DIRECT = 0;
const LEVEL_LINEAR = 0;
const LEVEL_REFERENCE = 1;
const LEVEL_MOMENTUM = 2;
const P_ORIGIN_ALTITUDE = 27;
const P_REACH = 38;
const P_BATTERY = 448;
const BATTERY_STRIDE = 48;
const B_LOW = 7;
const B_CRITICAL = 8;
const B_EMERGENCY = 9;
const W_STATUS = 188;
const W_JAMMED = 189;
const W_OUTPUTS = 336;

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
  /** Weight, and the thrust of all rotors at full duty with full batteries, whether or not that is enough. */
  lift(): Lift;
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
  private evaluation!: Evaluation;
  /** Where it leaves the outputs. */
  private evaluated!: Float64Array;

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
    const evaluate: Evaluation["evaluate"] = (_timeS, x, u) => {
      multirotorInto(slope, x, u, w, p, n);
      outputsInto(w, slope, u, p, n);
    };
    this.adopt({ slope, scratch: w, evaluate });
    this.equations = multirotorEquations({
      p,
      n,
      dims,
      layout,
      into: (dx, _timeS, x, u, w) => multirotorInto(dx, x, u, w, p, n),
      outputsInto: (dx, _timeS, _x, u, w) => outputsInto(w, dx, u, p, n),
      initialInto: (x) => this.initialInto(x),
      adopt: (evaluation) => this.adopt(evaluation),
    });
  }

  private adopt(evaluation: Evaluation): void {
    const [, size] = new BusLayout(this.dims).ranges.outputs;
    this.evaluation = evaluation;
    this.evaluated = evaluation.scratch.subarray(W_OUTPUTS, W_OUTPUTS + size);
  }

  trim(options: TrimOptions = {}): Trim {
    return trimOf(this.vehicle, { p: this.p, n: this.n, layout: this.layout }, options);
  }

  lift(): Lift {
    return liftOf(this.vehicle, { p: this.p, n: this.n, layout: this.layout });
  }

  initialInto(x: Float64Array): void {
    initialState(x, this);
  }

  derivativesInto(dx: Float64Array, _timeS: Float64Array, x: Float64Array, u: Float64Array): void {
    multirotorInto(dx, x, u, this.w, this.p, this.n);
    // A trial step may ask for a state that cannot be: it is to be rejected, not to end the flight.
    if (this.w[W_STATUS] !== 0) dx.fill(NaN);
  }

  outputsInto(y: OutputsView, timeS: Float64Array, x: Float64Array, u: Float64Array): void {
    const { evaluation, air, altitude, p } = this;
    const { scratch: w } = evaluation;
    const { outputs, airTemperature, airPressure } = y;
    // Before the evaluation, which does not wait for it: pressure is a long chain of operations.
    altitude[0] = p[P_ORIGIN_ALTITUDE] - x[X_POS + 2];
    this.environment.atmosphere.sampleInto(air, altitude);
    evaluation.evaluate(timeS, x, u);
    if (w[W_STATUS] !== 0) throw circuitError(timeS, x, w, p, this.n);
    outputs.set(this.evaluated);
    this.chargeOutputsInto(y, x);
    airTemperature[0] = air[AIR_TEMPERATURE];
    airPressure[0] = air[AIR_PRESSURE];
  }

  private chargeOutputsInto({ batteryRemaining, batteryWarning }: OutputsView, x: Float64Array): void {
    const { p, n } = this;
    for (let i = 0; i < n[N_BATTERIES]; i += 1) {
      const b = P_BATTERY + i * BATTERY_STRIDE;
      const charge = x[n[N_X_SOC] + i];
      const soc = charge > 0 ? (charge > 1 ? 1 : charge) : 0;
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

  /** High above the ground, with something in every battery. */
  isClearOfEvents(x: Float64Array): boolean {
    const { n } = this;
    if (!(x[X_POS + 2] + FAR_REACHES * this.p[P_REACH] < 0)) return false;
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
