/**
 * The parameters of a vehicle: every number with its unit, range, default and explanation.
 *
 * A vehicle file contains only data; missing values come from here, so there is one set of defaults. `vehicle.ts`
 * checks values that depend on each other. Body axes are forward, right, down from the centre of mass. This file is
 * long because it is one table.
 */
import { defineParams, type ParamsOf } from "../../params/index.ts";
import {
  ANY,
  boolean,
  choice,
  closed,
  integer,
  number,
  open,
  section,
  sections,
  text,
  vector,
} from "../../params/rows.ts";

const PROPULSION_LEVELS = ["linear", "reference", "momentum"] as const;
const GROUND_MODELS = ["rotor", "multirotor"] as const;
const ACTUATOR_KINDS = ["direct", "firstOrder", "secondOrder"] as const;
const BATTERY_MODELS = ["thevenin", "ideal"] as const;

const rotor = defineParams({
  positionM: vector(3, "m", ANY, "Hub of the rotor in body axes."),
  axis: vector(3, "1", ANY, "Rotor axis in body axes, opposite to the thrust; of any length.", [0, 0, 1]),
  direction: integer(
    "1",
    closed(-1, 1),
    "Sign of the reaction torque on the body about the axis, 1 or -1; the rotor turns in the opposite sense.",
  ),
  channel: integer("1", closed(1, 12), "Motor channel that drives the rotor, from 1."),
  bus: text("Electrical bus that supplies its motor.", "main"),
});

const esc = defineParams({
  efficiency: number("1", closed(0.05, 1), "Efficiency: power to the motor divided by power from the bus.", 0.98),
  deadzone: number("1", closed(0, 0.5), "Duty below which the motor is off.", 0.02),
});

const motor = defineParams({
  kvRpmPerV: number("rpm/V", open(0, 1e5), "Speed constant; torque per ampere follows from it.", 920),
  resistanceOhm: number("ohm", open(0, 100), "Winding resistance.", 0.25),
  idleCurrentA: number("A", closed(0, 100), "No-load current.", 0.6),
  frictionNmSPerRad: number("N.m.s/rad", closed(0, 1), "Viscous friction of the bearings.", 2e-6),
  maxCurrentA: number("A", open(0, 1000), "Current limit of the controller.", 60),
});

const linear = defineParams({
  maxThrustN: number("N", open(0, 1e5), "Thrust at full command.", 7.3549875),
  torqueRatioM: number("m", closed(0, 10), "Reaction torque divided by thrust.", 0.05),
});

const reference = defineParams({
  thrustCoefficient: number(
    "N/(kg/m3.(rad/s)2)",
    closed(0, 1),
    "Thrust divided by density and squared speed; 0 calibrates it so that full duty at nominal voltage gives thrustMultiple times the hover thrust.",
    0,
  ),
  torqueRatioM: number("m", open(0, 10), "Torque coefficient divided by thrust coefficient.", 0.05),
  thrustMultiple: number("1", open(0, 100), "Thrust-to-weight ratio that the calibration targets.", 2),
  nominalVoltageV: number("V", open(0, 1000), "Voltage used by the calibration.", 12),
  nominalDensityKgM3: number("kg/m3", open(0, 10), "Air density used by the calibration.", 1.225),
  inflowThrust: number("1", closed(0, 1000), "Thrust lost per squared axial advance ratio.", 8),
  inflowTorque: number("1", closed(0, 1000), "Torque lost per squared axial advance ratio.", 8),
});

const momentum = defineParams({
  solidity: number(
    "1",
    open(0, 1),
    "Solidity: blades times chord at 75 % of the radius, divided by π times the radius.",
    0.125,
  ),
  liftSlopePerRad: number(
    "1/rad",
    open(0, 20),
    "Lift curve slope of the blade section at high Reynolds numbers.",
    5.99,
  ),
  lowReynoldsLift: number(
    "1",
    closed(0.05, 1),
    "Lift curve slope at low Reynolds numbers, divided by liftSlopePerRad.",
    0.517,
  ),
  reynoldsTransition: number(
    "1",
    closed(1e3, 1e7),
    "Reynolds number at 75 % of the radius at which lift and drag are midway between their values at low and at high Reynolds numbers.",
    1.22e5,
  ),
  pitchRad: number("rad", open(0, 1.5), "Blade pitch at 75 % of the radius, from the zero-lift direction.", 0.3237),
  stallRad: number("rad", closed(0.01, 10), "Effective angle of attack at which lift saturates.", 0.3),
  inducedFactor: number("1", closed(1, 3), "Induced power divided by its ideal value.", 1.173),
  profileDrag: number(
    "1",
    closed(0, 1),
    "Mean drag coefficient of the blade section at high Reynolds numbers.",
    0.0166,
  ),
  lowReynoldsDrag: number(
    "1",
    closed(0.2, 20),
    "Drag coefficient at low Reynolds numbers, divided by profileDrag.",
    1.78,
  ),
  inPlaneDrag: number(
    "1",
    closed(0, 1),
    "In-plane (H-)force coefficient of a rigid rotor: H / (ρ A ΩR v), with the in-plane speed v.",
    0.016,
  ),
  flapStiffness: number(
    "1",
    closed(0, 100),
    "Stiffness number of the blade in flapping, 8(ν² − 1)/γ with its flap frequency ν per turn and its Lock number γ; a blade with 0 flaps freely.",
    1,
  ),
  vortexRingLoss: number(
    "1",
    closed(0, 0.8),
    "Maximum fraction of the thrust of momentum theory that is lost in the vortex ring state.",
    0.25,
  ),
  vortexRingUnsteadiness: number(
    "1",
    closed(0, 0.3),
    "Standard deviation of the thrust's random part in the vortex ring state, divided by the thrust of momentum theory.",
    0.075,
  ),
  groundEffect: boolean("Whether the ground and a ceiling act on the rotors.", true),
  groundModel: choice(
    GROUND_MODELS,
    "rotor: each rotor alone (Cheeseman and Bennett); multirotor: with its neighbours and the fountain between them (Sánchez-Cuevas et al.).",
    "multirotor",
  ),
  fountain: number("1", closed(0, 10), "Body lift coefficient of the fountain in groundModel multirotor.", 2),
});

const propulsion = defineParams({
  level: choice(
    PROPULSION_LEVELS,
    "linear: thrust follows the command; reference: quadratic with uniform inflow; momentum: blade element and momentum theory.",
    "momentum",
  ),
  radiusM: number("m", open(0, 20), "Radius of the propeller.", 0.127),
  blades: integer("1", closed(1, 12), "Blades of each propeller.", 2),
  inertiaKgM2: number("kg.m2", open(0, 100), "Inertia of rotor and propeller about the axis.", 1.2e-5),
  hubInflow: boolean("Whether the inflow includes the hub velocity due to the rotation of the vehicle.", true),
  jamTimeS: number("s", closed(1e-4, 10), "Time in which a jammed rotor loses 63 % of its speed.", 0.005),
  esc: section(esc, "Electronic speed controller, one per rotor.", {}),
  motor: section(motor, "Motor, one per rotor.", {}),
  linear: section(linear, "Parameters of level linear.", {}),
  reference: section(reference, "Parameters of level reference.", {}),
  momentum: section(momentum, "Parameters of level momentum.", {}),
});

const actuator = defineParams({
  kind: choice(
    ACTUATOR_KINDS,
    "direct: the output is the command; firstOrder: lag; secondOrder: lag with a rate limit.",
    "direct",
  ),
  tauS: number("s", open(0, 100), "Time constant of firstOrder.", 0.05),
  naturalRadS: number("rad/s", open(0, 1e5), "Natural frequency of secondOrder.", 30),
  damping: number("1", open(0, 100), "Damping ratio of secondOrder.", 0.7),
  rateLimitPerS: number("1/s", open(0, 1e12), "Maximum rate of the output of secondOrder.", 1e9),
});

const servo = defineParams({
  channel: integer("1", closed(1, 8), "Servo channel that drives the servo, from 1."),
});

const battery = defineParams({
  model: choice(
    BATTERY_MODELS,
    "thevenin: series resistance and RC pairs; ideal: the voltage depends on charge alone.",
    "thevenin",
  ),
  bus: text("Bus that the battery supplies.", "main"),
  capacityAh: number("A.h", open(0, 1e4), "Charge when full.", 5),
  soc: number("1", closed(0, 1), "State of charge at the start.", 1),
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
  resistanceOhm: number("ohm", open(0, 100), "Series resistance.", 0.02),
  r1Ohm: number("ohm", open(0, 100), "Resistance of the first RC pair.", 0.01),
  c1F: number("F", open(0, 1e9), "Capacitance of the first RC pair.", 2000),
  v1V: number("V", closed(-100, 100), "Voltage of the first RC pair at the start.", 0),
  r2Ohm: number("ohm", closed(0, 100), "Resistance of the second RC pair; 0 leaves it out.", 0),
  c2F: number("F", open(0, 1e9), "Capacitance of the second RC pair.", 20000),
  cutoffV: number("V", closed(0, 2000), "Terminal voltage below which protection limits the current.", 9.9),
  lowSoc: number("1", closed(0, 1), "State of charge at or below which the warning is low.", 0.15),
  criticalSoc: number("1", closed(0, 1), "State of charge at or below which the warning is critical.", 0.1),
  emergencySoc: number("1", closed(0, 1), "State of charge at or below which the warning is emergency.", 0.05),
});

const bus = defineParams({
  name: text("Name that rotors and batteries refer to.", "main"),
  avionicsW: number("W", closed(0, 1e5), "Constant power of all loads other than the motors.", 0),
  brownOutV: number(
    "V",
    closed(0, 2000),
    "Voltage below which the load avionicsW is shed; with 0, a circuit that cannot supply it is an error.",
    4.5,
  ),
});

const MAX_FEET = 12;
const MAX_ROTORS = 12;
const HULL_CORNERS = 8;
/** Feet, one tip per rotor, and the corners of the hull. */
export const MAX_CONTACT_POINTS = MAX_FEET + MAX_ROTORS + HULL_CORNERS;

const foot = defineParams({
  positionM: vector(3, "m", ANY, "Contact point in body axes."),
});

const contact = defineParams({
  enabled: boolean("Whether the vehicle touches the ground.", true),
  feet: sections(foot, { maxLength: MAX_FEET }, "Feet of the landing gear.", []),
  rotorTips: boolean("Whether the outermost point of every rotor disk is a contact point.", true),
  hullSizeM: vector(
    3,
    "m",
    closed(0, 100),
    "Length, width and height of the hull, whose corners are contact points; zeros for no hull.",
    [0, 0, 0],
  ),
  hullCentreM: vector(3, "m", ANY, "Centre of the hull in body axes.", [0, 0, 0]),
  bounceRadS: number(
    "rad/s",
    closed(1, 1e4),
    "Natural frequency of the vehicle on four contact points; sets their stiffness to m·ω²/4.",
    150,
  ),
  dissipationSPerM: number("s/m", closed(0, 100), "Hunt-Crossley dissipation: sets the energy lost in an impact.", 4),
  dampingPerS: number(
    "1/s",
    closed(1, 1e5),
    "Upper bound of the rate at which four points damp vertical motion, at any depth.",
    1200,
  ),
  friction: number("1", closed(0, 10), "Coefficient of friction.", 0.8),
  gripRadS: number(
    "rad/s",
    closed(1, 1e4),
    "Natural frequency of the sideways motion of four feet that stick to the ground; sets their stiffness.",
    250,
  ),
  slipMps: number(
    "m/s",
    closed(1e-4, 10),
    "Speed at which friction is fully developed on points that do not grip: rotor tips and hull, if there are feet.",
    0.05,
  ),
  gripPerS: number(
    "1/s",
    closed(1, 1e5),
    "Upper bound of the rate at which friction on four points stops their sideways motion, at any load.",
    400,
  ),
});

const drag = defineParams({
  linearNSPerM: number("N.s/m", closed(0, 1e3), "Drag force per airspeed, the same in every direction.", 0),
  areaM2: vector(3, "m2", closed(0, 1e3), "Drag area (coefficient times area) along each body axis.", [0, 0, 0]),
  centreM: vector(3, "m", ANY, "Point at which the drag of areaM2 acts, in body axes.", [0, 0, 0]),
  angularNmSPerRad: vector(3, "N.m.s/rad", closed(0, 1e3), "Damping moment per body rate, about each axis.", [0, 0, 0]),
});

const initial = defineParams({
  posNedM: vector(3, "m", ANY, "Position at the start; with onGround, relative to the resting position.", [0, 0, 0]),
  velNedMps: vector(3, "m/s", ANY, "Velocity at the start.", [0, 0, 0]),
  rollPitchYawRad: vector(
    3,
    "rad",
    ANY,
    "Roll, pitch and yaw at the start; the rotations are applied in the order yaw, pitch, roll.",
    [0, 0, 0],
  ),
  rateBodyRadS: vector(3, "rad/s", ANY, "Body rates at the start.", [0, 0, 0]),
  onGround: boolean("Starts with the lowest contact points resting on the ground.", true),
  hovering: boolean("Starts with motors and rotors trimmed for hover.", false),
});

/** The parameters of a vehicle. */
export const vehicleTable = defineParams({
  massKg: number("kg", open(0, 1e5), "Total mass."),
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
  rotors: sections(rotor, { minLength: 1, maxLength: MAX_ROTORS }, "Rotors, in order."),
  propulsion: section(propulsion, "Propeller, motor and controller, the same for all rotors.", {}),
  motorActuator: section(actuator, "Dynamics from motor command to duty.", {}),
  servos: sections(
    servo,
    { maxLength: 8 },
    "Servos, in order; simulated and logged, but no control surface uses them yet.",
    [],
  ),
  servoActuator: section(actuator, "Dynamics from servo command to position.", {}),
  batteries: sections(battery, { maxLength: 8 }, "Batteries, in order.", []),
  buses: sections(bus, { maxLength: 8 }, "Electrical buses. If empty, each battery gets the bus that it names.", []),
  drag: section(drag, "Drag of the airframe.", {}),
  contact: section(contact, "Contact with the ground.", {}),
  initial: section(initial, "State at the start of a flight.", {}),
});

/** A vehicle with every default filled in. */
export type Vehicle = ParamsOf<typeof vehicleTable>;
