/**
 * Shows a log as a flight: its columns on one list of times, under our signal names if there are any.
 *
 * A log of this program has one list of times and columns such as `pos_ned_n_m`. In a ULog every topic has its own
 * times; its columns are sampled at the times of the position or, without a position, at the times of the first topic.
 * The signals that the page shows are found among PX4's topics, and the topics themselves are columns too. The columns
 * that the page shows are sent immediately, with up to MAX_ROWS rows. The page requests other columns, and lines from
 * all rows, when it plots them.
 */
import { type Column, FlightSession, type LoggedSignal, SETPOINT_BITS } from "@escapement/core";
import { loggedFlight, type LogText, type Table } from "@escapement/formats";
import { SHOWN_SIGNALS } from "../data/shown-signals.ts";
import type { FlightHead, FlightId, FromWorker } from "../protocol.ts";
import { logEvents } from "./log-events.ts";
import { type LogColumn, LogRows } from "./log-rows.ts";

/** If a log has more rows than this, the page gets only every second, third … row. */
const MAX_ROWS = 60_000;
/** The column of times in a log whose columns share them. */
const TIME_COLUMN = "time_us";
/** Values per message, few enough that the page stays responsive while it copies them. */
const BATCH_VALUES = 120_000;

/**
 * Signals that the page shows and a ULog can have, each with the estimate that is shown if the log has no true value.
 */
const ULOG_SIGNALS: Readonly<Record<string, string | undefined>> = {
  posNed: "estPosNed",
  velNed: "estVelNed",
  qBodyToNed: "estQBodyToNed",
  rateBody: "estRateBody",
  estPosNed: undefined,
  setPosNed: undefined,
  setVelNed: undefined,
  setpointValid: undefined,
  setQBodyToNed: undefined,
  setRateBody: undefined,
  motorCommand: undefined,
  armed: undefined,
  navState: undefined,
  batteryVoltage: undefined,
  batteryCurrent: undefined,
  batteryRemaining: undefined,
  batteryWarning: undefined,
  windNed: undefined,
};

export function logRows(table: Table): LogRows {
  const all = [...ulogColumns(table), ...tableColumns(table)];
  const times = timesOf(all);
  return new LogRows(all, times, Math.max(1, Math.ceil(times.length / MAX_ROWS)));
}

/** Yields the messages that show a log as a flight. */
export function* logFlight(
  rows: LogRows,
  id: FlightId,
  name: string,
  messages?: readonly LogText[],
): Generator<FromWorker> {
  const { columns, timesUs: times, stride } = rows;
  const endUs = times.at(-1) ?? 0;
  const shown = [...columns.keys()].filter((i) => SHOWN_SIGNALS.has(columns[i]!.signal ?? ""));
  // If the page shows none of the columns, send the first one, so that the log has rows.
  const sent = shown.length > 0 ? shown : [...columns.keys()].slice(0, 1);
  const head: FlightHead = {
    name,
    origin: "log",
    files: {},
    hash: "",
    sections: {},
    columns,
    sent,
    rowsPerSentRow: stride,
    rotors: countUsed(rows, "rotorSpeed") || countUsed(rows, "motorCommand"),
    batteries: countUsed(rows, "batteryVoltage"),
    logPeriodUs: times.length > 1 ? times[1]! - times[0]! : 0,
    autopilotPeriodUs: 0,
    endUs,
    ownEvents: [],
    firstOwnEvent: 0,
    canBranch: false,
    whyNot: "a log contains no description, so it cannot be branched",
  };
  yield { is: "flight", seq: -1, id, head };
  const batchRows = Math.max(1, Math.floor(BATCH_VALUES / sent.length));
  const sentTimes = stride === 1 ? times : times.filter((_, i) => i % stride === 0);
  for (let fromRow = 0; fromRow < sentTimes.length; fromRow += batchRows) {
    const timesUs = sentTimes.slice(fromRow, fromRow + batchRows);
    const batch = { timesUs, values: rows.sent(sent, fromRow, batchRows) };
    yield { is: "rows", id, fromRow, batch, flownUs: timesUs.at(-1)! };
  }
  const digests = { format: "fp1", plant: "", writers: {} } as const;
  const end = {
    outcome: "completed",
    reason: "the end of the log",
    endUs,
    fingerprint: "",
    digests,
    code: "",
  } as const;
  yield { is: "end", id, events: logEvents(rows, messages), end: { ...end, cost: { flyMs: 0, flownUs: 0 } } };
}

/** Returns the columns of the file itself. Those of one topic share their times. */
function tableColumns({ columns, units, provenance }: Table): LogColumn[] {
  const sharedTimes = columns.get(TIME_COLUMN);
  const offsetUs = Number(provenance["time_offset_us"] ?? 0);
  const topics = new Map<string, Float64Array>();
  const timesOfTopic = (name: string) => {
    const topic = name.slice(0, Math.max(0, name.indexOf(".")));
    let timesUs = topics.get(topic);
    if (timesUs === undefined) {
      timesUs = (columns.get(`${topic}.timestamp`) ?? new Float64Array(0)).map((stampUs) => stampUs - offsetUs);
      topics.set(topic, timesUs);
    }
    return timesUs;
  };
  return [...columns]
    .filter(([name]) => name !== TIME_COLUMN && !/\.(?:timestamp|time_us)$/.test(name))
    .map(([name, values]) => ({
      column: ownColumns().byName.get(name) ?? { name, unit: units.get(name) ?? "", about: "" },
      timesUs: sharedTimes ?? timesOfTopic(name),
      valueAt: (row) => values[row]!,
    }));
}

/** Returns the signals of a ULog, component by component; none for other logs, which have them as columns. */
function ulogColumns(table: Table): LogColumn[] {
  if (table.columns.has(TIME_COLUMN)) return [];
  const { find } = loggedFlight(table);
  return Object.entries(ULOG_SIGNALS).flatMap(([name, substitute]) => {
    const found = find(name) ?? (substitute === undefined ? undefined : find(substitute));
    if (found === undefined) return [];
    const { timesUs, size, values } = name === "setpointValid" ? withAttitudeBits(found, find) : found;
    return Array.from({ length: size }, (_, component) => ({
      column: ownColumns().bySignal.get(`${name}[${component}]`) ?? {
        name: `${name}_${component + 1}`,
        unit: "",
        about: "",
        signal: name,
        component,
      },
      timesUs,
      valueAt: (row: number) => values[row * size + component]!,
    }));
  });
}

/**
 * Adds the bits of attitude and rate setpoints, which PX4's trajectory setpoint lacks; logged setpoints are
 * treated as active.
 */
function withAttitudeBits(mask: LoggedSignal, find: (name: string) => LoggedSignal | undefined): LoggedSignal {
  const attitude = find("setQBodyToNed") === undefined ? 0 : SETPOINT_BITS.attitude;
  const rates = find("setRateBody") === undefined ? 0 : SETPOINT_BITS.rates;
  return { ...mask, values: mask.values.map((bits) => bits | attitude | rates) };
}

/**
 * Counts the components of a signal that are ever used: PX4 has twelve motor channels, and those without a motor stay
 * at 0.
 */
function countUsed(rows: LogRows, signal: string): number {
  return [...rows.columns.keys()].filter(
    (column) => rows.columns[column]!.signal === signal && rows.sent([column]).some((value) => Math.abs(value) > 0),
  ).length;
}

/**
 * Returns the times of the rows, which start at 0 and increase: the times of the position or, without a position, of
 * the first column.
 */
function timesOf(all: readonly LogColumn[]): Float64Array {
  const main = all.find(({ column }) => column.signal === "posNed") ?? all[0];
  const found = main?.timesUs ?? new Float64Array(0);
  const increases = (tUs: number, i: number) => tUs >= 0 && (i === 0 || tUs > found[i - 1]!);
  return found.every(increases) ? found : found.filter(increases);
}

interface OwnColumns {
  readonly byName: ReadonlyMap<string, Column>;
  readonly bySignal: ReadonlyMap<string, Column>;
}

let known: OwnColumns | undefined;

/** Returns the columns of this program's logs, for vehicles with up to eight rotors. */
function ownColumns(): OwnColumns {
  if (known !== undefined) return known;
  const columns = (["hover", "octa-motor-out"] as const).flatMap(
    (name) => FlightSession.open({ extends: name }).flight.columns,
  );
  known = {
    byName: new Map(columns.map((column) => [column.name, column])),
    bySignal: new Map(columns.map((column) => [`${column.signal}[${column.component ?? 0}]`, column])),
  };
  return known;
}
