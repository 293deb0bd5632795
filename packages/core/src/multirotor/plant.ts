/**
 * The coupled multirotor: actuators, power network, rotors, rigid body and contact in one right-hand side.
 *
 * Everything that moves between boundaries is in x, so that error control covers the whole plant. Order of the
 * equations: air → duties → actuators → sources → bus voltages → rotors → motors → batteries → contact → drag → body.
 * This order is part of the contract, like the order of operations inside each part: fingerprints depend on it.
 * Outputs are read from the same evaluation.
 */
import { BusLayout, type Dims, inputLayout, type OutputsView, type Plant } from "../engine/index.ts";
import type { Equations, Evaluation } from "../integrate/contract.ts";
import type { StateLayout } from "../state/index.ts";
import { dutiesInto, laggedActuatorsInto, setDirectOutputs } from "./equations/actuators/actuators.ts";
import { airInto } from "./equations/air/air.ts";
import { bodyDragInto, bodyInto } from "./equations/body/rigid-body.ts";
import { contactInto, contactSeamsInto, noContactInto, stretchInto } from "./equations/contact/contact.ts";
import { batteriesInto, sourcesInto } from "./equations/power/batteries.ts";
import { busVoltagesInto } from "./equations/power/bus-solve.ts";
import { circuitError } from "./equations/power/circuit-error.ts";
import { linearRotorsInto } from "./equations/rotors/linear.ts";
import { momentumRotorsInto } from "./equations/rotors/momentum.ts";
import { chipsInto, inPlaneInto, jamsInto, loadsInto, motorsInto } from "./equations/rotors/motors.ts";
import { referenceRotorsInto } from "./equations/rotors/reference.ts";
import type { Environment } from "../world/environment.ts";
import { CLEAR_HEIGHT_FACTOR, multirotorEquations } from "./compiled-equations.ts";
import { initialState } from "./initial.ts";
import {
  ACTUATOR_DIRECT,
  type Input,
  inputView,
  LEVEL_LINEAR,
  LEVEL_MOMENTUM,
  LEVEL_REFERENCE,
  type Outputs,
  outputsView,
  type Scratch,
  SCRATCH_MAP,
  SCRATCH_SIZE,
  scratchView,
  type State,
  stateView,
  type VehicleConstants,
  vehicleConstants,
  ViewCache,
} from "./memory.ts";
import { directOutputsInto, outputsInto } from "./outputs.ts";
import { type PackedVehicle, packMultirotor } from "./pack.ts";
import { type Lift, liftOf, type Trim, type TrimOptions, trimOf } from "./trim.ts";
import type { Vehicle } from "./vehicle.ts";

/** Evaluates the right-hand side; `w.failedBus` is not 0 if a bus has no working point. */
export function multirotorInto(dx: State, x: State, u: Input, w: Scratch, vehicle: VehicleConstants): void {
  airInto(w, x, u, vehicle);
  dutiesInto(dx, w, x, u, vehicle);
  if (vehicle.motorActuatorKind !== ACTUATOR_DIRECT || vehicle.servoCount !== 0) laggedActuatorsInto(dx, x, u, vehicle);
  sourcesInto(w, x, u, vehicle);
  busVoltagesInto(w, x, vehicle);
  if (vehicle.level === LEVEL_REFERENCE) referenceRotorsInto(w, x, vehicle);
  else if (vehicle.level === LEVEL_LINEAR) linearRotorsInto(w, vehicle);
  else momentumRotorsInto(w, x, u, vehicle);
  if (w.anyChipped[0] !== 0) chipsInto(w, u, vehicle);
  motorsInto(dx, x, w, vehicle);
  if (w.anyJammed[0] !== 0) jamsInto(dx, x, u, w, vehicle);
  if (vehicle.level === LEVEL_MOMENTUM) inPlaneInto(w, vehicle);
  if (vehicle.hasIdealBattery !== 0) loadsInto(w, vehicle);
  batteriesInto(dx, x, w, vehicle);
  // No part of the vehicle can touch the ground if the centre of mass is higher than the distance to its farthest
  // point.
  if (x.posNed[2] + vehicle.reach > 0) contactInto(w, x, vehicle);
  else noContactInto(w, x, vehicle);
  stretchInto(dx, w, vehicle);
  if (vehicle.hasBodyDrag !== 0) bodyDragInto(w, vehicle);
  bodyInto(dx, x, u, w, vehicle);
}

export interface Multirotor extends Plant {
  readonly vehicle: Vehicle;
  readonly dims: Dims;
  readonly constants: VehicleConstants;
  /** The constants as flat arrays, for code generation and benchmarks. */
  readonly packed: { readonly p: Float64Array; readonly n: Int32Array };
  /** Hover in still air, and the steady state at full duty. */
  trim(options?: TrimOptions): Trim;
  /**
   * Returns the weight, and the thrust of all rotors at full duty with full batteries, even if it is not enough to fly.
   */
  lift(): Lift;
}

/** @param packed the numbers of this vehicle in this environment, if they are known */
export function makeMultirotor(vehicle: Vehicle, environment: Environment, packed?: PackedVehicle): Multirotor {
  return new CoupledMultirotor(vehicle, environment, packed ?? packMultirotor(vehicle, environment));
}

class CoupledMultirotor implements Multirotor {
  readonly vehicle: Vehicle;
  readonly dims: Dims;
  readonly layout: StateLayout;
  readonly packed: { readonly p: Float64Array; readonly n: Int32Array };
  readonly constants: VehicleConstants;
  readonly seamCount: number;
  readonly equations: Equations;
  private readonly environment: Environment;
  private readonly scratch = new Float64Array(SCRATCH_SIZE);
  private readonly states: ViewCache<State>;
  private readonly slopes: ViewCache<State>;
  private readonly inputs: ViewCache<Input>;
  private readonly scratches: ViewCache<Scratch>;
  private readonly outputs: ViewCache<Outputs>;
  private readonly air = new Float64Array(3);
  private readonly altitude = new Float64Array(1);
  /** Evaluates the right-hand side and its outputs: the equations above, or code generated from them. */
  private evaluation!: Evaluation;
  /** The outputs in the scratch array of the evaluation. */
  private evaluated!: Float64Array;

  constructor(vehicle: Vehicle, environment: Environment, { dims, layout, p, n }: PackedVehicle) {
    const constants = vehicleConstants(p, n);
    this.vehicle = vehicle;
    this.environment = environment;
    this.dims = dims;
    this.layout = layout;
    this.packed = { p, n };
    this.constants = constants;
    this.seamCount = constants.pointCount + constants.batteryCount + constants.gripCount;
    this.states = new ViewCache((x) => stateView(x, constants));
    this.slopes = new ViewCache((dx) => stateView(dx, constants));
    this.inputs = new ViewCache((u) => inputView(u, constants));
    this.scratches = new ViewCache(scratchView);
    this.outputs = new ViewCache((w) => outputsView(scratchView(w).outputs, dims));
    const slope = new Float64Array(layout.size);
    this.adopt({
      slope,
      scratch: this.scratch,
      evaluate: (_timeS, x, u) => {
        this.referenceInto(slope, x, u, this.scratch);
        this.referenceOutputsInto(slope, u, this.scratch);
      },
    });
    this.equations = multirotorEquations({
      p,
      n,
      constants,
      dims,
      initialInto: (x) => this.initialInto(x),
      into: (dx, _timeS, x, u, w) => this.referenceInto(dx, x, u, w),
      outputsInto: (dx, _timeS, _x, u, w) => this.referenceOutputsInto(dx, u, w),
      adopt: (evaluation) => this.adopt(evaluation),
    });
  }

  private referenceInto(dx: Float64Array, x: Float64Array, u: Float64Array, w: Float64Array): void {
    multirotorInto(this.slopes.of(dx), this.states.of(x), this.inputs.of(u), this.scratches.of(w), this.constants);
  }

  private referenceOutputsInto(dx: Float64Array, u: Float64Array, w: Float64Array): void {
    const { slopes, inputs, scratches, outputs, constants } = this;
    outputsInto(outputs.of(w), scratches.of(w), constants, slopes.of(dx), inputs.of(u));
  }

  private adopt(evaluation: Evaluation): void {
    const [, size] = new BusLayout(this.dims).ranges.outputs;
    const [at] = SCRATCH_MAP.outputs;
    this.evaluation = evaluation;
    this.evaluated = evaluation.scratch.subarray(at, at + size);
  }

  trim(options: TrimOptions = {}): Trim {
    return trimOf(this.vehicle, this.constants, options);
  }

  lift(): Lift {
    return liftOf(this.vehicle, this.constants);
  }

  initialInto(x: Float64Array): void {
    initialState(x, this);
  }

  derivativesInto(dx: Float64Array, _timeS: Float64Array, x: Float64Array, u: Float64Array): void {
    this.referenceInto(dx, x, u, this.scratch);
    // A trial step may lead to a state without a working point. Reject the step instead of ending the flight.
    if (this.scratches.of(this.scratch).failedBus[0] !== 0) dx.fill(NaN);
  }

  outputsInto(y: OutputsView, timeS: Float64Array, x: Float64Array, u: Float64Array): void {
    const { evaluation, air, altitude, constants } = this;
    const state = this.states.of(x);
    // Sample the atmosphere before the evaluation, so that the processor overlaps the two: the pressure is a long
    // chain of operations.
    altitude[0] = constants.originAltitude - state.posNed[2];
    this.environment.atmosphere.sampleInto(air, altitude);
    evaluation.evaluate(timeS, x, u);
    const w = this.scratches.of(evaluation.scratch);
    if (w.failedBus[0] !== 0) throw circuitError(timeS, state, w, constants);
    y.outputs.set(this.evaluated);
    directOutputsInto(y, state, constants, air);
  }

  jump(x: Float64Array, u: Float64Array): void {
    setDirectOutputs(this.states.of(x), this.inputs.of(u), this.constants);
  }

  /** Moves rotor speeds to at least 0, and charge between empty and full; everything else is unbounded. */
  project(x: Float64Array): number {
    const { motorCount, batteryCount } = this.constants;
    const { rotorSpeed, batterySoc } = this.states.of(x);
    let corrected = 0;
    for (let i = 0; i < motorCount; i += 1) {
      if (rotorSpeed[i] >= 0) continue;
      rotorSpeed[i] = 0;
      corrected += 1;
    }
    for (let i = 0; i < batteryCount; i += 1) {
      const soc = batterySoc[i];
      if (soc >= 0 && soc <= 1) continue;
      batterySoc[i] = soc < 0 ? 0 : 1;
      corrected += 1;
    }
    return corrected;
  }

  /** Whether the vehicle is high above the ground, with charge in every battery. */
  isClearOfEvents(x: Float64Array): boolean {
    const { reach, batteryCount } = this.constants;
    const { posNed, batterySoc } = this.states.of(x);
    if (!(posNed[2] + CLEAR_HEIGHT_FACTOR * reach < 0)) return false;
    for (let i = 0; i < batteryCount; i += 1) if (!(batterySoc[i] > 0)) return false;
    return true;
  }

  /**
   * Writes the depth of every contact point, the negative charge of each battery and, for each gripping point, the
   * margin before it slips (positive while it sticks).
   */
  seamsInto(g: Float64Array, _timeS: Float64Array, x: Float64Array): void {
    const { constants } = this;
    const state = this.states.of(x);
    contactSeamsInto(g, constants.pointCount + constants.batteryCount, state, constants);
    for (let i = 0; i < constants.batteryCount; i += 1) g[constants.pointCount + i] = -state.batterySoc[i];
  }
}

/** Returns an input with every signal at its initial value: motors healthy, batteries connected. */
export function restingInput(dims: Dims): Float64Array {
  const { size, offsets } = inputLayout(dims);
  const u = new Float64Array(size);
  u.fill(1, offsets.motorGain, offsets.motorGain + dims.rotors);
  u.fill(1, offsets.batteryConnected, offsets.batteryConnected + dims.batteries);
  return u;
}
