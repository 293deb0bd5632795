/**
 * Shows a log as a flight: its columns on one list of times, under our signal names if there are any.
 *
 * A log of this program has one list of times and columns such as `pos_ned_n_m`. In a ULog every topic has its own
 * times; its values are held at the times of the position, or of the first topic. The signals that the page shows are
 * found among PX4's topics, and the topics themselves are columns too.
 */
import { type Column, FlightSession, type LoggedSignal, SETPOINT_BITS } from "@escapement/core";
import { loggedFlight, seriesOfTable, type SeriesFile, type Table } from "@escapement/formats";
import type { FlightHead, FlightId, FromWorker } from "../protocol.ts";

/** A log with more rows or values than this is downsampled, because a page shows a few thousand rows at once. */
const MAX_ROWS = 60_000;
const MAX_VALUES = 20_000_000;
/** Values per message, few enough that the page stays responsive while it copies them. */
const BATCH_VALUES = 120_000;

/** Signals that the page shows and a ULog can have, each with the estimate that replaces a missing truth. */
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

/** A column, its times and its values. */
interface LogColumn {
  readonly column: Column;
  readonly timesUs: Float64Array;
  readonly valueAt: (row: number) => number;
}

/** Yields the messages that show a log as a flight. */
export function* logFlight(table: Table, id: FlightId, name: string): Generator<FromWorker> {
  const series = seriesOfTable(table);
  const all = [...ulogColumns(table, series), ...tableColumns(series)];
  const times = timesOf(all);
  const columns = all.map(({ column }) => column);
  const endUs = times.at(-1) ?? 0;
  const head: FlightHead = {
    name,
    origin: "log",
    files: {},
    hash: "",
    sections: {},
    columns,
    rotors: countUsed(all, "rotorSpeed") || countUsed(all, "motorCommand"),
    batteries: countUsed(all, "batteryVoltage"),
    logPeriodUs: times.length > 1 ? times[1]! - times[0]! : 0,
    autopilotPeriodUs: 0,
    endUs,
    ownEvents: [],
    firstOwnEvent: 0,
    canBranch: false,
    whyNot: "a log contains no description, so it cannot be branched",
  };
  yield { is: "flight", seq: -1, id, head };
  yield* rowsOf(all, times, id);
  const digests = { format: "fp1", plant: "", writers: {} } as const;
  const end = { outcome: "completed", reason: "a log", endUs, fingerprint: "", digests, code: "" } as const;
  yield { is: "end", id, events: [], end: { ...end, cost: { flyMs: 0, flownUs: 0 } } };
}

/** Yields the rows in batches. Each value is the latest at or before its time, or NaN before the first. */
function* rowsOf(all: readonly LogColumn[], times: Float64Array, id: FlightId): Generator<FromWorker> {
  const batchRows = Math.max(1, Math.floor(BATCH_VALUES / Math.max(1, all.length)));
  const heldRows = new Int32Array(all.length).fill(-1);
  for (let fromRow = 0; fromRow < times.length; fromRow += batchRows) {
    const timesUs = times.slice(fromRow, fromRow + batchRows);
    const values = new Float32Array(all.length * timesUs.length);
    all.forEach(({ timesUs: own, valueAt }, c) => {
      let row = heldRows[c]!;
      timesUs.forEach((tUs, i) => {
        while (row + 1 < own.length && own[row + 1]! <= tUs) row += 1;
        values[c * timesUs.length + i] = row < 0 ? Number.NaN : valueAt(row);
      });
      heldRows[c] = row;
    });
    yield { is: "rows", id, fromRow, batch: { timesUs, values }, flownUs: timesUs.at(-1)! };
  }
}

/** Returns the columns of the file itself. */
function tableColumns(series: SeriesFile): LogColumn[] {
  return series.names
    .filter((name) => !name.endsWith(".timestamp"))
    .map((name) => {
      const values = series.column(name);
      const column = ownColumns().byName.get(name) ?? { name, unit: series.unit(name), about: "" };
      return { column, timesUs: series.timesUs(name), valueAt: (row) => values[row]! };
    });
}

/** Returns the signals of a ULog, component by component. Other logs have them as columns. */
function ulogColumns(table: Table, series: SeriesFile): LogColumn[] {
  if (!series.names.some((name) => name.includes("."))) return [];
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
 * Adds the bits of attitude and rate setpoints, which PX4's trajectory setpoint lacks; logged setpoints count as
 * active.
 */
function withAttitudeBits(mask: LoggedSignal, find: (name: string) => LoggedSignal | undefined): LoggedSignal {
  const attitude = find("setQBodyToNed") === undefined ? 0 : SETPOINT_BITS.attitude;
  const rates = find("setRateBody") === undefined ? 0 : SETPOINT_BITS.rates;
  return { ...mask, values: mask.values.map((bits) => bits | attitude | rates) };
}

/**
 * Counts the components of a signal that are ever used. Of PX4's twelve motor channels, those without a motor stay at
 * 0.
 */
function countUsed(all: readonly LogColumn[], signal: string): number {
  return all.filter(({ column, timesUs, valueAt }) => {
    if (column.signal !== signal) return false;
    for (let row = 0; row < timesUs.length; row += 1) if (Math.abs(valueAt(row)) > 0) return true;
    return false;
  }).length;
}

/**
 * Returns the times of the rows: those of the position if there is one, without negative or repeated times,
 * downsampled.
 */
function timesOf(all: readonly LogColumn[]): Float64Array {
  const main = all.find(({ column }) => column.signal === "posNed") ?? all[0];
  const found = main?.timesUs ?? new Float64Array(0);
  const kept = found.filter((tUs, i) => tUs >= 0 && (i === 0 || tUs > found[i - 1]!));
  const maxRows = Math.min(MAX_ROWS, Math.floor(MAX_VALUES / Math.max(1, all.length)));
  const stride = Math.ceil(kept.length / maxRows);
  return stride <= 1 ? kept : kept.filter((_, i) => i % stride === 0);
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
