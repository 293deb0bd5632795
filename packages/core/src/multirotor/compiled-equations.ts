/**
 * The multirotor's right-hand side for the compiler: the program, the functions that it calls instead of inlining, and
 * examples that take its branches.
 *
 * Some parts remain function calls, because they are rare or iterate until a result is exact enough: contact, flight
 * near the ground, and the searches for the bus voltage and for a rotor's inflow. The examples are states of ordinary
 * flight. If an evaluation reaches a branch that no example takes (a jammed rotor, a disconnected battery, a charge out
 * of range, a negative duty), the TypeScript equations compute it instead of the compiled code.
 */
import { type Dims, inputLayout, MOTOR_CHANNELS, SERVO_CHANNELS } from "../engine/index.ts";
import type { ClearBounds, Equations } from "../integrate/contract.ts";
import { RandomStream } from "../random/index.ts";
import { contactInto } from "./equations/contact/contact.ts";
import { searchBusInto } from "./equations/power/bus-solve.ts";
import { finishInflowsInto, wholeInflowInto } from "./equations/rotors/descent.ts";
import { groundsInto } from "./equations/rotors/ground.ts";
import {
  inputView,
  SCRATCH_MAP,
  SCRATCH_SIZE,
  scratchView,
  type State,
  stateView,
  VEHICLE_MAP,
  type VehicleConstants,
  vehicleConstants,
  ViewCache,
} from "./memory.ts";
import { multirotorProgram } from "./program.ts";

interface EquationsParts {
  readonly p: Float64Array;
  readonly n: Int32Array;
  readonly constants: VehicleConstants;
  readonly dims: Dims;
  readonly initialInto: (x: Float64Array) => void;
  readonly into: Equations["into"];
  readonly outputsInto: NonNullable<Equations["outputsInto"]>;
  readonly adopt: NonNullable<Equations["adopt"]>;
}

const EXAMPLES = 40;
/**
 * Height above which contact is impossible (`clearBounds`), as a multiple of the farthest contact point's distance from
 * the centre of mass. The extra tenth covers rounding.
 */
export const CLEAR_HEIGHT_FACTOR = 1.1;

/** Cells that the search for the rotors' inflow reads. */
const INFLOW_READS = [
  SCRATCH_MAP.climb,
  SCRATCH_MAP.across2,
  SCRATCH_MAP.bladeAngle,
  SCRATCH_MAP.angleSlope,
  SCRATCH_MAP.lift,
  SCRATCH_MAP.inflow,
  SCRATCH_MAP.inflowStep,
  SCRATCH_MAP.thrustCoefficient,
];

export function multirotorEquations(parts: EquationsParts): Equations {
  const { p, n, constants, dims, into, outputsInto, adopt } = parts;
  const { rotors, batteries } = dims;
  const w = SCRATCH_MAP;
  const [failedBus] = w.failedBus;
  const first = (cells: Float64Array) => [...cells.subarray(0, rotors)];
  const examples = new Examples(parts);
  return {
    program: multirotorProgram,
    constants: { p, n },
    scratchSize: SCRATCH_SIZE,
    inputSize: inputLayout(dims).size,
    calls: {
      contactInto: {
        run: runContact,
        reads: () => [...w.rotation],
        writes: () => [...w.contactForceNed, ...w.contactMoment, ...w.stretchRate.subarray(0, 2 * constants.gripCount)],
      },
      searchBusInto: {
        run: runBusSearch,
        reads: (bus) => [
          ...w.duty.subarray(0, rotors),
          ...w.backEmf.subarray(0, rotors),
          ...w.sourceVoltage.subarray(0, batteries),
          ...w.conductance.subarray(0, batteries),
          ...w.currentLimit.subarray(0, batteries),
          w.servedPower[bus],
          failedBus,
        ],
        writes: (bus) => [w.busVoltage[bus], w.servedPower[bus], failedBus],
      },
      groundsInto: {
        run: runGrounds,
        reads: () => [...first(w.height), ...first(w.shade), ...first(w.angleSlope)],
        writes: () => first(w.angleSlope),
      },
      wholeInflowInto: {
        run: runWholeInflow,
        reads: (i) => [w.climb[i], w.across2[i], w.bladeAngle[i], w.angleSlope[i], w.lift[i]],
        writes: (i) => [w.inflow[i], w.thrustCoefficient[i]],
      },
      finishInflowsInto: {
        run: runInflows,
        reads: () => INFLOW_READS.flatMap(first),
        writes: () => [...first(w.inflow), ...first(w.thrustCoefficient)],
      },
    },
    into,
    outputsInto,
    adopt,
    refusedAt: failedBus,
    jumped: jumpedNumbers(parts),
    outputCells: [failedBus, ...w.outputs.subarray(0, SCRATCH_SIZE - w.outputs[0])],
    clearBounds: clearBounds(parts),
    exampleCount: EXAMPLES,
    exampleInto: examples.into,
  };
}

/**
 * Views of the flat arrays that generated code passes to the functions that it calls. One kernel usually makes many
 * calls in a row, so the next call nearly always uses the cached views.
 */
const scratchViews = new ViewCache(scratchView);
const stateViews = new ViewCache(stateView);
let constantsView: VehicleConstants | undefined;
let constantsArray: Float64Array | undefined;

/**
 * Returns a view of the constants. All vehicles of the same structure share one kernel, which refills its copies of p
 * and n for each vehicle. So a view is valid only while the serial number is the same.
 */
function viewOfConstants(p: Float64Array, n: Int32Array): VehicleConstants {
  if (constantsView !== undefined && p === constantsArray && constantsView.serial === p[VEHICLE_MAP.serial])
    return constantsView;
  constantsArray = p;
  constantsView = vehicleConstants(p, n);
  return constantsView;
}

function runContact(w: Float64Array, x: Float64Array, p: Float64Array, n: Int32Array): void {
  const vehicle = viewOfConstants(p, n);
  contactInto(scratchViews.of(w), stateViews.of(x, vehicle), vehicle);
}

function runBusSearch(w: Float64Array, p: Float64Array, n: Int32Array, bus: number): void {
  searchBusInto(scratchViews.of(w), viewOfConstants(p, n), bus);
}

function runGrounds(w: Float64Array, p: Float64Array, n: Int32Array): void {
  groundsInto(scratchViews.of(w), viewOfConstants(p, n));
}

function runWholeInflow(w: Float64Array, p: Float64Array, n: Int32Array, i: number): void {
  wholeInflowInto(scratchViews.of(w), viewOfConstants(p, n), i);
}

function runInflows(w: Float64Array, p: Float64Array, n: Int32Array): void {
  finishInflowsInto(scratchViews.of(w), viewOfConstants(p, n));
}

/** Returns the indices of the actuator outputs, which a jump may set to their commands, and of the commands. */
function jumpedNumbers({ constants, dims }: EquationsParts): NonNullable<Equations["jumped"]> {
  const { offsets, servoCount } = constants;
  return {
    states: [...cells(offsets.motorOutput, dims.rotors), ...cells(offsets.servoOutput, servoCount)],
    inputs: [...cells(offsets.motorCommand, MOTOR_CHANNELS), ...cells(offsets.servoCommand, SERVO_CHANNELS)],
  };
}

function cells(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => from + i);
}

/**
 * Returns the bounds of states without events: high above the ground, with no rotor turning backwards and no battery
 * empty or overfull.
 */
function clearBounds({ constants, dims }: EquationsParts): ClearBounds {
  const { offsets, motorCount, reach } = constants;
  const fill = (count: number, value: number) => Array.from({ length: count }, () => value);
  return {
    states: [
      offsets.posNed + 2,
      ...cells(offsets.rotorSpeed, motorCount),
      ...cells(offsets.batterySoc, dims.batteries),
    ],
    low: [-Infinity, ...fill(motorCount, -Number.MIN_VALUE), ...fill(dims.batteries, 0)],
    // A charge of exactly 1 is inside the bounds, which are open.
    high: [-CLEAR_HEIGHT_FACTOR * reach, ...fill(motorCount, Infinity), ...fill(dims.batteries, 1 + Number.EPSILON)],
  };
}

/**
 * The situation of an example: in most examples in the air; in others on the ground, at rest on the ground, in the air
 * with some motors off, or with the motors starting.
 */
type Situation = "air" | "ground" | "rest" | "off" | "start";

type Range = readonly [low: number, high: number];
const ROTORS: Readonly<Record<Situation, { readonly speedRadps: Range; readonly duty: Range }>> = {
  air: { speedRadps: [250, 600], duty: [0.3, 0.9] },
  ground: { speedRadps: [0, 60], duty: [0, 0.1] },
  rest: { speedRadps: [0, 0], duty: [0, 0] },
  off: { speedRadps: [5, 400], duty: [0.3, 0.9] },
  start: { speedRadps: [0, 60], duty: [0.5, 1.2] },
};

function situationOf(k: number): Situation {
  if (k % 8 === 0) return k % 16 === 0 ? "ground" : "rest";
  if (k % 8 === 4) return "start";
  return k % 16 === 6 ? "off" : "air";
}

class Examples {
  private readonly parts: EquationsParts;
  private initial: Float64Array | undefined;

  constructor(parts: EquationsParts) {
    this.parts = parts;
  }

  readonly into = (x: Float64Array, u: Float64Array, k: number): void => {
    const random = new RandomStream(k, "examples");
    const between = (low: number, high: number) => low + (high - low) * random.uniform();
    if (this.initial === undefined) {
      this.initial = new Float64Array(x.length);
      this.parts.initialInto(this.initial);
    }
    x.set(this.initial);
    const state = stateView(x, this.parts.constants);
    this.bodyInto(state, k, between);
    this.powerInto(state, situationOf(k), between);
    this.inputInto(u, situationOf(k), between);
  };

  private bodyInto(x: State, k: number, between: Between): void {
    const { reach } = this.parts.constants;
    const situation = situationOf(k);
    const isOnGround = situation === "ground" || situation === "rest";
    x.posNed[2] = isOnGround ? reach * between(-1, 0.1) : k % 8 === 1 ? this.downAboveBorder() : between(-3000, -5);
    const maxSpeed = isOnGround ? 0.3 : between(0, 15);
    for (let i = 0; i < 3; i += 1) {
      x.velNed[i] = between(-maxSpeed, maxSpeed);
      x.rateBody[i] = between(-maxSpeed, maxSpeed) / 5;
    }
    const tilt = isOnGround ? 0.02 : 0.5;
    const q = [1, between(-tilt, tilt), between(-tilt, tilt), between(-2, 2)];
    const norm = Math.sqrt(q.reduce((sum, part) => sum + part * part, 0));
    q.forEach((part, i) => (x.qBodyToNed[i] = part / norm));
  }

  /**
   * Returns the down coordinate of a point slightly above the first segment border of the density table above the
   * origin, so that the examples use a second segment.
   */
  private downAboveBorder(): number {
    const { originAltitude, airSegments, airSegmentCount } = this.parts.constants;
    let s = 0;
    while (s + 1 < airSegmentCount && airSegments[s].floor <= originAltitude) s += 1;
    return originAltitude - (airSegments[s].floor + 0.01);
  }

  private powerInto(x: State, situation: Situation, between: Between): void {
    const { dims, constants } = this.parts;
    const meanSpeedRadps = between(...ROTORS[situation].speedRadps);
    for (let i = 0; i < constants.motorCount; i += 1) x.rotorSpeed[i] = meanSpeedRadps * between(0.8, 1.2);
    for (let i = 0; i < dims.batteries; i += 1) {
      // Choose charges near empty and full more often, because the segments of the open-circuit curve are short there.
      const part = between(0, 1);
      x.batterySoc[i] = part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) * (1 - part);
      x.batteryV1[i] = between(0, 0.3);
      if (constants.hasSecondRc !== 0) x.batteryV2[i] = between(0, 0.3);
    }
    const duty = between(...ROTORS[situation].duty);
    for (let i = 0; i < dims.rotors; i += 1) {
      x.motorOutput[i] = duty * between(0.8, 1);
      if (constants.offsets.motorOutputRate > 0) x.motorOutputRate[i] = between(-2, 2);
    }
    for (let i = 0; i < constants.servoCount; i += 1) x.servoOutput[i] = between(-1, 1);
  }

  private inputInto(u: Float64Array, situation: Situation, between: Between): void {
    const { dims, constants } = this.parts;
    const input = inputView(u, constants);
    u.fill(0);
    for (let i = 0; i < 3; i += 1) input.windNed[i] = between(-5, 5);
    for (let i = 0; i < dims.rotors; i += 1) input.wakeUnsteadiness[i] = between(-2, 2);
    for (let i = 0; i < dims.rotors; i += 1) input.motorGain[i] = situation === "off" ? Math.floor(between(0, 2)) : 1;
    for (let i = 0; i < dims.batteries; i += 1) input.batteryConnected[i] = 1;
    for (let i = constants.offsets.motorCommand; i < u.length; i += 1) u[i] = between(0, 1);
    const isGusty = between(0, 1) < 0.5;
    for (let i = 0; i < 3; i += 1) input.gustRateNed[i] = isGusty ? between(-1, 1) : 0;
  }
}

type Between = (low: number, high: number) => number;
