/** Makes plants for tests: built-in vehicles with changes, the reference environment, and a rig to evaluate them. */
import { builtInVehicles } from "../../packages/core/src/describe/vehicles/index.ts";
import { inputLayout, type InputSignal } from "../../packages/core/src/engine/index.ts";
import { Bus, TruthWindow } from "../../packages/core/src/engine/bus.ts";
import type { OutputsView } from "../../packages/core/src/engine/index.ts";
import { type Integrator, integratorKinds } from "../../packages/core/src/integrate/index.ts";
import { checkParams, isPlainObject, type PlainObject } from "../../packages/core/src/params/index.ts";
import { isaReference } from "../../packages/core/src/world/atmosphere/index.ts";
import type { Atmosphere, Environment } from "../../packages/core/src/world/environment.ts";
import {
  type Input,
  inputView,
  type Scratch,
  SCRATCH_SIZE,
  scratchView,
  type State,
  stateView,
  type VehicleConstants,
} from "../../packages/core/src/multirotor/memory.ts";
import { makeMultirotor, type Multirotor, restingInput } from "../../packages/core/src/multirotor/plant.ts";
import { resolveVehicle } from "../../packages/core/src/multirotor/vehicle.ts";

/** Makes an environment with ISA over geometric height and uniform gravity, like the reference. */
export function referenceEnvironment(
  given: { altMslM?: number; gravityMps2?: number; atmosphere?: Atmosphere } = {},
): Environment {
  return {
    atmosphere: given.atmosphere ?? isaReference.make({} as never),
    gravity: { coefficients: [given.gravityMps2 ?? 9.80665, 0, 0, 0] },
    origin: { latDeg: 47.397742, lonDeg: 8.545594, altMslM: given.altMslM ?? 488 },
  };
}

/** Makes air of one density everywhere; 0 switches aerodynamics off. */
export function uniformAir(densityKgM3: number): Atmosphere {
  return {
    sampleInto: (out) => out.set([densityKgM3, 288.15, densityKgM3 * 287.05287 * 288.15]),
    minAltitudeM: -1e5,
    maxAltitudeM: 1e5,
    breaksM: [],
  };
}

export function merge(base: PlainObject, changes: PlainObject): PlainObject {
  const merged: Record<string, unknown> = { ...base };
  for (const key of Object.keys(changes)) {
    const [a, b] = [merged[key], changes[key]];
    merged[key] = isPlainObject(a) && isPlainObject(b) ? merge(a, b) : b;
  }
  return merged;
}

export class Rig {
  readonly plant: Multirotor;
  readonly x: Float64Array;
  readonly u: Float64Array;
  readonly dx: Float64Array;
  readonly timeS = new Float64Array(1);

  constructor(plant: Multirotor) {
    this.plant = plant;
    this.x = new Float64Array(plant.layout.size);
    this.dx = new Float64Array(plant.layout.size);
    this.u = restingInput(plant.dims);
    plant.initialInto(this.x);
  }

  /** Returns the arguments of the plant's equations: the rig's state, derivative and input, and a fresh scratch. */
  views(): {
    dx: State;
    x: State;
    u: Input;
    w: Scratch;
    vehicle: VehicleConstants;
  } {
    const vehicle = this.plant.constants;
    return {
      dx: stateView(this.dx, vehicle),
      x: stateView(this.x, vehicle),
      u: inputView(this.u, vehicle),
      w: scratchView(new Float64Array(SCRATCH_SIZE)),
      vehicle,
    };
  }

  set(blocks: Readonly<Record<string, readonly number[]>>): this {
    for (const name of Object.keys(blocks)) this.x.set(blocks[name]!, this.plant.layout.require(name, "test").offset);
    return this;
  }

  input(signals: Readonly<Partial<Record<InputSignal, readonly number[]>>>): this {
    const { offsets } = inputLayout(this.plant.dims);
    for (const name of Object.keys(signals) as InputSignal[]) this.u.set(signals[name]!, offsets[name]);
    return this;
  }

  get(name: string): number[] {
    const { offset, size } = this.plant.layout.require(name, "test");
    return Array.from(this.x.subarray(offset, offset + size));
  }

  /** Returns the derivative of a block at the current state. */
  rate(name: string): number[] {
    this.plant.derivativesInto(this.dx, this.timeS, this.x, this.u);
    const { offset, size } = this.plant.layout.require(name, "test");
    return Array.from(this.dx.subarray(offset, offset + size));
  }

  outputs(): OutputsView {
    const view = new Bus(this.plant.dims, new TruthWindow(this.plant.layout, this.x)).outputsView();
    this.plant.outputsInto!(view, this.timeS, this.x, this.u);
    return view;
  }

  /** Flies `steps` intervals of `us` microseconds, with a projection after each. */
  fly(integrator: Integrator, { us, steps }: { us: number; steps: number }, each?: (step: number) => void): this {
    const span = new Float64Array(2);
    for (let step = 0; step < steps; step += 1) {
      span[0] = step * us;
      span[1] = span[0] + us;
      integrator.advance(span, this.x);
      this.plant.project!(this.x);
      each?.(step);
    }
    return this;
  }
}

export function rig(name: string, changes: PlainObject = {}, environment: Environment = referenceEnvironment()): Rig {
  return new Rig(makeMultirotor(resolveVehicle(merge(builtInVehicles[name]!, changes)), environment));
}

export function integrator(
  name: string,
  plant: { readonly layout: Multirotor["layout"]; readonly derivativesInto: Multirotor["derivativesInto"] },
  u: Float64Array,
  given: PlainObject = {},
): Integrator {
  const kind = integratorKinds.find((candidate) => candidate.name === name)!;
  return kind.make(checkParams(kind.params, given, []) as never, { plant, u });
}

/** Returns the sideways stiffness of a foot in N/m. */
export function gripStiffness({ plant: { constants } }: Rig): number {
  const { releaseRate, inverseGrip } = constants.points[0]!;
  return releaseRate / inverseGrip;
}

/** Returns the largest relative difference between two lists. */
export function farthest(actual: readonly number[], expected: readonly number[]): number {
  return Math.max(...expected.map((value, i) => Math.abs(actual[i]! - value) / Math.max(Math.abs(value), 1e-300)));
}
