/**
 * A multirotor in the coordinates of flight mechanics: position, velocity in body axes (u, v, w), Euler angles, body
 * rates (p, q, r), and the states of its motors. The batteries' states are held, because they change over minutes.
 */
import { Bus, TruthWindow } from "../engine/bus.ts";
import { inputLayout, type OutputsView } from "../engine/index.ts";
import { quatFromEulerInto, quatRotateInto, quatRotateInverseInto, sinCosInto } from "../math/index.ts";
import { type Multirotor, restingInput } from "../multirotor/plant.ts";

/** A coordinate, an input or an output of the model. */
export interface Coordinate {
  readonly name: string;
  readonly unit: string;
}

interface Variable extends Coordinate {
  /**
   * Step of the finite differences: small enough that the equations are nearly linear, large compared with rounding.
   */
  readonly step: number;
}

const variable = (unit: string, step: number, ...names: string[]): Variable[] =>
  names.map((name) => ({ name, unit, step }));

const RIGID_BODY: readonly Variable[] = [
  ...variable("m", 1, "n", "e", "d"),
  ...variable("m/s", 1e-4, "u", "v", "w"),
  ...variable("rad", 1e-3, "roll", "pitch", "yaw"),
  ...variable("rad/s", 1e-3, "p", "q", "r"),
];
const OUTPUTS: readonly Coordinate[] = [
  ...variable("m", 0, "posNed.n", "posNed.e", "posNed.d"),
  ...variable("m/s", 0, "velNed.n", "velNed.e", "velNed.d"),
  ...variable("rad", 0, "roll", "pitch", "yaw"),
  ...variable("rad/s", 0, "rateBody.x", "rateBody.y", "rateBody.z"),
  ...variable("m/s2", 0, "specificForceBody.x", "specificForceBody.y", "specificForceBody.z"),
];
const WIND: readonly Variable[] = variable("m/s", 1e-4, "windNed.n", "windNed.e", "windNed.d");

/** Offsets of the rigid body's coordinates in ξ. */
export const AT = { position: 0, velocity: 3, roll: 6, pitch: 7, yaw: 8, rates: 9, motors: 12 } as const;

/** A block of motor states, and its offset in the plant's state. */
interface MotorBlock {
  readonly offset: number;
  readonly size: number;
  readonly variables: readonly Variable[];
}

export class BodyAxes {
  readonly plant: Multirotor;
  /** Coordinates ξ. */
  readonly states: readonly Variable[];
  /** Duties of the motors, then the wind. */
  readonly inputs: readonly Variable[];
  readonly outputs = OUTPUTS;
  /** State and input of the plant; values that are not coordinates do not change. */
  readonly x: Float64Array;
  readonly u: Float64Array;
  readonly dx: Float64Array;
  private readonly blocks: readonly MotorBlock[];
  private readonly at: { readonly position: number; velocity: number; attitude: number; rates: number };
  private readonly commandAt: number;
  private readonly windAt: number;
  private readonly view: OutputsView;
  private readonly timeS = new Float64Array(1);
  private readonly rotated = new Float64Array(3);
  private readonly sines = new Float64Array(6);

  constructor(plant: Multirotor, soc: readonly number[]) {
    const { layout, dims } = plant;
    const offset = (name: string) => layout.require(name, "the analysis of a vehicle").offset;
    this.plant = plant;
    this.x = new Float64Array(layout.size);
    this.dx = new Float64Array(layout.size);
    this.u = restingInput(dims);
    this.at = {
      position: offset("posNed"),
      velocity: offset("velNed"),
      attitude: offset("qBodyToNed"),
      rates: offset("rateBody"),
    };
    const charge = layout.find("batterySoc");
    if (charge !== undefined) this.x.set(soc, charge.offset);
    this.blocks = motorBlocks(plant);
    this.states = [...RIGID_BODY, ...this.blocks.flatMap(({ variables }) => variables)];
    const motors = Array.from({ length: dims.rotors }, (_, i) => `motorCommand.${i + 1}`);
    this.inputs = [...variable("1", 1e-4, ...motors), ...WIND];
    const { offsets } = inputLayout(dims);
    this.commandAt = offsets["motorCommand"];
    this.windAt = offsets["windNed"];
    this.view = new Bus(dims, new TruthWindow(layout, this.x)).outputsView();
  }

  /** Returns ξ̇ at (ξ, inputs); NaN if the power network has no working point there. */
  derivatives(xi: readonly number[], inputs: readonly number[]): number[] {
    this.setPlant(xi, inputs);
    const { plant, x, u, dx, at, rotated } = this;
    plant.derivativesInto(dx, this.timeS, x, u);
    quatRotateInverseInto(rotated, x, dx, 0, at.attitude, at.velocity);
    const [bu, bv, bw] = xi.slice(AT.velocity);
    const [p, q, r] = xi.slice(AT.rates);
    const [sinRoll, cosRoll, sinPitch, cosPitch] = this.sines;
    const yawRate = (q * sinRoll + r * cosRoll) / cosPitch;
    return [
      ...dx.subarray(at.position, at.position + 3),
      rotated[0] - (q * bw - r * bv),
      rotated[1] - (r * bu - p * bw),
      rotated[2] - (p * bv - q * bu),
      p + yawRate * sinPitch,
      q * cosRoll - r * sinRoll,
      yawRate,
      ...dx.subarray(at.rates, at.rates + 3),
      ...this.blocks.flatMap(({ offset, size }) => Array.from(dx.subarray(offset, offset + size))),
    ];
  }

  /** Returns the outputs at (ξ, inputs). */
  output(xi: readonly number[], inputs: readonly number[]): number[] {
    const { specificForceBody } = this.signals(xi, inputs);
    const { at, x } = this;
    return [
      ...x.subarray(at.position, at.position + 3),
      ...x.subarray(at.velocity, at.velocity + 3),
      ...xi.slice(AT.roll, AT.yaw + 1),
      ...xi.slice(AT.rates, AT.rates + 3),
      ...Array.from(specificForceBody),
    ];
  }

  /** Rotates a velocity from NED to body axes, at yaw 0. */
  bodyVelocity(velNed: readonly number[], rollRad: number, pitchRad: number): number[] {
    const attitude = new Float64Array(4);
    quatFromEulerInto(attitude, { rollRad, pitchRad, yawRad: 0 });
    quatRotateInverseInto(this.rotated, attitude, Float64Array.from(velNed));
    return Array.from(this.rotated);
  }

  /** Returns the plant's own output signals at (ξ, inputs). The next call overwrites them. */
  signals(xi: readonly number[], inputs: readonly number[]): OutputsView {
    this.setPlant(xi, inputs);
    this.plant.outputsInto!(this.view, this.timeS, this.x, this.u);
    return this.view;
  }

  /** Sets the plant's state and input from (ξ, inputs). */
  private setPlant(xi: readonly number[], inputs: readonly number[]): void {
    const { x, u, at, rotated, sines, plant } = this;
    const [rollRad, pitchRad, yawRad] = xi.slice(AT.roll);
    const attitude = x.subarray(at.attitude, at.attitude + 4);
    quatFromEulerInto(attitude, { rollRad, pitchRad, yawRad });
    sinCosInto(sines, rollRad);
    sinCosInto(sines, pitchRad, 2);
    rotated.set(xi.slice(AT.velocity, AT.velocity + 3));
    quatRotateInto(x, attitude, rotated, at.velocity);
    x.set(xi.slice(AT.position, AT.position + 3), at.position);
    x.set(xi.slice(AT.rates, AT.rates + 3), at.rates);
    let next: number = AT.motors;
    for (const { offset, size } of this.blocks) {
      x.set(xi.slice(next, next + size), offset);
      next += size;
    }
    const { rotors } = plant.dims;
    u.set(inputs.slice(0, rotors), this.commandAt);
    u.set(inputs.slice(rotors), this.windAt);
    // The jump sets the outputs of actuators without a lag to their commands.
    plant.jump?.(x, u);
  }
}

/** Returns the blocks of the motors' states: the outputs of lagging actuators, and rotor speeds. */
function motorBlocks({ layout, vehicle }: Multirotor): MotorBlock[] {
  const names = vehicle.motorActuator.kind === "direct" ? [] : ["motorOutput", "motorOutputRate"];
  return [...names, "rotorSpeed"].flatMap((name) => {
    const block = layout.find(name);
    if (block === undefined) return [];
    const { offset, size, unit } = block;
    const step = name === "rotorSpeed" ? 1e-2 : 1e-4;
    const variables = variable(unit, step, ...Array.from({ length: size }, (_, i) => `${name}.${i + 1}`));
    return [{ offset, size, variables }];
  });
}
