/**
 * Checks that apply to all logs (valid column names, finite values, whole and increasing times), and the type of a log
 * that was read.
 */
import type { Column, Readable } from "@escapement/core";
import { logErrors } from "./errors.ts";

/**
 * Facts about where a log comes from: flight hash, versions, etc., but never a date, host name or path. The order of
 * the keys is kept.
 */
export type Provenance = Readonly<Record<string, string>>;

export const TIME_COLUMN: Column = { name: "time_us", unit: "us", about: "Flight time." };

/** A text message of a ULog. */
export interface LogText {
  /** Time of the flight, without the offset of the log's time stamps. */
  readonly tUs: number;
  /** Severity as in syslog: 0 emergency, 3 error, 4 warning, 6 info, 7 debug. */
  readonly level: number;
  readonly text: string;
}

/** A log that was read: columns by name. */
export interface Table {
  /**
   * Columns in the order of the file. In a ULog, names are `topic.field`, and each topic has its own `topic.timestamp`.
   */
  readonly columns: ReadonlyMap<string, Float64Array>;
  readonly units: ReadonlyMap<string, string>;
  /** A description of each column, if the kind of log has descriptions. */
  readonly abouts?: ReadonlyMap<string, string>;
  readonly provenance: Provenance;
  /** The text messages of a ULog, in the order of the file; absent if it has none. */
  readonly messages?: readonly LogText[];
  /** Describes the missing part of a truncated file; absent if the file is complete. */
  readonly missing?: string;
}

const COLUMN_NAME = /^[A-Za-z_][A-Za-z0-9_.]*$/;
const PROVENANCE_KEY = /^[A-Za-z0-9_.-]+$/;

function checkColumns(columns: readonly Column[]): void {
  const seen = new Set([TIME_COLUMN.name]);
  for (const { name } of columns) {
    const problem = !COLUMN_NAME.test(name) ? "is not a valid name" : seen.has(name) ? "is given twice" : undefined;
    if (problem !== undefined) {
      throw logErrors.badColumn({ what: `column "${name}" ${problem}`, fix: "rename the column" });
    }
    seen.add(name);
  }
}

export function checkProvenance(provenance: Provenance, reserved: readonly string[]): void {
  for (const key of Object.keys(provenance)) {
    if (PROVENANCE_KEY.test(key) && !reserved.includes(key)) continue;
    throw logErrors.badProvenance({ what: `"${key}" is not a valid provenance key`, fix: "choose another key" });
  }
}

export class RowGuard {
  private readonly columns: readonly Column[];
  private readonly lastUs = new Float64Array([-Infinity]);

  constructor(columns: readonly Column[]) {
    checkColumns(columns);
    this.columns = columns;
  }

  check(tUs: number, row: Readable): void {
    if (!(tUs > this.lastUs[0]!)) {
      throw logErrors.timeNotIncreasing({
        what: `a row at ${tUs} µs follows a row at ${this.lastUs[0]} µs`,
        where: { tUs },
        fix: "start a new log when a flight is rewound",
      });
    }
    if (!Number.isSafeInteger(tUs)) {
      throw logErrors.timeNotIncreasing({
        what: `the time of a row, ${tUs} µs, is not a whole microsecond`,
        where: { tUs },
        fix: "correct the times of the log that these rows come from",
      });
    }
    this.lastUs[0] = tUs;
    const count = this.columns.length;
    for (let i = 0; i < count; i += 1) {
      const value = row[i]!;
      // The difference is zero for every finite number and NaN for all others.
      if (value - value !== 0) this.report(tUs, i, value);
    }
  }

  private report(tUs: number, index: number, value: number): never {
    throw logErrors.notFinite({
      what: `column ${this.columns[index]!.name} is ${value}`,
      where: { tUs },
      fix: "make the source of this signal write a finite value",
    });
  }
}
