/**
 * The memory of the multirotor's equations: every constant, state, input and intermediate value, declared once.
 *
 * The equations read and write typed views (`rotor.maxCurrent`, `w.thrust[i]`). Each view is declared by the function
 * that builds it over a flat array. Generated code and the C++ twin in bench/native use the arrays themselves:
 *   p  constants of the vehicle          x  state (dx its derivative)      w  scratch
 *   n  its counts, codes and offsets     u  input
 * A view of an array in which every element is its own index is a map of that array (`VEHICLE_MAP`, `SCRATCH_MAP`):
 * packing, the translator of the equations and the C++ header take every offset from these maps.
 *
 * Tables have a fixed length, so that their offsets do not depend on the vehicle. The gaps between them are reserved
 * for new fields, because the WebAssembly build of the C++ twin contains these offsets: a new field in a gap does not
 * move the other fields.
 *
 * This file is long because it declares all memory.
 */
import { type Dims, SIGNAL_NAMES, type SignalName, signalSpec, type SignalTable, sizeOf } from "../signals/table.ts";

/** Maximum lengths of the tables, which are the limits of the vehicle description. */
export const MAX_COUNTS = { rotors: 12, servos: 8, batteries: 8, buses: 8, points: 32, knots: 12 } as const;

/** Propulsion levels, as in `vehicle.level`. */
export const LEVEL_LINEAR = 0;
export const LEVEL_REFERENCE = 1;
export const LEVEL_MOMENTUM = 2;

/** Kinds of actuators, as in `vehicle.motorActuatorKind`. */
export const ACTUATOR_DIRECT = 0;
export const ACTUATOR_FIRST = 1;
export const ACTUATOR_SECOND = 2;

/** Offsets in p and n at which tables start. */
const ROTORS_AT = 64;
const BATTERIES_AT = 448;
const BUSES_AT = 832;
const POINTS_AT = 864;
const AIR_SEGMENTS_AT = 1200;
const AIR_CELLS_AT = 96;

/** Numbers per element of each table. */
const ROTOR_CELLS = 32;
const BATTERY_CELLS = 48;
const BUS_CELLS = 4;
const POINT_CELLS = 10;
export const AIR_SEGMENT_CELLS = 12;

/** Assigns the cells of an array to fields, one after the other. */
class Cells<A extends Float64Array | Int32Array> {
  private readonly array: A;
  at: number;

  constructor(array: A, at: number) {
    this.array = array;
    this.at = at;
  }

  /** Returns a copy of one number. */
  one(): number {
    this.at += 1;
    return this.array[this.at - 1];
  }

  /** Returns a view of `count` numbers. */
  some(count: number): Float64Array {
    this.at += count;
    return this.array.subarray(this.at - count, this.at) as Float64Array;
  }
}

function tableOf<T>(count: number, element: (i: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, i) => element(i));
}

/** An actuator with command c and output y. First order: ẏ = (c − y)/τ. Second order: see actuators.ts. */
export type ActuatorConstants = ReturnType<typeof actuatorConstants>;
function actuatorConstants(cells: Cells<Float64Array>) {
  return {
    /** 1/τ. */
    inverseTau: cells.one(),
    /** ωn/(2ζ). */
    approachRate: cells.one(),
    /** 2ζωn. */
    dampingRate: cells.one(),
    rateLimit: cells.one(),
  };
}

function linearConstants(cells: Cells<Float64Array>) {
  return { maxThrust: cells.one(), torqueRatio: cells.one() };
}

/** kT, kQ, c_T and c_Q. */
function referenceConstants(cells: Cells<Float64Array>) {
  return { thrust: cells.one(), torque: cells.one(), thrustInflow: cells.one(), torqueInflow: cells.one() };
}

function momentumConstants(cells: Cells<Float64Array>) {
  return {
    diskArea: cells.one(),
    /** σa/6 at high Reynolds numbers. */
    lift: cells.one(),
    pitch: cells.one(),
    inverseStall: cells.one(),
    /** κ. */
    inducedFactor: cells.one(),
    /** σ·Cd0/8 at high Reynolds numbers. */
    profile: cells.one(),
    /** c_H. */
    inPlane: cells.one(),
    /** 1 if the ground acts on the inflow, else 0. */
    groundEffect: cells.one(),
  };
}

type RotorConstants = ReturnType<typeof rotorConstants>;
function rotorConstants(p: Float64Array, n: Int32Array, i: number) {
  const start = ROTORS_AT + i * ROTOR_CELLS;
  const cells = new Cells(p, start);
  const load = new Cells(p, start + 30);
  return {
    position: cells.some(3),
    /** Unit vector a along which the thrust is −T·a. */
    axis: cells.some(3),
    /** r × (−a): moment about the centre of mass per newton of thrust. */
    arm: cells.some(3),
    direction: cells.one(),
    /** −direction·J: angular momentum about the axis per rad/s. */
    spinInertia: cells.one(),
    inverseInertia: cells.one(),
    /** Ke, V·s/rad. */
    backEmfConstant: cells.one(),
    inverseResistance: cells.one(),
    resistance: cells.one(),
    idleCurrent: cells.one(),
    friction: cells.one(),
    maxCurrent: cells.one(),
    /** 1/η of the speed controller. */
    inverseEfficiency: cells.one(),
    deadzone: cells.one(),
    radius: cells.one(),
    // The constants of the three propulsion levels share cells, because a vehicle has only one level.
    linear: linearConstants(new Cells(p, start + 21)),
    reference: referenceConstants(new Cells(p, start + 21)),
    momentum: momentumConstants(new Cells(p, start + 21)),
    /** 1/(η·R): bus current per volt across the winding at full duty. */
    draw: load.one(),
    /** R·Imax. */
    maxDrop: load.one(),
    /** Index of its command among the motor channels. */
    channel: n[32 + i],
    bus: n[44 + i],
  };
}

function batteryConstants(p: Float64Array, n: Int32Array, i: number) {
  const start = BATTERIES_AT + i * BATTERY_CELLS;
  const cells = new Cells(p, start);
  const curve = new Cells(p, start + 12);
  return {
    /** 1/R0. */
    conductance: cells.one(),
    /** 1/Q, Q in coulombs. */
    inverseCharge: cells.one(),
    /** 1/(R1·C1) of the first RC pair. */
    rate1: cells.one(),
    inverseC1: cells.one(),
    /** 1/(R2·C2) of the second RC pair. */
    rate2: cells.one(),
    inverseC2: cells.one(),
    cutoff: cells.one(),
    lowSoc: cells.one(),
    criticalSoc: cells.one(),
    emergencySoc: cells.one(),
    /** Knots of the open-circuit voltage as a function of charge, and the slope after each knot. */
    curveSoc: curve.some(MAX_COUNTS.knots),
    curveVoltage: curve.some(MAX_COUNTS.knots),
    curveSlope: curve.some(MAX_COUNTS.knots),
    bus: n[64 + i],
    isIdeal: n[72 + i],
    knotCount: n[80 + i],
  };
}

function busConstants(p: Float64Array, i: number) {
  const cells = new Cells(p, BUSES_AT + i * BUS_CELLS);
  return {
    /** Constant power of the avionics, W. */
    power: cells.one(),
    brownOut: cells.one(),
  };
}

/** Declares the constants of a contact point; the symbols are those of contact.ts. */
function pointConstants(p: Float64Array, i: number) {
  const cells = new Cells(p, POINTS_AT + i * POINT_CELLS);
  return {
    position: cells.some(3),
    stiffness: cells.one(),
    /** 1.5·α. */
    dissipation: cells.one(),
    friction: cells.one(),
    /** v_slip². */
    slipSpeed2: cells.one(),
    /** 1/c_grip. */
    inverseGrip: cells.one(),
    /** 1/c_max. */
    inverseDamping: cells.one(),
    /** k_grip/c_grip. */
    releaseRate: cells.one(),
  };
}

/** One polynomial of the density table, in t = (h − centre)/half width. */
function airSegment(p: Float64Array, i: number) {
  const cells = new Cells(p, AIR_SEGMENTS_AT + i * AIR_SEGMENT_CELLS);
  return { floor: cells.one(), centre: cells.one(), inverseHalf: cells.one(), coefficients: cells.some(9) };
}

/**
 * Declares the blade in hover: its inflow λh, C_T/lift near λh as offset + slope·angle, and 1/λh² of an unstalled
 * blade.
 */
function hoverBlade(cells: Cells<Float64Array>) {
  return {
    inflow: cells.one(),
    thrustOffset: cells.one(),
    thrustSlope: cells.one(),
    inverseUnstalledInflow2: cells.one(),
  };
}

/**
 * In-plane force and hub moment of flapping blades; the symbols are those of flapping.ts. The signs of the cross parts
 * depend on the rotor's direction.
 */
function flappingBlade(cells: Cells<Float64Array>) {
  return {
    /** 8/(1 + S²). */
    tilt: cells.one(),
    /** 8·S/(1 + S²). */
    crossTilt: cells.one(),
    /** 3R·S/(1 + S²), to be multiplied by the blade's lift σa/6. */
    moment: cells.one(),
    /** 3R·S²/(1 + S²), to be multiplied by the blade's lift σa/6. */
    crossMoment: cells.one(),
  };
}

/** Thrust lost in the vortex ring state, and the standard deviation of its random part; see descent.ts. */
function vortexRingConstants(cells: Cells<Float64Array>) {
  return { loss: cells.one(), unsteadiness: cells.one() };
}

/** Ground effect of the other rotors; the symbols are those of ground.ts. */
function groundConstants(cells: Cells<Float64Array>) {
  return {
    /** Height below which the other rotors have an effect; 0 if this effect is switched off. */
    reach: cells.one(),
    /** K_b. */
    fountain: cells.one(),
    /** b². */
    span2: cells.one(),
  };
}

/** Dependence of the blade section on the Reynolds number; the symbols are those of reynolds.ts. */
function reynoldsConstants(cells: Cells<Float64Array>) {
  return {
    /** Re/Re_t per ρ·ΩR. */
    scale: cells.one(),
    /** Fraction of the lift that is lost at low Reynolds numbers. */
    liftLoss: cells.one(),
    /** Fraction of the drag that is added at low Reynolds numbers. */
    dragGain: cells.one(),
  };
}

/** Offsets of the blocks of x and of the signals of u. */
function offsetsOf(codes: Cells<Int32Array>, n: Int32Array) {
  return {
    motorOutputRate: codes.one(),
    servoOutput: codes.one(),
    servoOutputRate: codes.one(),
    rotorSpeed: codes.one(),
    batterySoc: codes.one(),
    batteryV1: codes.one(),
    batteryV2: codes.one(),
    motorGain: codes.one(),
    motorOffset: codes.one(),
    motorJam: codes.one(),
    batteryConnected: codes.one(),
    windNed: codes.one(),
    posNed: n[26],
    velNed: n[27],
    qBodyToNed: n[28],
    rateBody: n[29],
    motorOutput: n[30],
    motorCommand: n[31],
    servoCommand: n[88],
    contactStretch: n[90],
    propellerChip: n[92],
    wakeUnsteadiness: n[91],
    gustRateNed: n[93],
  };
}

/** The constants of a vehicle in its environment, over p and n. Counts, codes, flags and offsets are whole numbers. */
export type VehicleConstants = ReturnType<typeof vehicleConstants>;
export function vehicleConstants(p: Float64Array, n: Int32Array) {
  const cells = new Cells(p, 0);
  const codes = new Cells(n, 0);
  const segmentCount = Math.floor((p.length - AIR_SEGMENTS_AT) / AIR_SEGMENT_CELLS);
  return {
    inverseMass: cells.one(),
    /** c_d of the reference level, N·s/m. */
    linearDrag: cells.one(),
    /** C_d·A along each body axis. */
    dragArea: cells.some(3),
    dragCentre: cells.some(3),
    angularDamping: cells.some(3),
    /** xx, yy, zz, xy, xz, yz. */
    inertia: cells.some(6),
    inverseInertia: cells.some(6),
    /** g(h) = (g0 + g1·h + g2·h²)/(1 + g3·h)². */
    gravity: cells.some(4),
    originAltitude: cells.one(),
    /** 1 if the inflow includes the hub's own velocity ω × r, else 0. */
    hubInflow: cells.one(),
    jamRate: cells.one(),
    motorActuator: actuatorConstants(cells),
    servoActuator: actuatorConstants(cells),
    /** Distance of the farthest contact point from the centre of mass. */
    reach: cells.one(),
    airStart: cells.one(),
    inverseAirCell: cells.one(),
    hover: hoverBlade(cells),
    /** Serial number of the vehicle that was last packed into these arrays. */
    serial: cells.one(),
    flapping: flappingBlade(cells),
    /** Fraction of a rotor's thrust that one blade produces. */
    bladeShare: cells.one(),
    vortexRing: vortexRingConstants(cells),
    ground: groundConstants(cells),
    reynolds: reynoldsConstants(cells),
    /** Height of the ceiling over the ground, if `hasCeiling` is 1. */
    ceiling: cells.one(),

    rotorCount: codes.one(),
    batteryCount: codes.one(),
    busCount: codes.one(),
    servoCount: codes.one(),
    pointCount: codes.one(),
    level: codes.one(),
    /** Motors that draw current: all of them, or none at the linear level. */
    motorCount: codes.one(),
    hasSecondRc: codes.one(),
    motorActuatorKind: codes.one(),
    servoActuatorKind: codes.one(),
    offsets: offsetsOf(codes, n),
    airCellCount: codes.one(),
    airSegmentCount: codes.one(),
    hasBodyDrag: codes.one(),
    hasIdealBattery: codes.one(),
    /** Contact points that grip: the first ones of `points`. */
    gripCount: n[89],
    hasCeiling: n[94],
    /** 1 if rotors or body drag can push the vehicle along its x or y axis, else 0. */
    hasSideForce: n[95],

    rotors: tableOf(MAX_COUNTS.rotors, (i) => rotorConstants(p, n, i)),
    /** Index of each servo's command among the servo channels. */
    servoChannels: n.subarray(56, 56 + MAX_COUNTS.servos),
    batteries: tableOf(MAX_COUNTS.batteries, (i) => batteryConstants(p, n, i)),
    buses: tableOf(MAX_COUNTS.buses, (i) => busConstants(p, i)),
    points: tableOf(MAX_COUNTS.points, (i) => pointConstants(p, i)),
    airSegments: tableOf(segmentCount, (i) => airSegment(p, i)),
    /** Index of the first segment of each altitude cell. */
    airCells: n.subarray(AIR_CELLS_AT),
  };
}

/** The state x, or its derivative dx, block by block. Blocks that a vehicle does not have must not be read. */
export type State = ReturnType<typeof stateView>;
export function stateView(x: Float64Array, { offsets }: VehicleConstants) {
  return {
    posNed: x.subarray(offsets.posNed),
    velNed: x.subarray(offsets.velNed),
    qBodyToNed: x.subarray(offsets.qBodyToNed),
    rateBody: x.subarray(offsets.rateBody),
    motorOutput: x.subarray(offsets.motorOutput),
    motorOutputRate: x.subarray(offsets.motorOutputRate),
    servoOutput: x.subarray(offsets.servoOutput),
    servoOutputRate: x.subarray(offsets.servoOutputRate),
    rotorSpeed: x.subarray(offsets.rotorSpeed),
    batterySoc: x.subarray(offsets.batterySoc),
    batteryV1: x.subarray(offsets.batteryV1),
    batteryV2: x.subarray(offsets.batteryV2),
    contactStretch: x.subarray(offsets.contactStretch),
  };
}

/** The input u, signal by signal. */
export type Input = ReturnType<typeof inputView>;
export function inputView(u: Float64Array, { offsets }: VehicleConstants) {
  return {
    motorGain: u.subarray(offsets.motorGain),
    motorOffset: u.subarray(offsets.motorOffset),
    motorJam: u.subarray(offsets.motorJam),
    propellerChip: u.subarray(offsets.propellerChip),
    batteryConnected: u.subarray(offsets.batteryConnected),
    windNed: u.subarray(offsets.windNed),
    wakeUnsteadiness: u.subarray(offsets.wakeUnsteadiness),
    gustRateNed: u.subarray(offsets.gustRateNed),
    motorCommand: u.subarray(offsets.motorCommand),
    servoCommand: u.subarray(offsets.servoCommand),
  };
}

/** Intermediate values that the equations pass to each other. A single number is an array of length one. */
export type Scratch = ReturnType<typeof scratchView>;
export function scratchView(w: Float64Array) {
  const cells = new Cells(w, 0);
  return {
    /** Attitude matrix body → NED, row by row. */
    rotation: cells.some(9),
    /** Velocity of the air past the centre of mass, body axes. */
    airVelocity: cells.some(3),
    /** Angular velocity of the vehicle relative to the air, body axes. */
    airRate: cells.some(3),
    density: cells.some(1),
    gravity: cells.some(1),
    altitude: cells.some(1),
    /** Force and moment on the airframe in body axes, and the angular momentum of the rotors. */
    force: cells.some(3),
    moment: cells.some(3),
    spin: cells.some(3),
    contactForceNed: cells.some(3),
    contactMoment: cells.some(3),
    /** Rate of each gripping point's stretch, north and east. */
    stretchRate: cells.some(2 * MAX_COUNTS.points),
    duty: cells.some(MAX_COUNTS.rotors),
    thrust: cells.some(MAX_COUNTS.rotors),
    torque: cells.some(MAX_COUNTS.rotors),
    /** Winding currents. */
    current: cells.some(MAX_COUNTS.rotors),
    /** Ke·Ω. */
    backEmf: cells.some(MAX_COUNTS.rotors),
    /** Nonzero while any rotor is jammed. */
    anyJammed: cells.some(1),
    /** Nonzero while any propeller is chipped. */
    anyChipped: cells.some(1),

    busVoltage: cells.some(MAX_COUNTS.buses),
    busLoad: cells.some(MAX_COUNTS.buses),
    /** Constant power that is supplied; 0 if the load is shed. */
    servedPower: cells.some(MAX_COUNTS.buses),
    sourceVoltage: cells.some(MAX_COUNTS.batteries),
    conductance: cells.some(MAX_COUNTS.batteries),
    /** Largest discharge current. */
    currentLimit: cells.some(MAX_COUNTS.batteries),
    batteryCurrent: cells.some(MAX_COUNTS.batteries),
    /** 0, or 1 + the bus that has no working point. */
    failedBus: cells.some(1),

    /**
     * The cells from here on belong to the momentum level; symbols as in momentum.ts. First the in-plane air velocity
     * at each hub, later the in-plane force: three numbers per rotor.
     */
    inPlane: cells.some(3 * MAX_COUNTS.rotors),
    hubMoment: cells.some(3 * MAX_COUNTS.rotors),
    inducedVelocity: cells.some(MAX_COUNTS.rotors),
    /** λi. */
    inflow: cells.some(MAX_COUNTS.rotors),
    /** λc. */
    climb: cells.some(MAX_COUNTS.rotors),
    /** μ². */
    across2: cells.some(MAX_COUNTS.rotors),
    /** m. */
    advance: cells.some(MAX_COUNTS.rotors),
    /** Angle of the blade at λi = 0. */
    bladeAngle: cells.some(MAX_COUNTS.rotors),
    /** Decrease of the blade's angle per λi. */
    angleSlope: cells.some(MAX_COUNTS.rotors),
    /** σa/6 at the blade's Reynolds number. */
    lift: cells.some(MAX_COUNTS.rotors),
    /** σ·Cd0/8 at the blade's Reynolds number. */
    profile: cells.some(MAX_COUNTS.rotors),
    thrustCoefficient: cells.some(MAX_COUNTS.rotors),
    /** Height of the hub over the ground. */
    height: cells.some(MAX_COUNTS.rotors),
    /** Factor by which attitude and speed reduce the ground effect. */
    shade: cells.some(MAX_COUNTS.rotors),
    /** F of the current step of the search for λ; symbols of the search as in inflow.ts. */
    flow: cells.some(MAX_COUNTS.rotors),
    /** F′. */
    flowSlope: cells.some(MAX_COUNTS.rotors),
    /** λ·F″. */
    flowBend: cells.some(MAX_COUNTS.rotors),
    /** Size of the step. */
    inflowStep: cells.some(MAX_COUNTS.rotors),
    /** Angle of the blade divided by the stall angle. */
    stallRatio: cells.some(MAX_COUNTS.rotors),
    /** r. */
    relief: cells.some(MAX_COUNTS.rotors),
    /** The signals whose writer is `outputs`, in the order of the bus. */
    outputs: w.subarray(cells.at),
  };
}

/** Signals that the plant writes. */
export type OutputName = { [N in SignalName]: SignalTable[N]["writer"] extends "outputs" ? N : never }[SignalName];
export const OUTPUT_NAMES = SIGNAL_NAMES.filter((name): name is OutputName => signalSpec(name).writer === "outputs");

/** The outputs by name, over `w.outputs`. */
export type Outputs = { readonly [N in OutputName]: Float64Array };
export function outputsView(outputs: Float64Array, dims: Dims): Outputs {
  let at = 0;
  const entries = OUTPUT_NAMES.map((name) => {
    at += sizeOf(signalSpec(name), dims);
    return [name, outputs.subarray(at - sizeOf(signalSpec(name), dims), at)] as const;
  });
  return Object.fromEntries(entries) as Outputs;
}

/** Number of views that a cache keeps. The integration methods with the most stages need one slope array per stage. */
const MAX_VIEWS = 16;

/** Caches views of arrays. A linear search among a few arrays is faster than a `WeakMap`. */
export class ViewCache<V, C = void> {
  private readonly build: (array: Float64Array, context: C) => V;
  private readonly arrays: Float64Array[] = [];
  private readonly views: V[] = [];
  /** The array of the last call, because most calls are for the same array again. */
  private lastArray: Float64Array | undefined;
  private lastView: V | undefined;

  /**
   * @param build makes a view; an array must always be passed with the same context, because only the array is the key
   */
  constructor(build: (array: Float64Array, context: C) => V) {
    this.build = build;
  }

  of(array: Float64Array, context: C): V {
    if (array === this.lastArray) return this.lastView!;
    this.lastArray = array;
    this.lastView = this.find(array, context);
    return this.lastView;
  }

  private find(array: Float64Array, context: C): V {
    const { arrays, views } = this;
    for (let i = 0; i < arrays.length; i += 1) if (arrays[i] === array) return views[i];
    if (arrays.length === MAX_VIEWS) {
      arrays.shift();
      views.shift();
    }
    const view = this.build(array, context);
    arrays.push(array);
    views.push(view);
    return view;
  }
}

export const FIXED_P = AIR_SEGMENTS_AT;
export const FIXED_N = AIR_CELLS_AT;

/**
 * A view of arrays of indices. Every element of p is its own index, and every element of n is −1 minus its own index,
 * so that the two cannot be confused. p ends after two air segments.
 */
export const VEHICLE_MAP = vehicleConstants(
  Float64Array.from({ length: FIXED_P + 2 * AIR_SEGMENT_CELLS }, (_, i) => i),
  Int32Array.from({ length: FIXED_N + 1 }, (_, i) => -1 - i),
);
export const SCRATCH_MAP = scratchView(Float64Array.from({ length: 1024 }, (_, i) => i));
export const SCRATCH_SIZE =
  SCRATCH_MAP.outputs[0] + OUTPUT_NAMES.reduce((sum, name) => sum + sizeOf(signalSpec(name), MAX_COUNTS), 0);

/** The type T with plain lists instead of typed arrays. */
type Given<T> = T extends Float64Array | Int32Array
  ? ArrayLike<number>
  : T extends readonly (infer E)[]
    ? readonly Given<E>[]
    : T extends object
      ? { readonly [K in keyof T]: Given<T[K]> }
      : T;

/** Constants to be packed, with the numbers of one propulsion level. The density table is copied separately. */
export type GivenConstants = Omit<Given<VehicleConstants>, "serial" | "rotors" | "airSegments"> & {
  readonly rotors: readonly GivenRotor[];
};
type GivenRotor = Omit<Given<RotorConstants>, Level> & LevelConstants;
type Level = "linear" | "reference" | "momentum";
export type LevelConstants = { [L in Level]: Pick<Given<RotorConstants>, L> }[Level];

let serial = 0;

/** Writes constants into p and n. */
export function packConstants(p: Float64Array, n: Int32Array, given: GivenConstants): void {
  serial += 1;
  packInto(p, n, { ...given, serial }, VEHICLE_MAP);
}

function packInto(p: Float64Array, n: Int32Array, given: unknown, map: unknown): void {
  if (typeof map === "number") {
    if (map >= 0) p[map] = given as number;
    else n[-1 - map] = given as number;
  } else if (map instanceof Float64Array) {
    p.set(given as ArrayLike<number>, map[0]);
  } else if (map instanceof Int32Array) {
    n.set(given as ArrayLike<number>, -1 - map[0]);
  } else {
    for (const [key, value] of Object.entries(given as object))
      packInto(p, n, value, (map as Record<string, unknown>)[key]);
  }
}
