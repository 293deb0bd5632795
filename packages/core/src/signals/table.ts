/**
 * The signal table: every held value between the parts of a flight, declared once.
 *
 * From it derive the bus, the typed views (who may write and who may see what), the plant's input, the recorder's
 * streams, replay sources, log columns, digests and the docs table. A signal has one writer (law 5); the signals of a
 * writer are contiguous in the bus, in table order. Adding a signal is adding a line; changing the meaning or unit of
 * one raises the version.
 */
export const SIGNAL_TABLE_VERSION = 1;

/** Those who write, in the order in which they speak at a boundary. */
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

/** Sizes known only when a vehicle is chosen. */
export interface Dims {
  readonly rotors: number;
  readonly batteries: number;
  readonly buses: number;
}

export const MOTOR_CHANNELS = 12;
export const SERVO_CHANNELS = 8;

/** Order of the entries of `sensorFaultKind` and `sensorFaultLevel`. */
export const SENSORS = ["gyro", "accel", "mag", "baro", "gnss", "airspeed", "range", "estimator"] as const;

/** Bits of the signal `setpointValid`: which setpoints are in force. */
export const SETPOINT_BITS = {
  posXy: 1,
  posZ: 2,
  velXy: 4,
  velZ: 8,
  acc: 16,
  yaw: 32,
  yawRate: 64,
  attitude: 128,
  rates: 256,
} as const;

export interface SignalSpec {
  readonly writer: Writer;
  readonly size: number | keyof Dims;
  readonly unit: string;
  /** Value before its writer first spoke. */
  readonly initial: number | readonly number[];
  /** Frozen into the plant's input. */
  readonly input?: true;
  /** Truth that a real autopilot could not measure: hidden from it. */
  readonly truth?: true;
  /** Component names for columns; numbers from 1 when absent. */
  readonly components?: readonly string[];
  readonly about: string;
}

const NED = ["n", "e", "d"] as const;
const XYZ = ["x", "y", "z"] as const;
const WXYZ = ["w", "x", "y", "z"] as const;
const IDENTITY = [1, 0, 0, 0] as const;

function defineSignals<const T extends { readonly [name: string]: SignalSpec }>(table: T): T {
  return table;
}

// prettier-ignore
export const SIGNALS = defineSignals({
  // scenario: what happens to the flight
  windGustNed: { writer: "scenario", size: 3, unit: "m/s", initial: 0, truth: true, components: NED, about: "Sum of the active gusts: velocity of the air mass over ground added to the base wind." },
  motorGain: { writer: "scenario", size: "rotors", unit: "1", initial: 1, input: true, truth: true, about: "Factor on a motor's duty; 0 is off, between is a partial loss." },
  motorOffset: { writer: "scenario", size: "rotors", unit: "1", initial: 0, input: true, truth: true, about: "Added to a motor's duty after the gain; with gain 0 the duty it is stuck at, otherwise noise." },
  motorJam: { writer: "scenario", size: "rotors", unit: "flag", initial: 0, input: true, truth: true, about: "1 while a rotor is jammed." },
  batteryConnected: { writer: "scenario", size: "batteries", unit: "flag", initial: 1, input: true, truth: true, about: "0 while a battery is cut off its bus." },
  sensorFaultKind: { writer: "scenario", size: SENSORS.length, unit: "enum", initial: 0, truth: true, components: SENSORS, about: "0 healthy, 1 stuck, 2 bias, 3 drift, 4 drop-out, 5 noise burst." },
  sensorFaultLevel: { writer: "scenario", size: SENSORS.length, unit: "sensor unit", initial: 0, truth: true, components: SENSORS, about: "Size of the fault: bias, drift per second or noise deviation." },
  requestArmed: { writer: "scenario", size: 1, unit: "count", initial: 0, about: "Positive while the pilot wants the motors armed; its size is the number of requests to arm or disarm." },
  requestMode: { writer: "scenario", size: 1, unit: "enum", initial: 0, about: "Mode asked for: 0 none, 1 mission, 2 return, 3 hold, 4 land, 5 take-off." },
  requestCount: { writer: "scenario", size: 1, unit: "count", initial: 0, about: "Rises with every request, those to arm or disarm too, so that asking again for the same mode is seen." },
  parameterChanges: { writer: "scenario", size: 1, unit: "mask", initial: 0, about: "Bit i is set once the scenario's i-th parameter change is in force." },
  landed: { writer: "scenario", size: 1, unit: "flag", initial: 1, truth: true, about: "1 while the vehicle rests on the ground." },
  stop: { writer: "scenario", size: 1, unit: "enum", initial: 0, truth: true, about: "0 fly on; otherwise 1 + the index of the stop condition that holds." },

  // wind
  windBaseNed: { writer: "wind", size: 3, unit: "m/s", initial: 0, truth: true, components: NED, about: "Velocity of the air mass over ground without the scenario's gusts." },
  windNed: { writer: "windSum", size: 3, unit: "m/s", initial: 0, input: true, truth: true, components: NED, about: "Base wind plus gusts: what the plant and everyone after feels." },

  // derived outputs of the plant
  batteryVoltage: { writer: "outputs", size: "batteries", unit: "V", initial: 0, about: "Terminal voltage of each battery." },
  batteryCurrent: { writer: "outputs", size: "batteries", unit: "A", initial: 0, about: "Current of each battery, positive when discharging." },
  batteryRemaining: { writer: "outputs", size: "batteries", unit: "1", initial: 1, about: "State of charge, 0 to 1." },
  batteryWarning: { writer: "outputs", size: "batteries", unit: "enum", initial: 0, about: "0 none, 1 low, 2 critical, 3 emergency." },
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
  specificForceBody: { writer: "outputs", size: 3, unit: "m/s2", initial: 0, truth: true, components: XYZ, about: "Acceleration minus gravity at the centre of mass, in body axes: what an ideal accelerometer reads." },
  contactForceNed: { writer: "outputs", size: 3, unit: "N", initial: 0, truth: true, components: NED, about: "Sum of the ground's forces on the vehicle." },

  // raw sensors: what real instruments would report
  gyroRateBody: { writer: "imu", size: 3, unit: "rad/s", initial: 0, components: XYZ, about: "Body rates as the gyroscope reports them." },
  accelForceBody: { writer: "imu", size: 3, unit: "m/s2", initial: 0, components: XYZ, about: "Specific force at the sensor as the accelerometer reports it." },
  imuTemperature: { writer: "imu", size: 1, unit: "degC", initial: 0, about: "Temperature of the inertial sensor." },
  gyroCount: { writer: "imu", size: 1, unit: "count", initial: 0, about: "Rises with every gyroscope sample; stands still in a drop-out." },
  accelCount: { writer: "imu", size: 1, unit: "count", initial: 0, about: "Rises with every accelerometer sample." },
  magFieldBody: { writer: "magnetometer", size: 3, unit: "uT", initial: 0, components: XYZ, about: "Magnetic field in body axes as the magnetometer reports it." },
  magCount: { writer: "magnetometer", size: 1, unit: "count", initial: 0, about: "Rises with every magnetometer sample." },
  baroPressure: { writer: "barometer", size: 1, unit: "Pa", initial: 0, about: "Static pressure as the barometer reports it." },
  baroAltitude: { writer: "barometer", size: 1, unit: "m", initial: 0, about: "Altitude of that pressure in the standard atmosphere." },
  baroTemperature: { writer: "barometer", size: 1, unit: "degC", initial: 0, about: "Temperature inside the barometer." },
  baroCount: { writer: "barometer", size: 1, unit: "count", initial: 0, about: "Rises with every barometer sample." },
  gnssLatLon: { writer: "gnss", size: 2, unit: "deg", initial: 0, components: ["lat", "lon"], about: "Latitude and longitude as the receiver reports them." },
  gnssAltitude: { writer: "gnss", size: 1, unit: "m", initial: 0, about: "Altitude above mean sea level as the receiver reports it." },
  gnssVelNed: { writer: "gnss", size: 3, unit: "m/s", initial: 0, components: NED, about: "Velocity as the receiver reports it." },
  gnssAccuracy: { writer: "gnss", size: 2, unit: "m", initial: 0, components: ["horizontal", "vertical"], about: "Accuracy that the receiver claims." },
  gnssFix: { writer: "gnss", size: 1, unit: "enum", initial: 0, about: "0 no fix, 3 three-dimensional fix." },
  gnssSatellites: { writer: "gnss", size: 1, unit: "count", initial: 0, about: "Satellites in use." },
  gnssCount: { writer: "gnss", size: 1, unit: "count", initial: 0, about: "Rises with every position the receiver delivers." },
  pitotPressure: { writer: "airspeed", size: 1, unit: "Pa", initial: 0, about: "Total minus static pressure as the airspeed sensor reports it." },
  pitotCount: { writer: "airspeed", size: 1, unit: "count", initial: 0, about: "Rises with every airspeed sample." },
  rangeDistance: { writer: "rangeFinder", size: 1, unit: "m", initial: 0, about: "Distance to the ground along the beam; 0 where there is no echo." },
  rangeValid: { writer: "rangeFinder", size: 1, unit: "flag", initial: 0, about: "1 where the distance is inside the sensor's range." },
  rangeCount: { writer: "rangeFinder", size: 1, unit: "count", initial: 0, about: "Rises with every range sample." },

  // estimator: what the autopilot is told
  estPosNed: { writer: "estimator", size: 3, unit: "m", initial: 0, components: NED, about: "Estimated position." },
  estVelNed: { writer: "estimator", size: 3, unit: "m/s", initial: 0, components: NED, about: "Estimated velocity." },
  estAccNed: { writer: "estimator", size: 3, unit: "m/s2", initial: 0, components: NED, about: "Estimated acceleration." },
  estQBodyToNed: { writer: "estimator", size: 4, unit: "1", initial: IDENTITY, components: WXYZ, about: "Estimated attitude." },
  estRateBody: { writer: "estimator", size: 3, unit: "rad/s", initial: 0, components: XYZ, about: "Estimated body rates." },
  estRateDotBody: { writer: "estimator", size: 3, unit: "rad/s2", initial: 0, components: XYZ, about: "Estimated angular acceleration." },

  // autopilot: its command, and what it says of itself
  motorCommand: { writer: "autopilot", size: MOTOR_CHANNELS, unit: "1", initial: 0, input: true, about: "Commanded duty of each motor channel, 0 to 1." },
  servoCommand: { writer: "autopilot", size: SERVO_CHANNELS, unit: "1", initial: 0, input: true, about: "Command of each servo channel, −1 to 1." },
  setpointValid: { writer: "autopilot", size: 1, unit: "mask", initial: 0, about: "Bits of the setpoints in force: 1 position xy, 2 position z, 4 velocity xy, 8 velocity z, 16 acceleration, 32 yaw, 64 yaw rate, 128 attitude, 256 rates." },
  setPosNed: { writer: "autopilot", size: 3, unit: "m", initial: 0, components: NED, about: "Position setpoint; 0 where not commanded." },
  setVelNed: { writer: "autopilot", size: 3, unit: "m/s", initial: 0, components: NED, about: "Velocity setpoint; 0 where not commanded." },
  setAccNed: { writer: "autopilot", size: 3, unit: "m/s2", initial: 0, components: NED, about: "Acceleration setpoint; 0 where not commanded." },
  setYaw: { writer: "autopilot", size: 1, unit: "rad", initial: 0, about: "Yaw setpoint; 0 where not commanded." },
  setYawRate: { writer: "autopilot", size: 1, unit: "rad/s", initial: 0, about: "Yaw rate setpoint; 0 where not commanded." },
  setQBodyToNed: { writer: "autopilot", size: 4, unit: "1", initial: IDENTITY, components: WXYZ, about: "Attitude setpoint." },
  setRateBody: { writer: "autopilot", size: 3, unit: "rad/s", initial: 0, components: XYZ, about: "Body rate setpoint." },
  setThrustBody: { writer: "autopilot", size: 3, unit: "1", initial: 0, components: XYZ, about: "Normalised thrust setpoint; upward is negative z." },
  setTorqueBody: { writer: "autopilot", size: 3, unit: "1", initial: 0, components: XYZ, about: "Normalised torque setpoint." },
  unallocated: { writer: "autopilot", size: 4, unit: "1", initial: 0, components: ["roll", "pitch", "yaw", "thrust"], about: "Demand that the motors could not give; non-zero means saturated." },
  armed: { writer: "autopilot", size: 1, unit: "flag", initial: 0, about: "1 while the autopilot lets the motors turn." },
  navState: { writer: "autopilot", size: 1, unit: "enum", initial: 0, about: "PX4's number of the flight mode: 3 mission, 4 hold, 5 return, 17 take-off, 18 land …" },
  takeoffState: { writer: "autopilot", size: 1, unit: "enum", initial: 1, about: "1 disarmed, 2 spool-up, 3 ready, 4 ramp-up, 5 flight." },
  landDetected: { writer: "autopilot", size: 1, unit: "enum", initial: 3, about: "The autopilot's own detector: 0 in the air, 1 ground contact, 2 maybe landed, 3 landed." },
  missionIndex: { writer: "autopilot", size: 1, unit: "index", initial: 0, about: "Current mission item, from 0." },
  missionCount: { writer: "autopilot", size: 1, unit: "count", initial: 0, about: "Items of the mission." },
  missionReached: { writer: "autopilot", size: 1, unit: "index", initial: -1, about: "Last mission item reached; −1 none." },
  missionFinished: { writer: "autopilot", size: 1, unit: "flag", initial: 0, about: "1 once the mission has been flown to its end." },
  failsafe: { writer: "autopilot", size: 1, unit: "enum", initial: 0, about: "0 none, 1 battery low, 2 battery critical, 3 battery emergency, 4 attitude failure, 5 estimate lost, 6 outside the fence." },
  hoverThrust: { writer: "autopilot", size: 1, unit: "1", initial: 0.5, about: "Collective at hover as the autopilot believes it." },
});

export type SignalTable = typeof SIGNALS;
export type SignalName = keyof SignalTable;
export const SIGNAL_NAMES = Object.keys(SIGNALS) as readonly SignalName[];

export type TruthSignal = { [N in SignalName]: SignalTable[N] extends { truth: true } ? N : never }[SignalName];
export type InputSignal = { [N in SignalName]: SignalTable[N] extends { input: true } ? N : never }[SignalName];

export function signalSpec(name: SignalName): SignalSpec {
  return SIGNALS[name];
}

export function sizeOf(spec: SignalSpec, dims: Dims): number {
  return typeof spec.size === "number" ? spec.size : dims[spec.size];
}
