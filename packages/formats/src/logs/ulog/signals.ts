/**
 * Maps PX4's topics back to our signals, for logs of real flights. The sources of a signal are listed best first.
 *
 * `topics.ts` writes most of these topics; the others exist only in logs from PX4. Field names of older PX4 releases
 * are listed after the current ones.
 */
import { type LoggedSignal, SETPOINT_BITS, SIGNALS } from "@escapement/core";
import type { Table } from "../rows.ts";

interface SignalSource {
  readonly topic: string;
  readonly fields: readonly string[];
  /** For each field, a flag of the topic that is 0 while the field is invalid; a topic without the flag is valid. */
  readonly valid?: readonly string[];
  /** Computes the components of the signal from the fields. If absent, the components are the fields. */
  readonly of?: (fields: readonly number[]) => readonly number[];
}

const LAND = SIGNALS.landDetected.values;
const ARMED = 2;
/** Microteslas per gauss. */
const UT_PER_GAUSS = 100;

const vector = (name: string, size: number): string[] => Array.from({ length: size }, (_, i) => `${name}[${i}]`);
const XYZ = ["x", "y", "z"];

/** Returns the sources of position, velocity and acceleration in one topic. */
function motion(topic: string): Readonly<Record<"pos" | "vel" | "acc", SignalSource>> {
  return {
    pos: { topic, fields: XYZ, valid: ["xy_valid", "xy_valid", "z_valid"] },
    vel: { topic, fields: ["vx", "vy", "vz"], valid: ["v_xy_valid", "v_xy_valid", "v_z_valid"] },
    acc: { topic, fields: ["ax", "ay", "az"] },
  };
}

const ESTIMATE = motion("vehicle_local_position");
const TRUTH = motion("vehicle_local_position_groundtruth");

/** PX4 uses NaN for values that are not commanded; they become 0. */
const nanToZero = (fields: readonly number[]) => fields.map((value) => (Number.isNaN(value) ? 0 : value));
/** PX4 reports a negative number for quantities that a battery monitor does not measure; they become NaN. */
const negativeToNan = (fields: readonly number[]) => fields.map((value) => (value < 0 ? NaN : value));

/** Setpoints of the position controller; before PX4 1.14 the fields had different names. */
function setpoint(fields: readonly string[], older: readonly string[]): readonly SignalSource[] {
  return [
    { topic: "trajectory_setpoint", fields, of: nanToZero },
    { topic: "trajectory_setpoint", fields: older, of: nanToZero },
    { topic: "vehicle_local_position_setpoint", fields: older, of: nanToZero },
  ];
}

function setpointMask([x, y, z, vx, vy, vz, ax, ay, az, yaw, yawRate]: readonly number[]): readonly number[] {
  const bit = (values: readonly (number | undefined)[], mask: number) =>
    values.some((value) => Number.isNaN(value)) ? 0 : mask;
  const { posXy, posZ, velXy, velZ, acc, yaw: heading, yawRate: turn } = SETPOINT_BITS;
  return [
    bit([x, y], posXy) +
      bit([z], posZ) +
      bit([vx, vy], velXy) +
      bit([vz], velZ) +
      bit([ax, ay, az], acc) +
      bit([yaw], heading) +
      bit([yawRate], turn),
  ];
}

const SETPOINT_FIELDS = [
  ...vector("position", 3),
  ...vector("velocity", 3),
  ...vector("acceleration", 3),
  "yaw",
  "yawspeed",
];
const OLDER_SETPOINT_FIELDS = [...XYZ, "vx", "vy", "vz", ...vector("acceleration", 3), "yaw", "yawspeed"];

function landState([contact, maybe, landed]: readonly number[]): readonly number[] {
  if (landed !== 0) return [LAND.landed];
  return [maybe !== 0 ? LAND["maybe landed"] : contact !== 0 ? LAND["ground contact"] : LAND["in the air"]];
}

/** Signals with one instance of a topic per battery. */
const BATTERIES: Readonly<Record<string, Pick<SignalSource, "fields" | "of">>> = {
  batteryVoltage: { fields: ["voltage_v"] },
  batteryCurrent: { fields: ["current_a"], of: negativeToNan },
  batteryRemaining: { fields: ["remaining"], of: negativeToNan },
  batteryWarning: { fields: ["warning"] },
};

const GNSS_TOPICS = ["vehicle_gps_position", "sensor_gps"];
const gnss = (fields: readonly string[], of?: SignalSource["of"]): SignalSource[] =>
  GNSS_TOPICS.map((topic) => ({ topic, fields, ...(of === undefined ? {} : { of }) }));

const SOURCES: Readonly<Record<string, readonly SignalSource[]>> = {
  posNed: [TRUTH.pos],
  velNed: [TRUTH.vel],
  accNed: [TRUTH.acc],
  qBodyToNed: [{ topic: "vehicle_attitude_groundtruth", fields: vector("q", 4) }],
  rateBody: [{ topic: "vehicle_angular_velocity_groundtruth", fields: vector("xyz", 3) }],
  rateDotBody: [{ topic: "vehicle_angular_velocity_groundtruth", fields: vector("xyz_derivative", 3) }],
  estPosNed: [ESTIMATE.pos],
  estVelNed: [ESTIMATE.vel],
  estAccNed: [ESTIMATE.acc],
  estQBodyToNed: [{ topic: "vehicle_attitude", fields: vector("q", 4) }],
  estRateBody: [
    { topic: "vehicle_angular_velocity", fields: vector("xyz", 3) },
    { topic: "vehicle_attitude", fields: ["rollspeed", "pitchspeed", "yawspeed"] },
  ],
  estRateDotBody: [{ topic: "vehicle_angular_velocity", fields: vector("xyz_derivative", 3) }],
  setPosNed: setpoint(vector("position", 3), XYZ),
  setVelNed: setpoint(vector("velocity", 3), ["vx", "vy", "vz"]),
  setAccNed: setpoint(vector("acceleration", 3), vector("acceleration", 3)),
  setYaw: setpoint(["yaw"], ["yaw"]),
  setYawRate: setpoint(["yawspeed"], ["yawspeed"]),
  setpointValid: [
    { topic: "trajectory_setpoint", fields: SETPOINT_FIELDS, of: setpointMask },
    { topic: "trajectory_setpoint", fields: OLDER_SETPOINT_FIELDS, of: setpointMask },
    { topic: "vehicle_local_position_setpoint", fields: OLDER_SETPOINT_FIELDS, of: setpointMask },
  ],
  setQBodyToNed: [{ topic: "vehicle_attitude_setpoint", fields: vector("q_d", 4) }],
  setRateBody: [{ topic: "vehicle_rates_setpoint", fields: ["roll", "pitch", "yaw"] }],
  setThrustBody: [{ topic: "vehicle_thrust_setpoint", fields: vector("xyz", 3) }],
  setTorqueBody: [{ topic: "vehicle_torque_setpoint", fields: vector("xyz", 3) }],
  // A channel without a motor is NaN, and so are all channels of a disarmed vehicle.
  motorCommand: [{ topic: "actuator_motors", fields: vector("control", 12), of: nanToZero }],
  armed: [{ topic: "vehicle_status", fields: ["arming_state"], of: ([state]) => [state === ARMED ? 1 : 0] }],
  navState: [{ topic: "vehicle_status", fields: ["nav_state"] }],
  landDetected: [
    { topic: "vehicle_land_detected", fields: ["ground_contact", "maybe_landed", "landed"], of: landState },
    { topic: "vehicle_land_detected", fields: ["landed"], of: ([landed]) => landState([0, 0, landed!]) },
  ],
  takeoffState: [{ topic: "takeoff_status", fields: ["takeoff_state"] }],
  missionIndex: [{ topic: "mission_result", fields: ["seq_current"] }],
  missionReached: [{ topic: "mission_result", fields: ["seq_reached"] }],
  missionCount: [{ topic: "mission_result", fields: ["seq_total"] }],
  missionFinished: [{ topic: "mission_result", fields: ["finished"] }],
  hoverThrust: [{ topic: "hover_thrust_estimate", fields: ["hover_thrust"], valid: ["valid"] }],
  gyroRateBody: [{ topic: "sensor_combined", fields: vector("gyro_rad", 3) }],
  accelVibration: [{ topic: "vehicle_imu_status", fields: ["accel_vibration_metric"] }],
  gyroVibration: [{ topic: "vehicle_imu_status", fields: ["gyro_vibration_metric"] }],
  accelForceBody: [{ topic: "sensor_combined", fields: vector("accelerometer_m_s2", 3) }],
  magFieldBody: [
    {
      topic: "vehicle_magnetometer",
      fields: vector("magnetometer_ga", 3),
      of: (field) => field.map((gauss) => UT_PER_GAUSS * gauss),
    },
  ],
  baroPressure: [{ topic: "vehicle_air_data", fields: ["baro_pressure_pa"] }],
  baroAltitude: [{ topic: "vehicle_air_data", fields: ["baro_alt_meter"] }],
  airDensity: [{ topic: "vehicle_air_data", fields: ["rho"] }],
  gnssLatLon: [
    ...gnss(["latitude_deg", "longitude_deg"]),
    ...gnss(["lat", "lon"], (angles) => angles.map((units) => units * 1e-7)),
  ],
  gnssAltitude: [...gnss(["altitude_msl_m"]), ...gnss(["alt"], ([millimetres]) => [millimetres! * 1e-3])],
  gnssVelNed: gnss(["vel_n_m_s", "vel_e_m_s", "vel_d_m_s"]),
  gnssAccuracy: gnss(["eph", "epv"]),
  gnssFix: gnss(["fix_type"]),
  gnssSatellites: gnss(["satellites_used"]),
  rangeDistance: [{ topic: "distance_sensor", fields: ["current_distance"] }],
  // PX4 estimates the horizontal wind only.
  windNed: ["wind", "wind_estimate"].map((topic) => ({
    topic,
    fields: ["windspeed_north", "windspeed_east"],
    of: ([north, east]) => [north!, east!, NaN],
  })),
};

/** Returns the topics that contain a signal, as text, or undefined if there are none. */
export function ulogTopicsOf(name: string): string | undefined {
  if (Object.hasOwn(BATTERIES, name)) return "the topic battery_status";
  const topics = [...new Set((SOURCES[name] ?? []).map(({ topic }) => topic))];
  return topics.length === 0 ? undefined : `the topic ${topics.join(" or ")}`;
}

export function findUlogSignal(table: Table, name: string): LoggedSignal | undefined {
  if (Object.hasOwn(BATTERIES, name)) return findBatteries(table, BATTERIES[name]!);
  for (const source of Object.hasOwn(SOURCES, name) ? SOURCES[name]! : []) {
    const found = readSource(table, source);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Reads a signal. Returns undefined if the log lacks a field, or has no record of the topic. */
function readSource({ columns, provenance }: Table, source: SignalSource): LoggedSignal | undefined {
  const { topic, fields, valid = [], of } = source;
  const columnOf = (field: string) => columns.get(`${topic}.${field}`);
  const found = fields.map(columnOf);
  const stampsUs = columnOf("timestamp");
  if (stampsUs === undefined || stampsUs.length === 0 || found.includes(undefined)) return undefined;
  const flags = fields.map((_, i) => (valid[i] === undefined ? undefined : columnOf(valid[i])));
  const record = found.map(() => 0);
  const rows = increasingRecords(stampsUs, Number(provenance["time_offset_us"] ?? 0));
  const readRecord = (row: number): readonly number[] => {
    for (let field = 0; field < record.length; field += 1) {
      const flag = flags[field];
      record[field] = flag === undefined || flag[row] !== 0 ? found[field]![row]! : NaN;
    }
    return of === undefined ? record : of(record);
  };
  const size = readRecord(0).length;
  const values = new Float64Array(size * rows.records.length);
  rows.records.forEach((row, i) => {
    const components = readRecord(row);
    for (let component = 0; component < size; component += 1) values[i * size + component] = components[component]!;
  });
  return { timesUs: rows.timesUs, size, values };
}

/**
 * Returns the records with increasing times. When a log begins, PX4 writes the last message of every topic with its
 * earlier time; such a record is moved to the start. If several records have the same time, the last one is used. A
 * record that is earlier than the one before it is skipped.
 */
function increasingRecords(
  stampsUs: Float64Array,
  offsetUs: number,
): { readonly timesUs: Float64Array; readonly records: Uint32Array } {
  const timesUs = new Float64Array(stampsUs.length);
  const records = new Uint32Array(stampsUs.length);
  let count = 0;
  stampsUs.forEach((stampUs, row) => {
    const tUs = Math.max(0, stampUs - offsetUs);
    const lastUs = count === 0 ? -1 : timesUs[count - 1]!;
    if (!(tUs >= lastUs)) return;
    if (tUs === lastUs) count -= 1;
    timesUs[count] = tUs;
    records[count] = row;
    count += 1;
  });
  return { timesUs: timesUs.slice(0, count), records: records.slice(0, count) };
}

/**
 * Returns one value per battery that was ever connected, at the times of the first battery. The values of the other
 * batteries are held between their times.
 */
function findBatteries(table: Table, { fields, of }: Pick<SignalSource, "fields" | "of">): LoggedSignal | undefined {
  const found: LoggedSignal[] = [];
  for (let instance = 0; instance < 10; instance += 1) {
    const topic = instance === 0 ? "battery_status" : `battery_status_${instance}`;
    const connected = table.columns.get(`${topic}.connected`);
    const signal = readSource(table, { topic, fields, ...(of === undefined ? {} : { of }) });
    if (signal !== undefined && connected?.some((flag) => flag !== 0) !== false) found.push(signal);
  }
  const [first] = found;
  if (first === undefined) return undefined;
  const size = found.length;
  const values = new Float64Array(size * first.timesUs.length);
  found.forEach(({ timesUs, values: own }, i) => {
    let at = 0;
    first.timesUs.forEach((tUs, row) => {
      while (at + 1 < timesUs.length && timesUs[at + 1]! <= tUs) at += 1;
      values[row * size + i] = own[at]!;
    });
  });
  return { timesUs: first.timesUs, size, values };
}
