/**
 * The parameters of a vehicle: every number with its unit, range, default and one sentence.
 *
 * A vehicle file is data only; missing values come from here, so there is one set of defaults. `vehicle.ts` checks values
 * that depend on each other. Body axes are forward, right, down from the centre of mass. Long because it is one table of
 * parameters, each with its unit, range and sentence.
 */
import { defineParams, type ParamsOf } from "../../params/index.ts";

const PROPULSION_LEVELS = ["linear", "reference", "momentum"] as const;
const ACTUATOR_KINDS = ["direct", "firstOrder", "secondOrder"] as const;
const BATTERY_MODELS = ["thevenin", "ideal"] as const;

const rotor = defineParams({
  positionM: { type: "vector", unit: "m", size: 3, about: "Hub of the rotor in body axes." },
  axis: {
    type: "vector",
    unit: "1",
    size: 3,
    default: [0, 0, 1],
    about: "Rotor axis in body axes, opposite to the thrust; of any length.",
  },
  direction: {
    type: "number",
    unit: "1",
    integer: true,
    min: -1,
    max: 1,
    about: "Sign of the reaction torque on the body about the axis, 1 or -1; the rotor turns in the opposite sense.",
  },
  channel: {
    type: "number",
    unit: "1",
    integer: true,
    min: 1,
    max: 12,
    about: "Motor channel that drives the rotor, from 1.",
  },
  bus: { type: "text", default: "main", about: "Electrical bus that supplies its motor." },
});

const esc = defineParams({
  efficiency: {
    type: "number",
    unit: "1",
    min: 0.05,
    max: 1,
    default: 0.98,
    about: "Efficiency: power to the motor divided by power from the bus.",
  },
  deadzone: { type: "number", unit: "1", min: 0, max: 0.5, default: 0.02, about: "Duty below which the motor is off." },
});

const motor = defineParams({
  kvRpmPerV: {
    type: "number",
    unit: "rpm/V",
    min: 0,
    open: true,
    max: 1e5,
    default: 920,
    about: "Speed constant; torque per ampere follows from it.",
  },
  resistanceOhm: {
    type: "number",
    unit: "ohm",
    min: 0,
    open: true,
    max: 100,
    default: 0.25,
    about: "Winding resistance.",
  },
  idleCurrentA: {
    type: "number",
    unit: "A",
    min: 0,
    max: 100,
    default: 0.6,
    about: "No-load current.",
  },
  frictionNmSPerRad: {
    type: "number",
    unit: "N.m.s/rad",
    min: 0,
    max: 1,
    default: 2e-6,
    about: "Viscous friction of the bearings.",
  },
  maxCurrentA: {
    type: "number",
    unit: "A",
    min: 0,
    open: true,
    max: 1000,
    default: 60,
    about: "Current limit of the controller.",
  },
});

const linear = defineParams({
  maxThrustN: {
    type: "number",
    unit: "N",
    min: 0,
    open: true,
    max: 1e5,
    default: 7.3549875,
    about: "Thrust at full command.",
  },
  torqueRatioM: {
    type: "number",
    unit: "m",
    min: 0,
    max: 10,
    default: 0.05,
    about: "Reaction torque divided by thrust.",
  },
});

const reference = defineParams({
  thrustCoefficient: {
    type: "number",
    unit: "N/(kg/m3.(rad/s)2)",
    min: 0,
    max: 1,
    default: 0,
    about:
      "Thrust divided by density and squared speed; 0 calibrates it so that full duty at nominal voltage gives thrustMultiple times the hover thrust.",
  },
  torqueRatioM: {
    type: "number",
    unit: "m",
    min: 0,
    open: true,
    max: 10,
    default: 0.05,
    about: "Torque coefficient divided by thrust coefficient.",
  },
  thrustMultiple: {
    type: "number",
    unit: "1",
    min: 0,
    open: true,
    max: 100,
    default: 2,
    about: "Thrust-to-weight ratio that the calibration targets.",
  },
  nominalVoltageV: {
    type: "number",
    unit: "V",
    min: 0,
    open: true,
    max: 1000,
    default: 12,
    about: "Voltage used by the calibration.",
  },
  nominalDensityKgM3: {
    type: "number",
    unit: "kg/m3",
    min: 0,
    open: true,
    max: 10,
    default: 1.225,
    about: "Air density used by the calibration.",
  },
  inflowThrust: {
    type: "number",
    unit: "1",
    min: 0,
    max: 1000,
    default: 8,
    about: "Thrust lost per squared axial advance ratio.",
  },
  inflowTorque: {
    type: "number",
    unit: "1",
    min: 0,
    max: 1000,
    default: 8,
    about: "Torque lost per squared axial advance ratio.",
  },
});

const momentum = defineParams({
  solidity: {
    type: "number",
    unit: "1",
    min: 0,
    open: true,
    max: 1,
    default: 0.11,
    about: "Solidity: blade area divided by disk area.",
  },
  liftSlopePerRad: {
    type: "number",
    unit: "1/rad",
    min: 0,
    open: true,
    max: 10,
    default: 5,
    about: "Lift curve slope of the blade section.",
  },
  pitchRad: {
    type: "number",
    unit: "rad",
    min: 0,
    open: true,
    max: 1.5,
    default: 0.324,
    about: "Blade pitch at 75 % of the radius, from the zero-lift direction.",
  },
  stallRad: {
    type: "number",
    unit: "rad",
    min: 0.01,
    max: 10,
    default: 0.3,
    about: "Effective angle of attack at which lift saturates.",
  },
  inducedFactor: {
    type: "number",
    unit: "1",
    min: 1,
    max: 3,
    default: 1.1,
    about: "Induced power divided by its ideal value.",
  },
  profileDrag: {
    type: "number",
    unit: "1",
    min: 0,
    max: 1,
    default: 0.034,
    about: "Mean drag coefficient of the blade section.",
  },
  inPlaneDrag: {
    type: "number",
    unit: "1",
    min: 0,
    max: 1,
    default: 0.01,
    about: "H-force: in-plane force divided by density, disk area, tip speed and in-plane speed.",
  },
  groundEffect: { type: "boolean", default: true, about: "Ground effect of Cheeseman and Bennett." },
});

const propulsion = defineParams({
  level: {
    type: "choice",
    options: PROPULSION_LEVELS,
    default: "momentum",
    about:
      "linear: thrust follows the command; reference: quadratic with uniform inflow; momentum: blade element and momentum theory.",
  },
  radiusM: {
    type: "number",
    unit: "m",
    min: 0,
    open: true,
    max: 20,
    default: 0.127,
    about: "Radius of the propeller.",
  },
  inertiaKgM2: {
    type: "number",
    unit: "kg.m2",
    min: 0,
    open: true,
    max: 100,
    default: 1.2e-5,
    about: "Inertia of rotor and propeller about the axis.",
  },
  hubInflow: {
    type: "boolean",
    default: true,
    about: "Whether the inflow includes the hub velocity due to the rotation of the vehicle.",
  },
  jamTimeS: {
    type: "number",
    unit: "s",
    min: 1e-4,
    max: 10,
    default: 0.005,
    about: "Time in which a jammed rotor loses 63 % of its speed.",
  },
  esc: { type: "section", table: esc, default: {}, about: "Electronic speed controller, one per rotor." },
  motor: { type: "section", table: motor, default: {}, about: "Motor, one per rotor." },
  linear: { type: "section", table: linear, default: {}, about: "Parameters of level linear." },
  reference: { type: "section", table: reference, default: {}, about: "Parameters of level reference." },
  momentum: { type: "section", table: momentum, default: {}, about: "Parameters of level momentum." },
});

const actuator = defineParams({
  kind: {
    type: "choice",
    options: ACTUATOR_KINDS,
    default: "direct",
    about: "direct: the output is the command; firstOrder: lag; secondOrder: lag with a rate limit.",
  },
  tauS: {
    type: "number",
    unit: "s",
    min: 0,
    open: true,
    max: 100,
    default: 0.05,
    about: "Time constant of firstOrder.",
  },
  naturalRadS: {
    type: "number",
    unit: "rad/s",
    min: 0,
    open: true,
    max: 1e5,
    default: 30,
    about: "Natural frequency of secondOrder.",
  },
  damping: {
    type: "number",
    unit: "1",
    min: 0,
    open: true,
    max: 100,
    default: 0.7,
    about: "Damping ratio of secondOrder.",
  },
  rateLimitPerS: {
    type: "number",
    unit: "1/s",
    min: 0,
    open: true,
    max: 1e12,
    default: 1e9,
    about: "Largest rate of the output of secondOrder.",
  },
});

const servo = defineParams({
  channel: {
    type: "number",
    unit: "1",
    integer: true,
    min: 1,
    max: 8,
    about: "Servo channel that drives the servo, from 1.",
  },
});

const battery = defineParams({
  model: {
    type: "choice",
    options: BATTERY_MODELS,
    default: "thevenin",
    about: "thevenin: series resistance and RC pairs; ideal: the voltage depends on charge alone.",
  },
  bus: { type: "text", default: "main", about: "Bus that the battery supplies." },
  capacityAh: { type: "number", unit: "A.h", min: 0, open: true, max: 1e4, default: 5, about: "Charge when full." },
  soc: { type: "number", unit: "1", min: 0, max: 1, default: 1, about: "State of charge at the start." },
  ocvSoc: {
    type: "list",
    unit: "1",
    minLength: 2,
    maxLength: 12,
    min: 0,
    max: 1,
    increasing: true,
    default: [0, 1],
    about: "States of charge at which the open-circuit voltage is given, from 0 to 1.",
  },
  ocvV: {
    type: "list",
    unit: "V",
    minLength: 2,
    maxLength: 12,
    min: 0,
    max: 2000,
    default: [10.8, 12.6],
    about: "Open-circuit voltage at each of these states of charge.",
  },
  resistanceOhm: {
    type: "number",
    unit: "ohm",
    min: 0,
    open: true,
    max: 100,
    default: 0.02,
    about: "Series resistance.",
  },
  r1Ohm: {
    type: "number",
    unit: "ohm",
    min: 0,
    open: true,
    max: 100,
    default: 0.01,
    about: "Resistance of the first RC pair.",
  },
  c1F: {
    type: "number",
    unit: "F",
    min: 0,
    open: true,
    max: 1e9,
    default: 2000,
    about: "Capacitance of the first RC pair.",
  },
  v1V: {
    type: "number",
    unit: "V",
    min: -100,
    max: 100,
    default: 0,
    about: "Voltage of the first RC pair at the start.",
  },
  r2Ohm: {
    type: "number",
    unit: "ohm",
    min: 0,
    max: 100,
    default: 0,
    about: "Resistance of the second RC pair; 0 leaves it out.",
  },
  c2F: {
    type: "number",
    unit: "F",
    min: 0,
    open: true,
    max: 1e9,
    default: 20000,
    about: "Capacitance of the second RC pair.",
  },
  cutoffV: {
    type: "number",
    unit: "V",
    min: 0,
    max: 2000,
    default: 9.9,
    about: "Terminal voltage below which protection limits the current.",
  },
  lowSoc: {
    type: "number",
    unit: "1",
    min: 0,
    max: 1,
    default: 0.15,
    about: "State of charge at or below which the warning is low.",
  },
  criticalSoc: {
    type: "number",
    unit: "1",
    min: 0,
    max: 1,
    default: 0.1,
    about: "State of charge at or below which the warning is critical.",
  },
  emergencySoc: {
    type: "number",
    unit: "1",
    min: 0,
    max: 1,
    default: 0.05,
    about: "State of charge at or below which the warning is emergency.",
  },
});

const bus = defineParams({
  name: { type: "text", default: "main", about: "Name that rotors and batteries refer to." },
  avionicsW: {
    type: "number",
    unit: "W",
    min: 0,
    max: 1e5,
    default: 0,
    about: "Constant power of all loads other than the motors.",
  },
  brownOutV: {
    type: "number",
    unit: "V",
    min: 0,
    max: 2000,
    default: 4.5,
    about: "Voltage below which this load is shed; with 0, a circuit that cannot supply it is an error.",
  },
});

const foot = defineParams({
  positionM: { type: "vector", unit: "m", size: 3, about: "Contact point in body axes." },
});

const contact = defineParams({
  enabled: { type: "boolean", default: true, about: "Whether the vehicle touches the ground." },
  feet: { type: "sections", table: foot, maxLength: 12, default: [], about: "Feet of the landing gear." },
  rotorTips: { type: "boolean", default: true, about: "Adds the outermost point of every rotor disk." },
  hullSizeM: {
    type: "vector",
    unit: "m",
    size: 3,
    min: 0,
    max: 100,
    default: [0, 0, 0],
    about: "Length, width and height of the hull, whose corners are contact points; zeros for no hull.",
  },
  hullCentreM: { type: "vector", unit: "m", size: 3, default: [0, 0, 0], about: "Centre of the hull in body axes." },
  bounceRadS: {
    type: "number",
    unit: "rad/s",
    min: 1,
    max: 1e4,
    default: 150,
    about: "Natural frequency of the vehicle on four contact points; sets their stiffness to m.w2/4.",
  },
  dissipationSPerM: {
    type: "number",
    unit: "s/m",
    min: 0,
    max: 100,
    default: 4,
    about: "Hunt-Crossley dissipation: sets the energy lost in an impact.",
  },
  dampingPerS: {
    type: "number",
    unit: "1/s",
    min: 1,
    max: 1e5,
    default: 1200,
    about: "Upper bound of the rate at which four points damp vertical motion, at any depth.",
  },
  friction: { type: "number", unit: "1", min: 0, max: 10, default: 0.8, about: "Coefficient of friction." },
  slipMps: {
    type: "number",
    unit: "m/s",
    min: 1e-4,
    max: 10,
    default: 0.05,
    about: "Speed at which friction is fully developed.",
  },
  gripPerS: {
    type: "number",
    unit: "1/s",
    min: 1,
    max: 1e5,
    default: 400,
    about: "Upper bound of the rate at which friction on four points stops the vehicle, at any load.",
  },
});

const drag = defineParams({
  linearNSPerM: {
    type: "number",
    unit: "N.s/m",
    min: 0,
    max: 1e3,
    default: 0,
    about: "Drag force per airspeed, the same in every direction.",
  },
  areaM2: {
    type: "vector",
    unit: "m2",
    size: 3,
    min: 0,
    max: 1e3,
    default: [0, 0, 0],
    about: "Drag area (coefficient times area) along each body axis.",
  },
  centreM: {
    type: "vector",
    unit: "m",
    size: 3,
    default: [0, 0, 0],
    about: "Point at which this drag acts, in body axes.",
  },
  angularNmSPerRad: {
    type: "vector",
    unit: "N.m.s/rad",
    size: 3,
    min: 0,
    max: 1e3,
    default: [0, 0, 0],
    about: "Damping moment per body rate, about each axis.",
  },
});

const initial = defineParams({
  posNedM: {
    type: "vector",
    unit: "m",
    size: 3,
    default: [0, 0, 0],
    about: "Position at the start; with onGround, relative to the resting position.",
  },
  velNedMps: { type: "vector", unit: "m/s", size: 3, default: [0, 0, 0], about: "Velocity at the start." },
  rollPitchYawRad: {
    type: "vector",
    unit: "rad",
    size: 3,
    default: [0, 0, 0],
    about: "Attitude at the start: yaw, then pitch, then roll.",
  },
  rateBodyRadS: { type: "vector", unit: "rad/s", size: 3, default: [0, 0, 0], about: "Body rates at the start." },
  onGround: { type: "boolean", default: true, about: "Starts with the lowest contact points resting on the ground." },
  hovering: { type: "boolean", default: false, about: "Starts with motors and rotors trimmed for hover." },
});

/** The parameters of a vehicle. */
export const vehicleTable = defineParams({
  massKg: { type: "number", unit: "kg", min: 0, open: true, max: 1e5, about: "Total mass." },
  inertiaDiagKgM2: {
    type: "list",
    unit: "kg.m2",
    maxLength: 3,
    min: 0,
    max: 1e6,
    default: [],
    about: "Moments of inertia about the body axes; give these or inertiaKgM2.",
  },
  inertiaProductsKgM2: {
    type: "list",
    unit: "kg.m2",
    maxLength: 3,
    default: [],
    about: "Tensor entries xy, xz, yz to go with inertiaDiagKgM2; zero by default.",
  },
  inertiaKgM2: { type: "list", unit: "kg.m2", maxLength: 9, default: [], about: "Full inertia tensor, row by row." },
  rotors: { type: "sections", table: rotor, minLength: 1, maxLength: 12, about: "Rotors, in order." },
  propulsion: {
    type: "section",
    table: propulsion,
    default: {},
    about: "Propeller, motor and controller, the same for all rotors.",
  },
  motorActuator: { type: "section", table: actuator, default: {}, about: "Dynamics from motor command to duty." },
  servos: {
    type: "sections",
    table: servo,
    maxLength: 8,
    default: [],
    about: "Servos, in order; simulated and logged, but no control surface uses them yet.",
  },
  servoActuator: {
    type: "section",
    table: actuator,
    default: {},
    about: "Dynamics from servo command to position.",
  },
  batteries: {
    type: "sections",
    table: battery,
    maxLength: 8,
    default: [],
    about: "Batteries, in order; the autopilot sees the first.",
  },
  buses: {
    type: "sections",
    table: bus,
    maxLength: 8,
    default: [],
    about: "Electrical buses. If empty, each battery gets the bus that it names.",
  },
  drag: { type: "section", table: drag, default: {}, about: "Drag of the airframe." },
  contact: { type: "section", table: contact, default: {}, about: "Contact with the ground." },
  initial: { type: "section", table: initial, default: {}, about: "State at the start of a flight." },
});

/** A vehicle with every default filled in. */
export type Vehicle = ParamsOf<typeof vehicleTable>;
