/**
 * A log as a flight of the page: its columns on one list of times, under the names of our own signals if it has them.
 *
 * A log of this program has one list of times and columns such as `pos_ned_n_m`. In a ULog every topic has its own times;
 * its columns are held on the times of the position, or on those of the first topic. PX4's topics give position,
 * velocity, attitude, setpoints, motors, battery and mode.
 */
import { type Column, FlightSession } from "@escapement/core";
import { seriesOfTable, type SeriesFile, type Table } from "@escapement/formats";
import type { FlightHead, FlightId, FromWorker } from "../protocol.ts";

/** More rows than this are thinned: a page shows at most a few thousand at once. */
const MOST_ROWS = 60_000;

/** PX4's fields and the signals that they show. */
const PX4_FIELDS: Readonly<Record<string, readonly [signal: string, component: number, unit: string]>> = {
  "vehicle_local_position.x": ["posNed", 0, "m"],
  "vehicle_local_position.y": ["posNed", 1, "m"],
  "vehicle_local_position.z": ["posNed", 2, "m"],
  "vehicle_local_position.vx": ["velNed", 0, "m/s"],
  "vehicle_local_position.vy": ["velNed", 1, "m/s"],
  "vehicle_local_position.vz": ["velNed", 2, "m/s"],
  ...indexed("vehicle_attitude.q", "qBodyToNed", 4, "1"),
  ...indexed("vehicle_angular_velocity.xyz", "rateBody", 3, "rad/s"),
  ...indexed("actuator_motors.control", "motorCommand", 12, "1"),
  ...indexed("vehicle_attitude_setpoint.q_d", "setQBodyToNed", 4, "1"),
  "vehicle_local_position_setpoint.x": ["setPosNed", 0, "m"],
  "vehicle_local_position_setpoint.y": ["setPosNed", 1, "m"],
  "vehicle_local_position_setpoint.z": ["setPosNed", 2, "m"],
  "battery_status.voltage_v": ["batteryVoltage", 0, "V"],
  "battery_status.current_a": ["batteryCurrent", 0, "A"],
  "battery_status.remaining": ["batteryRemaining", 0, "1"],
  "vehicle_status.nav_state": ["navState", 0, "enum"],
};

function indexed(field: string, signal: string, size: number, unit: string) {
  const entries = Array.from({ length: size }, (_, i) => [`${field}[${i}]`, [signal, i, unit] as const] as const);
  return Object.fromEntries(entries);
}

/** The messages that show a log as a flight. */
export function* logFlight(table: Table, id: FlightId, name: string): Generator<FromWorker> {
  const series = seriesOfTable(table);
  const times = timesOf(series);
  const columns = series.names.filter((each) => !each.endsWith(".timestamp")).map((each) => columnOf(each, series));
  // Of PX4's twelve channels, those that carry a motor have values.
  const countOf = (wanted: string) =>
    columns.filter(({ name: each, signal }) => signal === wanted && !Number.isNaN(series.column(each)[0] ?? 0)).length;
  const head: FlightHead = {
    name,
    origin: "log",
    files: {},
    hash: "",
    sections: {},
    columns,
    rotors: countOf("rotorSpeed") || countOf("motorCommand"),
    batteries: countOf("batteryVoltage"),
    logPeriodUs: times.length > 1 ? times[1]! - times[0]! : 0,
    autopilotPeriodUs: 0,
    endUs: times.at(-1) ?? 0,
    ownEvents: [],
    firstOwnEvent: 0,
    canBranch: false,
    whyNot: "a log holds no description, so it can only be looked at",
  };
  yield { is: "flight", seq: -1, id, head };
  const values = new Float32Array(columns.length * times.length);
  series.names
    .filter((each) => !each.endsWith(".timestamp"))
    .forEach((each, c) => values.set(held(series.timesUs(each), series.column(each), times), c * times.length));
  const endUs = times.at(-1) ?? 0;
  yield { is: "rows", id, fromRow: 0, batch: { timesUs: times, values }, flownUs: endUs };
  const digests = { format: "fp1", plant: "", writers: {} } as const;
  const end = { outcome: "completed", reason: "a log", endUs, fingerprint: "", digests, code: "" } as const;
  yield { is: "end", id, events: [], end: { ...end, cost: { flyMs: 0, flownUs: 0 } } };
}

/** The times of the rows: from 0 on, increasing, and not too many. */
function timesOf(series: SeriesFile): Float64Array {
  const main = series.names.find((name) => name.startsWith("vehicle_local_position.")) ?? series.names[0];
  const all = main === undefined ? new Float64Array(0) : series.timesUs(main);
  const kept = all.filter((tUs, i) => tUs >= 0 && (i === 0 || tUs > all[i - 1]!));
  const stride = Math.ceil(kept.length / MOST_ROWS);
  return stride <= 1 ? kept : kept.filter((_, i) => i % stride === 0);
}

/** The value held at each time; NaN before the first. */
function held(times: Float64Array, values: Float64Array, at: Float64Array): Float32Array {
  const out = new Float32Array(at.length);
  let row = -1;
  at.forEach((tUs, i) => {
    while (row + 1 < times.length && times[row + 1]! <= tUs) row += 1;
    out[i] = row < 0 ? Number.NaN : values[row]!;
  });
  return out;
}

function columnOf(name: string, series: SeriesFile): Column {
  const px4 = PX4_FIELDS[name];
  if (px4 !== undefined) return { name, unit: px4[2], about: "", signal: px4[0], component: px4[1] };
  const own = ownColumns().get(name);
  return own === undefined ? { name, unit: series.unit(name), about: "" } : own;
}

let known: ReadonlyMap<string, Column> | undefined;

/** The columns of this program's logs by name, for vehicles of every size. */
function ownColumns(): ReadonlyMap<string, Column> {
  known ??= new Map(
    (["hover", "octa-motor-out"] as const)
      .flatMap((name) => FlightSession.open({ extends: name }).flight.columns)
      .map((column) => [column.name, column]),
  );
  return known;
}
