/**
 * Gets time series by name from a recording or from a log of any kind.
 *
 * A *column* has one float64 per row; its name, such as `pos_ned_n_m`, is the same in every log. A *signal* has all
 * components of one quantity; its name, such as `posNed`, is that of the simulator. In a log all columns share one list
 * of times; in a ULog each topic has its own. All times are measured from the start of the flight.
 */
import {
  columnName,
  judgeLog,
  judgeRecording,
  nearestName,
  type Recording,
  RecordedColumns,
  type Registry,
  type Requirement,
  SIGNALS,
  type SignalSpec,
  type Verdict,
} from "@escapement/core";
import { logErrors } from "./errors.ts";
import { loggedFlight } from "./logged-flight.ts";
import { TIME_COLUMN, type Provenance } from "./rows.ts";
import type { Table } from "./rows.ts";

/** One signal over time: `size` values for each of `timesUs`. */
export interface Series {
  readonly timesUs: Float64Array;
  readonly size: number;
  readonly unit: string;
  /** Values, row by row. */
  readonly values: Float64Array;
}

/** A file as time series: names, one series per signal, and the provenance. */
export interface SeriesFile {
  /** Names of the columns. */
  readonly names: readonly string[];
  readonly provenance: Provenance;
  /** Describes the missing part of a truncated file; absent if the file is complete. */
  readonly missing?: string;
  /** Returns the times of a column, or of the log's rows if no name is given. */
  timesUs(name?: string): Float64Array;
  column(name: string): Float64Array;
  unit(name: string): string;
  /** Returns all components of a signal, of a block of the state, or of a field of a ULog topic. */
  signal(name: string): Series;
  /** Judges a requirement: a recording by replaying it, a log by its samples. */
  judge(requirement: string | Requirement): Verdict;
}

/** Returns the columns of a log as time series. */
export function seriesOfTable(table: Table): SeriesFile {
  const { columns, units, provenance, missing } = table;
  const names = [...columns.keys()].filter((name) => !isTime(name));
  return new NamedSeries(names, {
    provenance,
    ...(missing === undefined ? {} : { missing }),
    column: (name) => columns.get(name)!,
    unit: (name) => units.get(name) ?? "",
    timesUs: (name) => tableTimes(columns, provenance, name),
    judge: (requirement) => judgeLog(loggedFlight(table), [requirement])[0]!,
  });
}

/** Returns the signals of a recording as time series. The registry must contain the custom parts of the flight. */
export function seriesOfRecording(
  recording: Recording,
  provenance: Provenance = {},
  missing?: string,
  registry?: Registry,
): SeriesFile {
  const columns = new RecordedColumns(recording);
  const indices = new Map(columns.columns.map(({ name }, i) => [name, i]));
  return new NamedSeries([...indices.keys()], {
    provenance,
    ...(missing === undefined ? {} : { missing }),
    column: (name) => columns.column(indices.get(name)!),
    unit: (name) => columns.columns[indices.get(name)!]!.unit,
    timesUs: () => columns.timesUs,
    judge: (requirement) => judgeRecording(recording, [requirement], registry)[0]!,
  });
}

/** The source of columns. It is called only with names that exist. */
interface SeriesStore {
  readonly provenance: Provenance;
  readonly missing?: string;
  column(name: string): Float64Array;
  unit(name: string): string;
  timesUs(name: string | undefined): Float64Array;
  judge(requirement: string | Requirement): Verdict;
}

/** Components that a signal may have if it is not in the signal table. */
const COMPONENTS = ["n", "e", "d", "w", "x", "y", "z"];

class NamedSeries implements SeriesFile {
  readonly names: readonly string[];
  readonly provenance: Provenance;
  readonly missing?: string;
  private readonly store: SeriesStore;
  private readonly known: ReadonlySet<string>;

  constructor(names: readonly string[], store: SeriesStore) {
    this.names = names;
    this.known = new Set(names);
    this.store = store;
    this.provenance = store.provenance;
    if (store.missing !== undefined) this.missing = store.missing;
  }

  timesUs(name?: string): Float64Array {
    return this.store.timesUs(name === undefined ? undefined : this.checkName(name));
  }

  column(name: string): Float64Array {
    return this.store.column(this.checkName(name));
  }

  unit(name: string): string {
    return this.store.unit(this.checkName(name));
  }

  signal(name: string): Series {
    const names = this.columnsOf(name);
    if (names.length === 0) throw this.unknown(name, "signal");
    const columns = names.map((column) => this.store.column(column));
    const size = columns.length;
    const values = new Float64Array(size * columns[0]!.length);
    columns.forEach((column, i) => column.forEach((value, row) => (values[row * size + i] = value)));
    return { timesUs: this.store.timesUs(names[0]!), size, unit: this.store.unit(names[0]!), values };
  }

  judge(requirement: string | Requirement): Verdict {
    return this.store.judge(requirement);
  }

  /** Returns the columns of a signal in order: `pos_ned_n_m` …, `motor_command_1` …, `vehicle_attitude.q[0]` …. */
  private columnsOf(name: string): string[] {
    if (this.known.has(name)) return [name];
    const elements = this.numberedColumns((i) => `${name}[${i}]`, 0);
    if (elements.length > 0) return elements;
    const spec = Object.hasOwn(SIGNALS, name) ? (SIGNALS as Record<string, SignalSpec>)[name] : undefined;
    const units = spec === undefined ? new Set(this.names.map((column) => this.store.unit(column))) : [spec.unit];
    for (const unit of units) {
      const found = this.componentsOf(name, unit, spec?.components);
      if (found.length > 0) return found;
    }
    return [];
  }

  private componentsOf(name: string, unit: string, own: readonly string[] | undefined): string[] {
    const isOfUnit = (column: string) => this.known.has(column) && this.store.unit(column) === unit;
    const single = columnName(name, undefined, unit);
    if (isOfUnit(single)) return [single];
    const named = (own ?? componentsIn(name, unit, isOfUnit))
      .map((part) => columnName(name, part, unit))
      .filter(isOfUnit);
    if (named.length > 0) return named;
    return this.numberedColumns((i) => columnName(name, String(i), unit), 1).filter(isOfUnit);
  }

  private numberedColumns(nameOf: (i: number) => string, first: number): string[] {
    const found: string[] = [];
    while (this.known.has(nameOf(first + found.length))) found.push(nameOf(first + found.length));
    return found;
  }

  private checkName(name: string): string {
    if (this.known.has(name)) return name;
    throw this.unknown(name, "column");
  }

  private unknown(name: string, what: string): Error {
    const near = nearestName(name, this.names);
    const some = this.names.slice(0, 6).join(", ");
    return logErrors.noSuchColumn({
      what: `the file has no ${what} "${name}"`,
      fix: near === undefined ? `choose one of its ${this.names.length} columns: ${some} …` : `did you mean "${near}"?`,
    });
  }
}

/** Returns the components that the file has, in the order of `COMPONENTS`. */
function componentsIn(name: string, unit: string, isPresent: (column: string) => boolean): string[] {
  return COMPONENTS.filter((part) => isPresent(columnName(name, part, unit)));
}

function isTime(name: string): boolean {
  return name === TIME_COLUMN.name || name.endsWith(".time_us");
}

/** Returns the times of a column: those of the log, or those of a ULog topic minus the offset of its time stamps. */
function tableTimes(
  columns: ReadonlyMap<string, Float64Array>,
  provenance: Provenance,
  name: string | undefined,
): Float64Array {
  const shared = columns.get(TIME_COLUMN.name);
  if (shared !== undefined) return shared;
  const stamps = name === undefined ? undefined : columns.get(`${name.slice(0, name.indexOf("."))}.timestamp`);
  if (stamps === undefined) {
    throw logErrors.noSuchColumn({
      what: "each topic of this log has its own times",
      fix: 'request the times of a column, e.g. timesUs("vehicle_attitude.q[0]")',
    });
  }
  const offsetUs = Number(provenance["time_offset_us"] ?? 0);
  return stamps.map((stampUs) => stampUs - offsetUs);
}
