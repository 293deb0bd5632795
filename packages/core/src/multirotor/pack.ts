/**
 * Converts a vehicle and its environment to flat numbers: the constants of the equations, and the layout of the state.
 *
 * It runs once, at assembly. Reciprocals are computed here so that the equations multiply instead of divide. The bits
 * of a flight depend on these roundings, as they do on the order of operations in the equations.
 */
import { type Dims, inputLayout } from "../engine/index.ts";
import { type Block, StateLayout, type Tolerance } from "../state/index.ts";
import { type Environment, gravityAt } from "../world/environment.ts";
import { airAtOrigin, flappingBlade, hoverBlade, reynoldsConstants } from "./blade.ts";
import { densityTable } from "./equations/air/density.ts";
import { calibrateThrust } from "./equations/rotors/calibration.ts";
import { groundConstants } from "./equations/rotors/ground.ts";
import {
  ACTUATOR_DIRECT,
  ACTUATOR_FIRST,
  ACTUATOR_SECOND,
  AIR_SEGMENT_CELLS,
  FIXED_N,
  FIXED_P,
  type GivenConstants,
  LEVEL_LINEAR,
  LEVEL_MOMENTUM,
  LEVEL_REFERENCE,
  type LevelConstants,
  packConstants,
  type State,
  VEHICLE_MAP,
} from "./memory.ts";
import { contactPoints, gripCount, inertiaEntries, type Vehicle } from "./vehicle.ts";

export interface PackedVehicle {
  readonly dims: Dims;
  readonly layout: StateLayout;
  readonly p: Float64Array;
  readonly n: Int32Array;
}

const LEVEL_CODES = { linear: LEVEL_LINEAR, reference: LEVEL_REFERENCE, momentum: LEVEL_MOMENTUM } as const;
const ACTUATOR_CODES = {
  direct: ACTUATOR_DIRECT,
  firstOrder: ACTUATOR_FIRST,
  secondOrder: ACTUATOR_SECOND,
} as const;

export function packMultirotor(vehicle: Vehicle, environment: Environment): PackedVehicle {
  const dims = { rotors: vehicle.rotors.length, batteries: vehicle.batteries.length, buses: vehicle.buses.length };
  const layout = stateLayout(vehicle);
  const air = densityTable(environment.atmosphere);
  const p = new Float64Array(FIXED_P + air.segments.length);
  const n = new Int32Array(FIXED_N + air.cells.length);
  p.set(air.segments, FIXED_P);
  packConstants(p, n, {
    ...bodyConstants(vehicle, environment),
    ...propulsionConstants(vehicle, environment),
    ...powerConstants(vehicle),
    ...contactConstants(vehicle),
    offsets: offsetsOf(layout, dims),
    airStart: air.startM,
    inverseAirCell: air.invCellPerM,
    airCellCount: air.cells.length,
    // Do not count the closing segment.
    airSegmentCount: air.segments.length / AIR_SEGMENT_CELLS - 1,
    airCells: air.cells,
  });
  return { dims, layout, p, n };
}

const NED = ["n", "e", "d"];
const XYZ = ["x", "y", "z"];

/** Returns the layout of the state, without blocks that the vehicle does not need. */
function stateLayout(vehicle: Vehicle): StateLayout {
  const rotors = vehicle.rotors.length;
  const servos = vehicle.servos.length;
  const batteries = vehicle.batteries.length;
  const hasMotors = vehicle.propulsion.level !== "linear";
  const hasSecondRc = vehicle.batteries.some((battery) => battery.r2Ohm > 0);
  const block = (
    name: keyof State,
    size: number,
    unit: string,
    group: string,
    tolerance: Tolerance,
    components?: string[],
  ): Block =>
    components === undefined
      ? { name, size, unit, kind: "vector", group, tolerance }
      : { name, size, unit, kind: "vector", group, tolerance, components };
  const body = { absolute: 1e-6, relative: 1e-7 };
  const actuators = { absolute: 1e-6, relative: 0 };
  const volts = { absolute: 1e-3, relative: 0 };
  const motorRates = vehicle.motorActuator.kind === "secondOrder" ? rotors : 0;
  const servoRates = vehicle.servoActuator.kind === "secondOrder" ? servos : 0;
  return new StateLayout([
    block("posNed", 3, "m", "position", body, NED),
    block("velNed", 3, "m/s", "velocity", body, NED),
    {
      name: "qBodyToNed",
      size: 4,
      unit: "1",
      kind: "attitude",
      group: "attitude",
      tolerance: { absolute: 1e-6, relative: 0 },
      components: ["w", "x", "y", "z"],
      rateBlock: "rateBody",
    },
    block("rateBody", 3, "rad/s", "rate", body, XYZ),
    block("motorOutput", rotors, "1", "actuators", actuators),
    block("motorOutputRate", motorRates, "1/s", "actuators", { absolute: 1e-4, relative: 0 }),
    block("servoOutput", servos, "1", "actuators", actuators),
    block("servoOutputRate", servoRates, "1/s", "actuators", { absolute: 1e-4, relative: 0 }),
    block("rotorSpeed", hasMotors ? rotors : 0, "rad/s", "rotors", { absolute: 1e-2, relative: 0 }),
    block("batterySoc", batteries, "1", "battery", { absolute: 1e-6, relative: 0 }),
    block("batteryV1", batteries, "V", "battery", volts),
    block("batteryV2", hasSecondRc ? batteries : 0, "V", "battery", volts),
    block("contactStretch", 2 * gripCount(vehicle), "m", "contact", { absolute: 1e-6, relative: 0 }),
  ]);
}

/** Returns the offsets of blocks and signals. A block that the vehicle does not have has offset 0 and is never read. */
function offsetsOf(layout: StateLayout, dims: Dims): GivenConstants["offsets"] {
  const inputs: Readonly<Record<string, number>> = inputLayout(dims).offsets;
  const offsetOf = (name: string) => layout.find(name)?.offset ?? inputs[name] ?? 0;
  const names = Object.keys(VEHICLE_MAP.offsets);
  return Object.fromEntries(names.map((name) => [name, offsetOf(name)])) as GivenConstants["offsets"];
}

/** Returns the entries xx, yy, zz, xy, xz, yz of the inverse of a tensor with these entries. */
export function inverseInertia([xx, yy, zz, xy, xz, yz]: readonly number[]): number[] {
  const determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  const cofactors = [
    yy * zz - yz * yz,
    xx * zz - xz * xz,
    xx * yy - xy * xy,
    xz * yz - xy * zz,
    xy * yz - xz * yy,
    xy * xz - xx * yz,
  ];
  return cofactors.map((cofactor) => cofactor / determinant);
}

function bodyConstants(vehicle: Vehicle, environment: Environment) {
  const inertia = inertiaEntries(vehicle);
  return {
    inverseMass: 1 / vehicle.massKg,
    linearDrag: vehicle.drag.linearNSPerM,
    dragArea: vehicle.drag.areaM2,
    dragCentre: vehicle.drag.centreM,
    hasBodyDrag: vehicle.drag.areaM2.some((area) => area > 0) ? 1 : 0,
    hasSideForce: hasSideForce(vehicle) ? 1 : 0,
    angularDamping: vehicle.drag.angularNmSPerRad,
    inertia,
    inverseInertia: inverseInertia(inertia),
    gravity: environment.gravity.coefficients,
    originAltitude: environment.origin.altMslM,
  };
}

/** Whether rotors or body drag can cause a force along the body's x or y axis. The thrust of upright rotors cannot. */
function hasSideForce({ drag, propulsion, rotors }: Vehicle): boolean {
  const isUpright = rotors.every(({ axis }) => axis[0] === 0 && axis[1] === 0);
  return propulsion.level === "momentum" || !isUpright || drag.areaM2.some((area) => area > 0);
}

function actuatorConstants({ kind, tauS, naturalRadS, damping, rateLimitPerS }: Vehicle["motorActuator"]) {
  const constants = {
    inverseTau: 1 / tauS,
    approachRate: naturalRadS / (2 * damping),
    dampingRate: 2 * damping * naturalRadS,
    rateLimit: rateLimitPerS,
  };
  return [ACTUATOR_CODES[kind], constants] as const;
}

function propulsionConstants(vehicle: Vehicle, environment: Environment) {
  const { propulsion } = vehicle;
  const air = airAtOrigin(environment);
  const [motorActuatorKind, motorActuator] = actuatorConstants(vehicle.motorActuator);
  const [servoActuatorKind, servoActuator] = actuatorConstants(vehicle.servoActuator);
  return {
    rotorCount: vehicle.rotors.length,
    motorCount: propulsion.level === "linear" ? 0 : vehicle.rotors.length,
    level: LEVEL_CODES[propulsion.level],
    hubInflow: propulsion.hubInflow ? 1 : 0,
    jamRate: 1 / propulsion.jamTimeS,
    motorActuatorKind,
    motorActuator,
    servoActuatorKind,
    servoActuator,
    servoCount: vehicle.servos.length,
    servoChannels: vehicle.servos.map((servo) => servo.channel - 1),
    rotors: rotorConstants(vehicle, environment),
    hover: hoverBlade(vehicle, environment, air),
    reynolds: reynoldsConstants(vehicle, air),
    ceiling: environment.ceilingM ?? 0,
    hasCeiling: environment.ceilingM === undefined ? 0 : 1,
    flapping: flappingBlade(vehicle),
    bladeShare: 1 / propulsion.blades,
    ground: groundConstants(vehicle),
    vortexRing: {
      loss: propulsion.momentum.vortexRingLoss,
      unsteadiness: propulsion.momentum.vortexRingUnsteadiness,
    },
  };
}

function rotorConstants(vehicle: Vehicle, environment: Environment): GivenConstants["rotors"] {
  const { propulsion } = vehicle;
  const { esc, motor } = propulsion;
  const level = levelConstants(vehicle, environment);
  return vehicle.rotors.map((rotor) => {
    const [x, y, z] = rotor.positionM;
    const length = Math.sqrt(
      rotor.axis[0] * rotor.axis[0] + rotor.axis[1] * rotor.axis[1] + rotor.axis[2] * rotor.axis[2],
    );
    const [ax, ay, az] = rotor.axis.map((part) => part / length);
    return {
      position: [x, y, z],
      axis: [ax, ay, az],
      arm: [z * ay - y * az, x * az - z * ax, y * ax - x * ay],
      direction: rotor.direction,
      spinInertia: -rotor.direction * propulsion.inertiaKgM2,
      inverseInertia: 1 / propulsion.inertiaKgM2,
      backEmfConstant: 60 / (2 * Math.PI * motor.kvRpmPerV),
      inverseResistance: 1 / motor.resistanceOhm,
      resistance: motor.resistanceOhm,
      idleCurrent: motor.idleCurrentA,
      friction: motor.frictionNmSPerRad,
      maxCurrent: motor.maxCurrentA,
      inverseEfficiency: 1 / esc.efficiency,
      deadzone: propulsion.level === "linear" ? 0 : esc.deadzone,
      radius: propulsion.radiusM,
      draw: 1 / (esc.efficiency * motor.resistanceOhm),
      maxDrop: motor.resistanceOhm * motor.maxCurrentA,
      channel: rotor.channel - 1,
      bus: vehicle.buses.findIndex((bus) => bus.name === rotor.bus),
      ...level,
    };
  });
}

/** Returns the thrust coefficient of level reference: as given, or calibrated to the vehicle's weight. */
function referenceThrust(vehicle: Vehicle, environment: Environment): number {
  const { thrustCoefficient } = vehicle.propulsion.reference;
  if (thrustCoefficient > 0) return thrustCoefficient;
  const weight = vehicle.massKg * gravityAt(environment.gravity, environment.origin.altMslM);
  return calibrateThrust(vehicle, weight / vehicle.rotors.length);
}

/**
 * Returns the vehicle with its calibrated thrust coefficient, so that later changes of other values do not affect this
 * coefficient.
 */
export function withCalibratedThrust(vehicle: Vehicle, environment: Environment): Vehicle {
  const { propulsion } = vehicle;
  if (propulsion.level !== "reference") return vehicle;
  const reference = { ...propulsion.reference, thrustCoefficient: referenceThrust(vehicle, environment) };
  return { ...vehicle, propulsion: { ...propulsion, reference } };
}

function levelConstants(vehicle: Vehicle, environment: Environment): LevelConstants {
  const { propulsion } = vehicle;
  if (propulsion.level === "linear") {
    return { linear: { maxThrust: propulsion.linear.maxThrustN, torqueRatio: propulsion.linear.torqueRatioM } };
  }
  if (propulsion.level === "reference") {
    const { torqueRatioM, inflowThrust, inflowTorque } = propulsion.reference;
    const kT = referenceThrust(vehicle, environment);
    return {
      reference: { thrust: kT, torque: torqueRatioM * kT, thrustInflow: inflowThrust, torqueInflow: inflowTorque },
    };
  }
  const blade = propulsion.momentum;
  return {
    momentum: {
      diskArea: Math.PI * propulsion.radiusM * propulsion.radiusM,
      lift: (blade.solidity * blade.liftSlopePerRad) / 6,
      pitch: blade.pitchRad,
      inverseStall: 1 / blade.stallRad,
      inducedFactor: blade.inducedFactor,
      profile: (blade.solidity * blade.profileDrag) / 8,
      inPlane: blade.inPlaneDrag,
      groundEffect: blade.groundEffect ? 1 : 0,
    },
  };
}

function powerConstants({ batteries, buses }: Vehicle) {
  return {
    batteryCount: batteries.length,
    busCount: buses.length,
    hasSecondRc: batteries.some((battery) => battery.r2Ohm > 0) ? 1 : 0,
    hasIdealBattery: batteries.some((battery) => battery.model === "ideal") ? 1 : 0,
    buses: buses.map((bus) => ({ power: bus.avionicsW, brownOut: bus.brownOutV })),
    batteries: batteries.map((battery) => {
      const isIdeal = battery.model === "ideal";
      const hasSecond = !isIdeal && battery.r2Ohm > 0;
      const { ocvSoc: soc, ocvV: volts } = battery;
      return {
        // An ideal source has no resistance, so any positive conductance marks it as connected.
        conductance: isIdeal ? 1 : 1 / battery.resistanceOhm,
        inverseCharge: 1 / (3600 * battery.capacityAh),
        rate1: isIdeal ? 0 : 1 / (battery.r1Ohm * battery.c1F),
        inverseC1: isIdeal ? 0 : 1 / battery.c1F,
        rate2: hasSecond ? 1 / (battery.r2Ohm * battery.c2F) : 0,
        inverseC2: hasSecond ? 1 / battery.c2F : 0,
        cutoff: isIdeal ? 0 : battery.cutoffV,
        lowSoc: battery.lowSoc,
        criticalSoc: battery.criticalSoc,
        emergencySoc: battery.emergencySoc,
        curveSoc: soc,
        curveVoltage: volts,
        curveSlope: soc.map((_, k) => (k + 1 < soc.length ? (volts[k + 1] - volts[k]) / (soc[k + 1] - soc[k]) : 0)),
        bus: buses.findIndex((bus) => bus.name === battery.bus),
        isIdeal: isIdeal ? 1 : 0,
        knotCount: soc.length,
      };
    }),
  };
}

function contactConstants(vehicle: Vehicle) {
  const points = contactPoints(vehicle);
  const { bounceRadS, dissipationSPerM, dampingPerS, friction, slipMps, gripPerS, gripRadS } = vehicle.contact;
  const gripping = gripCount(vehicle);
  const minInertia = Math.min(...inertiaEntries(vehicle).slice(0, 2));
  const distances = points.map(({ positionM: [x, y, z] }) => Math.sqrt(x * x + y * y + z * z));
  return {
    pointCount: points.length,
    gripCount: gripping,
    // Make the reach slightly larger, so that rounding cannot hide a contact.
    reach: Math.max(0, ...distances) * (1 + 1e-9),
    points: points.map(({ positionM }, i) => ({
      position: positionM,
      stiffness: (vehicle.massKg * bounceRadS * bounceRadS) / 4,
      dissipation: 1.5 * dissipationSPerM,
      inverseDamping: 4 / (vehicle.massKg * dampingPerS),
      friction,
      slipSpeed2: slipMps * slipMps,
      // A sideways force at a foot also rotates the vehicle, so the effective mass is smaller than the total mass.
      inverseGrip:
        (4 / gripPerS) * (1 / vehicle.massKg + (i < gripping ? (positionM[2] * positionM[2]) / minInertia : 0)),
      releaseRate: (gripRadS * gripRadS) / gripPerS,
    })),
  };
}
