/**
 * A vehicle and its environment as flat numbers: the parameter arrays of the equations, and the state's layout.
 *
 * Done once, at assembly. Reciprocals are taken here so that the equations multiply; the order of operations in the
 * equations is part of what is flown, and so are these roundings.
 */
import { type Dims, inputLayout } from "../engine/index.ts";
import { type Block, StateLayout, type Tolerance } from "../state/index.ts";
import { densityTable } from "./equations/air/density.ts";
import { type Environment, gravityAt } from "../world/environment.ts";
import { AIR, BATTERY, BUS, CODES, N, N_FIXED_SIZE, P, P_FIXED_SIZE, POINT, ROTOR } from "./memory.ts";
import { calibrateThrust } from "./equations/rotors/calibration.ts";
import { contactPoints, inertiaEntries, type Vehicle } from "./vehicle.ts";
import type { StateBlockName } from "./state-blocks.ts";

export interface Packed {
  readonly dims: Dims;
  readonly layout: StateLayout;
  /** Parameters. */
  readonly p: Float64Array;
  /** Whole numbers: counts, offsets and memberships. */
  readonly n: Int32Array;
}

const LEVEL_CODES = {
  linear: CODES.LEVEL_LINEAR,
  reference: CODES.LEVEL_REFERENCE,
  momentum: CODES.LEVEL_MOMENTUM,
} as const;

const ACTUATOR_CODES = {
  direct: CODES.ACTUATOR_DIRECT,
  firstOrder: CODES.ACTUATOR_FIRST,
  secondOrder: CODES.ACTUATOR_SECOND,
} as const;

export function packMultirotor(vehicle: Vehicle, environment: Environment): Packed {
  const dims = { rotors: vehicle.rotors.length, batteries: vehicle.batteries.length, buses: vehicle.buses.length };
  const layout = stateLayout(vehicle);
  const air = densityTable(environment.atmosphere);
  const p = new Float64Array(P_FIXED_SIZE + air.segments.length);
  const n = new Int32Array(N_FIXED_SIZE + air.cells.length);
  p[P.P_AIR_START] = air.startM;
  p[P.P_AIR_INV_CELL] = air.invCellPerM;
  p.set(air.segments, P.P_AIR);
  n[N.N_AIR_CELLS] = air.cells.length;
  n[N.N_AIR_SEGMENTS] = air.segments.length / AIR.AIR_STRIDE - 1;
  n.set(air.cells, N.N_AIR_CELL);
  packOffsets(n, vehicle, layout, dims);
  packBody(p, vehicle, environment);
  packActuator(p, P.P_MOTOR_ACTUATOR, vehicle.motorActuator);
  packActuator(p, P.P_SERVO_ACTUATOR, vehicle.servoActuator);
  packRotors(p, n, vehicle, environment);
  packPower(p, n, vehicle);
  packContact(p, n, vehicle);
  return { dims, layout, p, n };
}

const NED = ["n", "e", "d"];
const XYZ = ["x", "y", "z"];

/** Blocks in the order of `X` and `N`; those a vehicle does not need are left out. */
function stateLayout(vehicle: Vehicle): StateLayout {
  const rotors = vehicle.rotors.length;
  const servos = vehicle.servos.length;
  const batteries = vehicle.batteries.length;
  const spins = vehicle.propulsion.level !== "linear";
  const twoRc = vehicle.batteries.some((battery) => battery.r2Ohm > 0);
  const block = (
    name: StateBlockName,
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
    block("rotorSpeed", spins ? rotors : 0, "rad/s", "rotors", { absolute: 1e-2, relative: 0 }),
    block("batterySoc", batteries, "1", "battery", { absolute: 1e-6, relative: 0 }),
    block("batteryV1", batteries, "V", "battery", volts),
    block("batteryV2", twoRc ? batteries : 0, "V", "battery", volts),
  ]);
}

function packOffsets(n: Int32Array, vehicle: Vehicle, layout: StateLayout, dims: Dims): void {
  const at = (name: string) => layout.find(name)?.offset ?? 0;
  const { offsets } = inputLayout(dims);
  n[N.N_ROTORS] = dims.rotors;
  n[N.N_BATTERIES] = dims.batteries;
  n[N.N_BUSES] = dims.buses;
  n[N.N_SERVOS] = vehicle.servos.length;
  n[N.N_LEVEL] = LEVEL_CODES[vehicle.propulsion.level];
  n[N.N_MOTORS] = vehicle.propulsion.level === "linear" ? 0 : dims.rotors;
  n[N.N_TWO_RC] = layout.find("batteryV2") === undefined ? 0 : 1;
  n[N.N_MOTOR_ACTUATOR] = ACTUATOR_CODES[vehicle.motorActuator.kind];
  n[N.N_SERVO_ACTUATOR] = ACTUATOR_CODES[vehicle.servoActuator.kind];
  n[N.N_X_MOTOR_RATE] = at("motorOutputRate");
  n[N.N_X_SERVO] = at("servoOutput");
  n[N.N_X_SERVO_RATE] = at("servoOutputRate");
  n[N.N_X_SPEED] = at("rotorSpeed");
  n[N.N_X_SOC] = at("batterySoc");
  n[N.N_X_V1] = at("batteryV1");
  n[N.N_X_V2] = at("batteryV2");
  n[N.N_BODY_DRAG] = vehicle.drag.areaM2.some((area) => area > 0) ? 1 : 0;
  n[N.N_IDEAL] = vehicle.batteries.some((battery) => battery.model === "ideal") ? 1 : 0;
  n[N.N_U_GAIN] = offsets.motorGain;
  n[N.N_U_OFFSET] = offsets.motorOffset;
  n[N.N_U_JAM] = offsets.motorJam;
  n[N.N_U_CONNECTED] = offsets.batteryConnected;
  n[N.N_U_WIND] = offsets.windNed;
  vehicle.rotors.forEach((rotor, i) => {
    n[N.N_U_MOTOR + i] = offsets.motorCommand + rotor.channel - 1;
    n[N.N_ROTOR_BUS + i] = vehicle.buses.findIndex((bus) => bus.name === rotor.bus);
  });
  vehicle.servos.forEach((servo, i) => {
    n[N.N_U_SERVO + i] = offsets.servoCommand + servo.channel - 1;
  });
}

function packBody(p: Float64Array, vehicle: Vehicle, environment: Environment): void {
  p[P.P_INV_MASS] = 1 / vehicle.massKg;
  p[P.P_DRAG] = vehicle.drag.linearNSPerM;
  p.set(vehicle.drag.areaM2, P.P_DRAG_AREA);
  p.set(vehicle.drag.centreM, P.P_DRAG_CENTRE);
  p.set(vehicle.drag.angularNmSPerRad, P.P_DAMPING);
  const entries = inertiaEntries(vehicle);
  p.set(entries, P.P_INERTIA);
  const [xx, yy, zz, xy, xz, yz] = entries;
  const determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  const cofactors = [
    yy * zz - yz * yz,
    xx * zz - xz * xz,
    xx * yy - xy * xy,
    xz * yz - xy * zz,
    xy * yz - xz * yy,
    xy * xz - xx * yz,
  ];
  cofactors.forEach((cofactor, i) => (p[P.P_INV_INERTIA + i] = cofactor / determinant));
  p.set(environment.gravity.coefficients, P.P_GRAVITY);
  p[P.P_ORIGIN_ALTITUDE] = environment.origin.altMslM;
  p[P.P_HUB_INFLOW] = vehicle.propulsion.hubInflow ? 1 : 0;
  p[P.P_JAM_RATE] = 1 / vehicle.propulsion.jamTimeS;
}

function packActuator(p: Float64Array, at: number, actuator: Vehicle["motorActuator"]): void {
  p[at] = 1 / actuator.tauS;
  p[at + 1] = actuator.naturalRadS / (2 * actuator.damping);
  p[at + 2] = 2 * actuator.damping * actuator.naturalRadS;
  p[at + 3] = actuator.rateLimitPerS;
}

function packRotors(p: Float64Array, n: Int32Array, vehicle: Vehicle, environment: Environment): void {
  const { propulsion } = vehicle;
  const { esc, motor } = propulsion;
  const level = levelNumbers(vehicle, environment);
  if (propulsion.level === "momentum") packInflow(p, vehicle);
  vehicle.rotors.forEach((rotor, i) => {
    const r = P.P_ROTOR + i * ROTOR.ROTOR_STRIDE;
    const [x, y, z] = rotor.positionM;
    const length = Math.sqrt(
      rotor.axis[0] * rotor.axis[0] + rotor.axis[1] * rotor.axis[1] + rotor.axis[2] * rotor.axis[2],
    );
    const [ax, ay, az] = rotor.axis.map((part) => part / length);
    p.set([x, y, z, ax, ay, az], r + ROTOR.R_POS);
    p.set([z * ay - y * az, x * az - z * ax, y * ax - x * ay], r + ROTOR.R_ARM);
    p[r + ROTOR.R_DIR] = rotor.direction;
    p[r + ROTOR.R_SPIN] = -rotor.direction * propulsion.inertiaKgM2;
    p[r + ROTOR.R_INV_INERTIA] = 1 / propulsion.inertiaKgM2;
    p[r + ROTOR.R_KE] = 60 / (2 * Math.PI * motor.kvRpmPerV);
    p[r + ROTOR.R_INV_OHM] = 1 / motor.resistanceOhm;
    p[r + ROTOR.R_OHM] = motor.resistanceOhm;
    p[r + ROTOR.R_IDLE] = motor.idleCurrentA;
    p[r + ROTOR.R_FRICTION] = motor.frictionNmSPerRad;
    p[r + ROTOR.R_MAX_CURRENT] = motor.maxCurrentA;
    p[r + ROTOR.R_INV_ESC] = 1 / esc.efficiency;
    p[r + ROTOR.R_DEADZONE] = n[N.N_LEVEL] === CODES.LEVEL_LINEAR ? 0 : esc.deadzone;
    p[r + ROTOR.R_RADIUS] = propulsion.radiusM;
    p[r + ROTOR.R_DRAW] = 1 / (esc.efficiency * motor.resistanceOhm);
    p[r + ROTOR.R_MAX_DROP] = motor.resistanceOhm * motor.maxCurrentA;
    p.set(level, r + ROTOR.R_A);
  });
}

/** The numbers of the chosen level, in the order in which its equations read them from R_A on. */
function levelNumbers(vehicle: Vehicle, environment: Environment): readonly number[] {
  const { propulsion } = vehicle;
  if (propulsion.level === "linear") return [propulsion.linear.maxThrustN, propulsion.linear.torqueRatioM];
  if (propulsion.level === "reference") {
    const { thrustCoefficient, torqueRatioM, inflowThrust, inflowTorque } = propulsion.reference;
    const weight = vehicle.massKg * gravityAt(environment.gravity, environment.origin.altMslM);
    const kT = thrustCoefficient > 0 ? thrustCoefficient : calibrateThrust(vehicle, weight / vehicle.rotors.length);
    return [kT, torqueRatioM * kT, inflowThrust, inflowTorque];
  }
  const blade = propulsion.momentum;
  const lift = (blade.solidity * blade.liftSlopePerRad) / 6;
  return [
    Math.PI * propulsion.radiusM * propulsion.radiusM,
    lift,
    blade.pitchRad,
    1 / blade.stallRad,
    blade.inducedFactor,
    (blade.solidity * blade.profileDrag) / 8,
    blade.inPlaneDrag,
    blade.groundEffect ? 1 : 0,
  ];
}

/** The blade in hover, from which the search for its inflow starts: λ with 2λ² = lift·sat(θ − 1.5λ). */
function packInflow(p: Float64Array, { propulsion: { momentum } }: Vehicle): void {
  const lift = (momentum.solidity * momentum.liftSlopePerRad) / 6;
  let low = 0;
  let high = momentum.pitchRad / 1.5;
  const blade = (inflow: number) => {
    const angle = momentum.pitchRad - 1.5 * inflow;
    const b = angle / momentum.stallRad;
    const root = Math.sqrt(Math.sqrt(1 + b * b * b * b));
    return { angle, thrust: (lift * angle) / root, slope: lift / (root * root * root * root * root) };
  };
  for (let k = 0; k < 60; k += 1) {
    const middle = (low + high) / 2;
    if (2 * middle * middle < blade(middle).thrust) low = middle;
    else high = middle;
  }
  const { angle, thrust, slope } = blade(low);
  const unstalled = (Math.sqrt(2.25 * lift * lift + 8 * lift * momentum.pitchRad) - 1.5 * lift) / 4;
  p[P.P_HOVER_INFLOW] = low;
  p[P.P_BLADE_OFFSET] = thrust - slope * angle;
  p[P.P_BLADE_SLOPE] = slope;
  p[P.P_INV_HOVER2] = 1 / (unstalled * unstalled);
}

function packPower(p: Float64Array, n: Int32Array, vehicle: Vehicle): void {
  vehicle.buses.forEach((bus, i) => {
    p[P.P_BUS + i * BUS.BUS_STRIDE + BUS.U_POWER] = bus.avionicsW;
    p[P.P_BUS + i * BUS.BUS_STRIDE + BUS.U_BROWN_OUT] = bus.brownOutV;
  });
  vehicle.batteries.forEach((battery, i) => {
    const b = P.P_BATTERY + i * BATTERY.BATTERY_STRIDE;
    const ideal = battery.model === "ideal";
    n[N.N_BATTERY_BUS + i] = vehicle.buses.findIndex((bus) => bus.name === battery.bus);
    n[N.N_BATTERY_IDEAL + i] = ideal ? 1 : 0;
    n[N.N_BATTERY_KNOTS + i] = battery.ocvSoc.length;
    // An ideal source has no resistance of its own: any positive conductance marks it as connected.
    p[b + BATTERY.B_CONDUCTANCE] = ideal ? 1 : 1 / battery.resistanceOhm;
    p[b + BATTERY.B_INV_CHARGE] = 1 / (3600 * battery.capacityAh);
    p[b + BATTERY.B_RATE_1] = ideal ? 0 : 1 / (battery.r1Ohm * battery.c1F);
    p[b + BATTERY.B_INV_C1] = ideal ? 0 : 1 / battery.c1F;
    const second = !ideal && battery.r2Ohm > 0;
    p[b + BATTERY.B_RATE_2] = second ? 1 / (battery.r2Ohm * battery.c2F) : 0;
    p[b + BATTERY.B_INV_C2] = second ? 1 / battery.c2F : 0;
    p[b + BATTERY.B_CUTOFF] = ideal ? 0 : battery.cutoffV;
    p[b + BATTERY.B_LOW] = battery.lowSoc;
    p[b + BATTERY.B_CRITICAL] = battery.criticalSoc;
    p[b + BATTERY.B_EMERGENCY] = battery.emergencySoc;
    packCurve(p, b, battery);
  });
}

/** Knots of the open-circuit voltage with the slope after each; they run from empty to full. */
function packCurve(p: Float64Array, b: number, battery: Vehicle["batteries"][number]): void {
  const { ocvSoc: soc, ocvV: volts } = battery;
  for (let k = 0; k < soc.length; k += 1) {
    p[b + BATTERY.B_SOC + k] = soc[k];
    p[b + BATTERY.B_OCV + k] = volts[k];
    p[b + BATTERY.B_SLOPE + k] = k + 1 < soc.length ? (volts[k + 1] - volts[k]) / (soc[k + 1] - soc[k]) : 0;
  }
}

function packContact(p: Float64Array, n: Int32Array, vehicle: Vehicle): void {
  const points = contactPoints(vehicle);
  const { bounceRadS, dissipationSPerM, dampingPerS, friction, slipMps, gripPerS } = vehicle.contact;
  n[N.N_POINTS] = points.length;
  let reach = 0;
  points.forEach(({ positionM: [x, y, z] }, i) => {
    const c = P.P_POINT + i * POINT.POINT_STRIDE;
    reach = Math.max(reach, Math.sqrt(x * x + y * y + z * z));
    p.set([x, y, z], c + POINT.C_POS);
    p[c + POINT.C_STIFFNESS] = (vehicle.massKg * bounceRadS * bounceRadS) / 4;
    p[c + POINT.C_DISSIPATION] = 1.5 * dissipationSPerM;
    p[c + POINT.C_INV_DAMPING] = 4 / (vehicle.massKg * dampingPerS);
    p[c + POINT.C_FRICTION] = friction;
    p[c + POINT.C_SLIP2] = slipMps * slipMps;
    p[c + POINT.C_INV_GRIP] = 4 / (vehicle.massKg * gripPerS);
  });
  p[P.P_REACH] = reach * (1 + 1e-9);
}
