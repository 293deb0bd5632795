/**
 * Cells: functions that compute one number of a record from a row of our columns.
 *
 * Columns have the names that the core derives from the signal table. If a column of a topic is missing, the caller
 * leaves the topic out.
 */
import { columnName, SIGNALS, type Column, type Readable, type SignalName, type SignalSpec } from "@escapement/core";
import * as math from "@escapement/core/math";

/** Computes one number of a record from a row and the time stamp of the record. */
export type Cell = (row: Readable, stampUs: number) => number;

export const now: Cell = (_row, stampUs) => stampUs;
export const nan: Cell = () => NaN;
export const one: Cell = () => 1;

/** Finds the cells of signals and states, and records whether any is missing. */
export class Finder {
  isMissing = false;
  private readonly indexOf: ReadonlyMap<string, number>;

  constructor(columns: readonly Column[]) {
    this.indexOf = new Map(columns.map((column, index) => [column.name, index]));
  }

  /** Returns the cells of all components of a signal. */
  signal(name: SignalName): Cell[] {
    const { size, unit, components }: SignalSpec = SIGNALS[name];
    if (typeof size === "number") {
      return size === 1
        ? [this.column(columnName(name, undefined, unit))]
        : this.columns(name, unit, components ?? numbers(size));
    }
    if (this.indexOf.has(columnName(name, undefined, unit))) return [this.column(columnName(name, undefined, unit))];
    const count = this.count(name);
    if (count === 0) this.isMissing = true;
    return this.columns(name, unit, numbers(count));
  }

  /**
   * Returns the number of components of a signal that has one per rotor, battery or bus. 0 does not count as missing.
   */
  count(name: SignalName): number {
    const { unit } = SIGNALS[name];
    if (this.indexOf.has(columnName(name, undefined, unit))) return 1;
    let count = 0;
    while (this.indexOf.has(columnName(name, String(count + 1), unit))) count += 1;
    return count;
  }

  one(name: SignalName): Cell {
    return this.signal(name)[0] ?? nan;
  }

  /** Returns the cell of a signal with one component, or its initial value if the columns do not contain it. */
  oneOrInitial(name: "estValid"): Cell {
    const { unit, initial } = SIGNALS[name];
    const index = this.indexOf.get(columnName(name, undefined, unit));
    return index === undefined ? () => initial : (row) => row[index]!;
  }

  /** Returns all components of a true or reported state, which has the same unit and components as its estimate. */
  state(name: string, estimate: SignalName): Cell[] {
    const { unit, components = [] }: SignalSpec = SIGNALS[estimate];
    return this.columns(name, unit, components);
  }

  /** Returns the cell of a column that is not a signal of the flight. */
  other(name: string, unit: string): Cell {
    return this.column(columnName(name, undefined, unit));
  }

  private columns(name: string, unit: string, components: readonly string[]): Cell[] {
    return components.map((component) => this.column(columnName(name, component, unit)));
  }

  private column(name: string): Cell {
    const index = this.indexOf.get(name);
    if (index === undefined) {
      this.isMissing = true;
      return nan;
    }
    return (row) => row[index]!;
  }
}

function numbers(size: number): string[] {
  return Array.from({ length: size }, (_, i) => String(i + 1));
}

/** Returns a cell with the value while a bit of the mask is set, and otherwise NaN, PX4's "not commanded". */
export function cellIfCommanded(cell: Cell, mask: Cell, bit: number): Cell {
  return (row, stampUs) => ((mask(row, stampUs) & bit) !== 0 ? cell(row, stampUs) : NaN);
}

/** Returns a cell that is 1 while a bit of the mask is set, and otherwise 0. */
export function isSet(mask: Cell, bit: number): Cell {
  return (row, stampUs) => ((mask(row, stampUs) & bit) !== 0 ? 1 : 0);
}

/** Returns a cell with the heading of a quaternion (w, x, y, z), in radians. */
export function headingOf(q: readonly Cell[]): Cell {
  const [w, x, y, z] = q as [Cell, Cell, Cell, Cell];
  return (row, stampUs) => {
    const [qw, qx, qy, qz] = [w(row, stampUs), x(row, stampUs), y(row, stampUs), z(row, stampUs)];
    return math.atan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz));
  };
}

/** Returns a cell with the time stamp of the last change to a value that passes the test; 0 before the first. */
export function lastChangeUs(cell: Cell, passes: (value: number, before: number) => boolean): Cell {
  let before = NaN;
  let atUs = 0;
  return (row, stampUs) => {
    const value = cell(row, stampUs);
    if (value !== before && passes(value, before)) atUs = stampUs;
    before = value;
    return atUs;
  };
}
