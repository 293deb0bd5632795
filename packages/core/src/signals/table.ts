/**
 * The signal table: every value that one part of a flight passes to another, declared once. A value holds until its
 * writer runs again.
 *
 * Everything about signals derives from this table: the bus, the typed views (which part may write or read what), the
 * plant's input, recorder streams, replay sources, log columns, digests, event texts and the docs table. A signal has
 * one writer (L5 in docs/contract.md); the signals of a writer are contiguous in the bus, in table order. A signal that
 * holds codes also lists the codes, and no other file repeats them. Increment the version when the meaning or unit of a
 * signal changes.
 */
export const SIGNAL_TABLE_VERSION = 1;

/** All writers, in the order in which they run at a boundary. */
export const WRITERS = [
  "scenario",
  "wind",
  "windSum",
  "outputs",
  "imu",
  "magnetometer",
  "barometer",
  "gnss",
  "airspeed",
  "rangeFinder",
  "estimator",
  "autopilot",
] as const;
export type Writer = (typeof WRITERS)[number];

/** Sizes that depend on the vehicle and the scenario. */
export interface Dims {
  readonly rotors: number;
  readonly batteries: number;
  readonly buses: number;
  /** Number of stick axes. Absent if no event moves the sticks; the flight then has no signal of this size. */
  readonly sticks?: number;
}

export const MOTOR_CHANNELS = 12;
export const SERVO_CHANNELS = 8;

/** Order of the entries of `sensorFaultKind` and `sensorFaultLevel`. */
export const SENSORS = ["gyro", "accel", "mag", "baro", "gnss", "airspeed", "range", "estimator"] as const;

/** The axes of the pilot's sticks: the components of the signal `sticks`, in order. */
export const STICKS = ["roll", "pitch", "yaw", "throttle"] as const;

/** Names of the codes of a signal, or of the bits of a mask, with their values. */
export type SignalValues = Readonly<Record<string, number>>;

export interface SignalSpec {
  readonly writer: Writer;
  readonly size: number | keyof Dims;
  readonly unit: string;
  /** Value until its writer first runs. */
  readonly initial: number | readonly number[];
  /** Part of the plant's input, which is constant between boundaries. */
  readonly input?: true;
  /** A true value that a real autopilot cannot measure. Autopilots cannot read it. */
  readonly truth?: true;
  /** Component names for columns; numbers from 1 when absent. */
  readonly components?: readonly string[];
  /** Required for the units `enum`, `mask` and `flag`. Lists only values that are the same in every flight. */
  readonly values?: SignalValues;
  /** Ends with the list of `values`, which `defineSignals` appends. */
  readonly about: string;
}

const NED = ["n", "e", "d"] as const;
const XYZ = ["x", "y", "z"] as const;
const WXYZ = ["w", "x", "y", "z"] as const;
const IDENTITY = [1, 0, 0, 0] as const;

type SignalSpecs = { readonly [name: string]: SignalSpec };
type WithValues<T extends SignalSpecs> = {
  readonly [N in keyof T]: T[N] extends { readonly unit: "enum" | "mask" | "flag" }
    ? { values: SignalValues }
    : unknown;
};

function defineSignals<const T extends SignalSpecs>(table: T & WithValues<T>): T {
  const described = Object.entries<SignalSpec>(table).map(([name, spec]) => [
    name,
    { ...spec, about: `${spec.about}${listText(spec.values ?? {})}` },
  ]);
  return Object.fromEntries(described) as T;
}

function listText(values: SignalValues): string {
  const list = Object.entries(values).map(([name, value]) => `${value} ${name}`);
  return list.length === 0 ? "" : ` ${list.join(", ")}.`;
}

const SENSOR_FAULTS = { healthy: 0, stuck: 1, bias: 2, drift: 3, "drop-out": 4, noise: 5 } as const;

/** What the level of each fault means; nothing for a fault without a size. */
const FAULT_LEVELS: Readonly<Record<keyof typeof SENSOR_FAULTS, string | undefined>> = {
  healthy: undefined,
  stuck: undefined,
  bias: "bias",
  drift: "drift per second",
  "drop-out": undefined,
  noise: "standard deviation of the noise",
};
const FAULT_LEVEL_ABOUT: string = `Size of the fault: ${Object.values(FAULT_LEVELS).filter(Boolean).join(" or ")}.`;

/** The signal table: every held value with its writer, size and unit. */
// prettier-ignore
export const SIGNALS = defineSignals({
  // scenario: gusts, faults and requests
  windGustNed: { writer: "scenario", size: 3, unit: "m/s", initial: 0, truth: true, components: NED, about: "Sum of the active gusts, which is added to the base wind." },
  motorGain: { writer: "scenario", size: "rotors", unit: "1", initial: 1, input: true, truth: true, about: "Factor on a motor's duty: 0 is off, a value between 0 and 1 is a partial loss." },
  motorOffset: { writer: "scenario", size: "rotors", unit: "1", initial: 0, input: true, truth: true, about: "Added to a motor's duty after the gain. With a gain of 0 it is the duty at which the motor is stuck, otherwise it is noise." },
  motorJam: { writer: "scenario", size: "rotors", unit: "flag", initial: 0, input: true, truth: true, values: { free: 0, jammed: 1 }, about: "Whether a rotor is jammed." },
  propellerChip: { writer: "scenario", size: "rotors", unit: "1", initial: 0, input: true, truth: true, about: "Fraction of the radius that one blade of each propeller has lost at its tip." },
  propellerImbalance: { writer: "scenario", size: "rotors", unit: "kg.m", initial: 0, truth: true, about: "Imbalance of each propeller, mass times eccentricity. Added to the imbalance from the IMU's parameters and from a chipped blade." },
  batteryConnected: { writer: "scenario", size: "batteries", unit: "flag", initial: 1, input: true, truth: true, values: { "cut off": 0, connected: 1 }, about: "Whether a battery is connected to its bus." },
  sensorFaultKind: { writer: "scenario", size: SENSORS.length, unit: "enum", initial: 0, truth: true, components: SENSORS, values: SENSOR_FAULTS, about: "Fault of each sensor." },
  sensorFaultLevel: { writer: "scenario", size: SENSORS.length, unit: "sensor unit", initial: 0, truth: true, components: SENSORS, about: FAULT_LEVEL_ABOUT },
  requestArmed: { writer: "scenario", size: 1, unit: "count", initial: 0, about: "Positive while the pilot wants the motors armed; its magnitude is the number of requests to arm or disarm." },
  requestMode: { writer: "scenario", size: 1, unit: "enum", initial: 0, values: { none: 0, mission: 1, rtl: 2, hold: 3, land: 4, takeoff: 5, goto: 6, position: 7 }, about: "Mode that the pilot asks for." },
  requestCount: { writer: "scenario", size: 1, unit: "count", initial: 0, about: "Increments with every request, including those to arm or disarm, so that a repeated request for the same mode is detected." },
  requestPosNed: { writer: "scenario", size: 3, unit: "m", initial: 0, components: NED, about: "Target position of the last `goto` request." },
  requestYaw: { writer: "scenario", size: 1, unit: "rad", initial: 0, about: "Heading of the last `goto` request; 0 if it has none." },
  requestYawGiven: { writer: "scenario", size: 1, unit: "flag", initial: 0, values: { free: 0, given: 1 }, about: "Whether the last `goto` request has a heading." },
  sticks: { writer: "scenario", size: "sticks", unit: "1", initial: 0, components: STICKS, about: "Position of each stick of the pilot, −1 to 1: right, forward, clockwise and up are positive. Only flights in which an event moves the sticks have this signal." },
  parameterChanges: { writer: "scenario", size: 1, unit: "mask", initial: 0, values: {}, about: "Bit i is set once the scenario's i-th parameter change is active." },
  settingChanges: { writer: "scenario", size: 1, unit: "mask", initial: 0, input: true, truth: true, values: {}, about: "Bit i is set while the scenario's i-th change of a setting (wind, estimator, sensor, vehicle, integrator, seed) is active." },
  landed: { writer: "scenario", size: 1, unit: "flag", initial: 1, truth: true, values: { flying: 0, landed: 1 }, about: "Whether the vehicle rests on the ground." },
  stop: { writer: "scenario", size: 1, unit: "enum", initial: 0, truth: true, values: { "fly on": 0 }, about: "The stop condition that is met: 1 + its index in the scenario." },
  gustEvent: { writer: "scenario", size: 1, unit: "index", initial: 0, truth: true, about: "The event of the latest active gust: 1 + its index in the scenario; 0 if there is none." },
  motorEvent: { writer: "scenario", size: "rotors", unit: "index", initial: 0, truth: true, about: "The event that decides the state of each motor: 1 + its index in the scenario; 0 if there is none." },
  batteryEvent: { writer: "scenario", size: "batteries", unit: "index", initial: 0, truth: true, about: "The event that decides whether each battery is connected: 1 + its index in the scenario; 0 if there is none." },
  sensorFaultEvent: { writer: "scenario", size: SENSORS.length, unit: "index", initial: 0, truth: true, components: SENSORS, about: "The event that decides the fault of each sensor: 1 + its index in the scenario; 0 if there is none." },
  requestEvent: { writer: "scenario", size: 2, unit: "index", initial: 0, truth: true, components: ["armed", "mode"], about: "The events of the last request to arm or disarm and of the last request for a mode: 1 + their indices in the scenario; 0 if there was none." },

  // wind
  windBaseNed: { writer: "wind", size: 3, unit: "m/s", initial: 0, truth: true, components: NED, about: "Velocity of the air mass over ground without the scenario's gusts." },
  wakeUnsteadiness: { writer: "wind", size: "rotors", unit: "1", initial: 0, input: true, truth: true, about: "Random part of each rotor's thrust in the vortex ring state, with a standard deviation of 1; the vehicle's `vortexRingUnsteadiness` scales it. 0 unless the vehicle descends." },
  gustRateNed: { writer: "wind", size: 3, unit: "rad/s", initial: 0, input: true, truth: true, components: NED, about: "Angular velocity of the air at the vehicle: the rotary gusts of turbulence. They act on rotors away from the centre of mass." },
  windNed: { writer: "windSum", size: 3, unit: "m/s", initial: 0, input: true, truth: true, components: NED, about: "Base wind plus gusts: the wind that acts on the vehicle." },

  // derived outputs of the plant
  batteryVoltage: { writer: "outputs", size: "batteries", unit: "V", initial: 0, about: "Terminal voltage of each battery." },
  batteryCurrent: { writer: "outputs", size: "batteries", unit: "A", initial: 0, about: "Current of each battery, positive when discharging." },
  batteryRemaining: { writer: "outputs", size: "batteries", unit: "1", initial: 1, about: "State of charge, 0 to 1." },
  batteryWarning: { writer: "outputs", size: "batteries", unit: "enum", initial: 0, values: { none: 0, low: 1, critical: 2, emergency: 3 }, about: "Warning level of each battery." },
  rotorThrust: { writer: "outputs", size: "rotors", unit: "N", initial: 0, truth: true, about: "Thrust of each rotor along its axis." },
  rotorTorque: { writer: "outputs", size: "rotors", unit: "N.m", initial: 0, truth: true, about: "Reaction torque of each rotor on the body about its axis, signed." },
  motorCurrent: { writer: "outputs", size: "rotors", unit: "A", initial: 0, truth: true, about: "Winding current of each motor." },
  busVoltage: { writer: "outputs", size: "buses", unit: "V", initial: 0, truth: true, about: "Voltage of each electrical bus." },
  busCurrent: { writer: "outputs", size: "buses", unit: "A", initial: 0, truth: true, about: "Total load of each bus, motors and avionics." },
  airDensity: { writer: "outputs", size: 1, unit: "kg/m3", initial: 1.225, truth: true, about: "Density of the air at the vehicle." },
  airTemperature: { writer: "outputs", size: 1, unit: "K", initial: 288.15, truth: true, about: "Static temperature at the vehicle." },
  airPressure: { writer: "outputs", size: 1, unit: "Pa", initial: 101325, truth: true, about: "Static pressure at the vehicle." },
  airVelBody: { writer: "outputs", size: 3, unit: "m/s", initial: 0, truth: true, components: XYZ, about: "Velocity of the air past the vehicle (wind minus velocity), in body axes." },
  accNed: { writer: "outputs", size: 3, unit: "m/s2", initial: 0, truth: true, components: NED, about: "Acceleration of the centre of mass." },
  rateDotBody: { writer: "outputs", size: 3, unit: "rad/s2", initial: 0, truth: true, components: XYZ, about: "Angular acceleration in body axes." },
  specificForceBody: { writer: "outputs", size: 3, unit: "m/s2", initial: 0, truth: true, components: XYZ, about: "Acceleration minus gravity at the centre of mass, in body axes: the reading of an ideal accelerometer." },
  contactForceNed: { writer: "outputs", size: 3, unit: "N", initial: 0, truth: true, components: NED, about: "Total contact force of the ground on the vehicle." },

  // raw sensors: the readings of the instruments
  gyroRateBody: { writer: "imu", size: 3, unit: "rad/s", initial: 0, components: XYZ, about: "Body rates as the gyroscope reports them." },
  accelForceBody: { writer: "imu", size: 3, unit: "m/s2", initial: 0, components: XYZ, about: "Specific force at the sensor as the accelerometer reports it." },
  imuTemperature: { writer: "imu", size: 1, unit: "degC", initial: 0, about: "Temperature of the inertial sensor." },
  accelVibration: { writer: "imu", size: 1, unit: "m/s2", initial: 0, about: "PX4's vibration metric of the accelerometer: low-pass-filtered magnitude of the difference between consecutive samples. Below 4.9 is good, above 9.8 is bad." },
  gyroVibration: { writer: "imu", size: 1, unit: "rad/s", initial: 0, about: "PX4's vibration metric of the gyroscope: low-pass-filtered magnitude of the difference between consecutive samples." },
  gyroCount: { writer: "imu", size: 1, unit: "count", initial: 0, about: "Increments with every gyroscope sample." },
  accelCount: { writer: "imu", size: 1, unit: "count", initial: 0, about: "Increments with every accelerometer sample." },
  magFieldBody: { writer: "magnetometer", size: 3, unit: "uT", initial: 0, components: XYZ, about: "Magnetic field in body axes as the magnetometer reports it." },
  magCount: { writer: "magnetometer", size: 1, unit: "count", initial: 0, about: "Increments with every magnetometer sample." },
  baroPressure: { writer: "barometer", size: 1, unit: "Pa", initial: 0, about: "Static pressure as the barometer reports it." },
  baroAltitude: { writer: "barometer", size: 1, unit: "m", initial: 0, about: "Altitude at which the standard atmosphere has the reported pressure." },
  baroTemperature: { writer: "barometer", size: 1, unit: "degC", initial: 0, about: "Temperature inside the barometer." },
  baroCount: { writer: "barometer", size: 1, unit: "count", initial: 0, about: "Increments with every barometer sample." },
  gnssLatLon: { writer: "gnss", size: 2, unit: "deg", initial: 0, components: ["lat", "lon"], about: "Latitude and longitude as the receiver reports them." },
  gnssAltitude: { writer: "gnss", size: 1, unit: "m", initial: 0, about: "Altitude above mean sea level as the receiver reports it." },
  gnssVelNed: { writer: "gnss", size: 3, unit: "m/s", initial: 0, components: NED, about: "Velocity as the receiver reports it." },
  gnssAccuracy: { writer: "gnss", size: 2, unit: "m", initial: 0, components: ["horizontal", "vertical"], about: "Accuracy that the receiver reports." },
  gnssFix: { writer: "gnss", size: 1, unit: "enum", initial: 0, values: { "no fix": 0, "3D fix": 3 }, about: "Kind of fix that the receiver reports." },
  gnssSatellites: { writer: "gnss", size: 1, unit: "count", initial: 0, about: "Satellites in use." },
  gnssCount: { writer: "gnss", size: 1, unit: "count", initial: 0, about: "Increments with every position the receiver delivers." },
  pitotPressure: { writer: "airspeed", size: 1, unit: "Pa", initial: 0, about: "Total minus static pressure as the airspeed sensor reports it." },
  pitotCount: { writer: "airspeed", size: 1, unit: "count", initial: 0, about: "Increments with every airspeed sample." },
  rangeDistance: { writer: "rangeFinder", size: 1, unit: "m", initial: 0, about: "Distance to the ground along the beam; 0 if there is no echo." },
  rangeValid: { writer: "rangeFinder", size: 1, unit: "flag", initial: 0, values: { invalid: 0, valid: 1 }, about: "Whether the distance is inside the sensor's range." },
  rangeCount: { writer: "rangeFinder", size: 1, unit: "count", initial: 0, about: "Increments with every range sample." },

  // estimator: the state that the autopilot receives
  estPosNed: { writer: "estimator", size: 3, unit: "m", initial: 0, components: NED, about: "Estimated position." },
  estVelNed: { writer: "estimator", size: 3, unit: "m/s", initial: 0, components: NED, about: "Estimated velocity." },
  estAccNed: { writer: "estimator", size: 3, unit: "m/s2", initial: 0, components: NED, about: "Estimated acceleration." },
  estQBodyToNed: { writer: "estimator", size: 4, unit: "1", initial: IDENTITY, components: WXYZ, about: "Estimated attitude." },
  estRateBody: { writer: "estimator", size: 3, unit: "rad/s", initial: 0, components: XYZ, about: "Estimated body rates." },
  estRateDotBody: { writer: "estimator", size: 3, unit: "rad/s2", initial: 0, components: XYZ, about: "Estimated angular acceleration." },
  estValid: { writer: "estimator", size: 1, unit: "mask", initial: 127, values: { posXy: 1, posZ: 2, velXy: 4, velZ: 8, attitude: 16, heading: 32, rates: 64 }, about: "Which parts of the estimate are valid, as a sum of bits." },

  // autopilot: its commands, setpoints and status
  motorCommand: { writer: "autopilot", size: MOTOR_CHANNELS, unit: "1", initial: 0, input: true, about: "Commanded duty of each motor channel, 0 to 1." },
  servoCommand: { writer: "autopilot", size: SERVO_CHANNELS, unit: "1", initial: 0, input: true, about: "Command of each servo channel, −1 to 1." },
  setpointValid: { writer: "autopilot", size: 1, unit: "mask", initial: 0, values: { posXy: 1, posZ: 2, velXy: 4, velZ: 8, acc: 16, yaw: 32, yawRate: 64, attitude: 128, rates: 256 }, about: "Which setpoints are active, as a sum of bits." },
  setPosNed: { writer: "autopilot", size: 3, unit: "m", initial: 0, components: NED, about: "Position setpoint; 0 if not commanded." },
  setVelNed: { writer: "autopilot", size: 3, unit: "m/s", initial: 0, components: NED, about: "Velocity setpoint; 0 if not commanded." },
  setAccNed: { writer: "autopilot", size: 3, unit: "m/s2", initial: 0, components: NED, about: "Acceleration setpoint; 0 if not commanded." },
  setYaw: { writer: "autopilot", size: 1, unit: "rad", initial: 0, about: "Yaw setpoint; 0 if not commanded." },
  setYawRate: { writer: "autopilot", size: 1, unit: "rad/s", initial: 0, about: "Yaw rate setpoint; 0 if not commanded." },
  setQBodyToNed: { writer: "autopilot", size: 4, unit: "1", initial: IDENTITY, components: WXYZ, about: "Attitude setpoint." },
  setRateBody: { writer: "autopilot", size: 3, unit: "rad/s", initial: 0, components: XYZ, about: "Body rate setpoint." },
  setThrustBody: { writer: "autopilot", size: 3, unit: "1", initial: 0, components: XYZ, about: "Normalised thrust setpoint; upward is negative z." },
  setTorqueBody: { writer: "autopilot", size: 3, unit: "1", initial: 0, components: XYZ, about: "Normalised torque setpoint." },
  unallocated: { writer: "autopilot", size: 4, unit: "1", initial: 0, components: ["roll", "pitch", "yaw", "thrust"], about: "Demand that the motors could not meet; non-zero means saturated." },
  armed: { writer: "autopilot", size: 1, unit: "flag", initial: 0, values: { disarmed: 0, armed: 1 }, about: "Whether the autopilot lets the motors turn." },
  navState: { writer: "autopilot", size: 1, unit: "enum", initial: 0, values: { manual: 0, altitude: 1, position: 2, mission: 3, hold: 4, return: 5, acro: 10, descend: 12, termination: 13, offboard: 14, stabilized: 15, "take-off": 17, land: 18 }, about: "Flight mode, numbered as in PX4." },
  takeoffState: { writer: "autopilot", size: 1, unit: "enum", initial: 1, values: { disarmed: 1, "spool-up": 2, ready: 3, "ramp-up": 4, flight: 5 }, about: "Phase of the take-off." },
  landDetected: { writer: "autopilot", size: 1, unit: "enum", initial: 3, values: { "in the air": 0, "ground contact": 1, "maybe landed": 2, landed: 3 }, about: "State of the autopilot's own land detector." },
  missionIndex: { writer: "autopilot", size: 1, unit: "index", initial: 0, about: "Current mission item, from 0." },
  missionCount: { writer: "autopilot", size: 1, unit: "count", initial: 0, about: "Number of mission items." },
  missionReached: { writer: "autopilot", size: 1, unit: "index", initial: -1, about: "Last mission item reached; −1 if there is none." },
  missionFinished: { writer: "autopilot", size: 1, unit: "flag", initial: 0, values: { unfinished: 0, finished: 1 }, about: "Whether the mission has been flown to its end." },
  failsafe: { writer: "autopilot", size: 1, unit: "enum", initial: 0, values: { none: 0, "battery low": 1, "battery critical": 2, "battery emergency": 3, "attitude failure": 4, "estimate lost": 5, "outside the fence": 6 }, about: "Cause of the active failsafe." },
  hoverThrust: { writer: "autopilot", size: 1, unit: "1", initial: 0.5, about: "Collective thrust at hover as the autopilot estimates it." },
});

export type SignalTable = typeof SIGNALS;
/** Name of a signal of the table. */
export type SignalName = keyof SignalTable;
/** Names of all signals, in the order of the table. */
export const SIGNAL_NAMES = Object.keys(SIGNALS) as readonly SignalName[];

/** Signals of the units `enum`, `mask` and `flag`. */
export type CodedSignal = {
  [N in SignalName]: SignalTable[N] extends { values: SignalValues } ? N : never;
}[SignalName];
/** The numbers of a coded signal as a union, so that a `switch` over them can be checked to be exhaustive. */
export type SignalValue<N extends CodedSignal> = SignalTable[N]["values"][keyof SignalTable[N]["values"]];

/** Bits of `setpointValid`. */
export const SETPOINT_BITS = SIGNALS.setpointValid.values;

/** Returns the name of a value of a coded signal; the number itself if the table does not name it. */
export function valueName(signal: CodedSignal, value: number): string {
  const found = Object.entries<number>(SIGNALS[signal].values).find(([, code]) => code === value);
  return found?.[0] ?? String(value);
}

export type TruthSignal = { [N in SignalName]: SignalTable[N] extends { truth: true } ? N : never }[SignalName];
export type InputSignal = { [N in SignalName]: SignalTable[N] extends { input: true } ? N : never }[SignalName];

export function signalSpec(name: SignalName): SignalSpec {
  return SIGNALS[name];
}

/** Whether a flight of these dimensions has the signal. */
export function hasSignal({ size }: SignalSpec, dims: Dims): boolean {
  return typeof size === "number" || dims[size] !== undefined;
}

export function sizeOf(spec: SignalSpec, dims: Dims): number {
  return typeof spec.size === "number" ? spec.size : (dims[spec.size] ?? 0);
}
