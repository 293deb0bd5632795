/**
 * The quantities of a flight that can be plotted: named ones such as altitude or roll, every column of the log, and
 * quantities derived from these.
 *
 * Examples of derived quantities: `d/dt altitude`, `norm velNed`, `altitude - setAltitude`.
 */
import type { Column } from "@escapement/core";
import { namedQuantities, type Read } from "../../shared/quantities.ts";
import type { Rows } from "./rows-store.ts";

/** A quantity and the function that computes it from a row. */
export interface Quantity {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  /** `flight` for named quantities; for a column of the log, the writer of its signal. */
  readonly group: string;
  readonly about: string;
  readonly isSetpoint: boolean;
  /** True for codes and flags, which are held from row to row. */
  readonly isCode: boolean;
  /** `previous` is the value at the previous row; NaN at the first row. */
  readonly compute: (read: Read, previous: number, place: { readonly rows: Rows; readonly row: number }) => number;
}

/** Returns every quantity of a flight with these columns, by name. */
export function quantitiesOf(columns: readonly Column[]): ReadonlyMap<string, Quantity> {
  const has = new Set(columns.map(({ signal }) => signal));
  // A log of a real vehicle has motor commands, but seldom rotor speeds.
  const rotors = Math.max(countOf(columns, "rotorSpeed"), countOf(columns, "motorCommand"));
  const named = [...namedQuantities(rotors, countOf(columns, "batteryVoltage"))]
    .filter(({ needs }) => needs.every((signal) => has.has(signal)))
    .map((quantity): Quantity => ({ ...quantity, group: "flight", about: "" }));
  const all = [...named, ...columns.map(rawQuantity)];
  return new Map(all.map((quantity) => [quantity.name, quantity]));
}

/** Finds a quantity by name, including derived ones. Undefined if the flight does not have it. */
export function findQuantity(all: ReadonlyMap<string, Quantity>, name: string): Quantity | undefined {
  return all.get(name) ?? findRate(all, name) ?? findNorm(all, name) ?? findDifference(all, name);
}

/**
 * Returns the columns that a quantity is computed from. `places` holds the index of each column by signal and
 * component.
 */
export function columnsOf({ compute }: Quantity, places: ReadonlyMap<string, number>): ReadonlySet<number> {
  const found = new Set<number>();
  const place = (signal: string, component = 0) => places.get(`${signal}[${component}]`) ?? -1;
  const read = (signal: string, component = 0) => {
    found.add(place(signal, component));
    // With NaN every setpoint is treated as active, so that all columns are found.
    return Number.NaN;
  };
  const rows: Rows = {
    columns: [],
    count: 2,
    lastUs: 1,
    version: 0,
    place,
    timeUs: (row) => row,
    rowAt: (tUs) => tUs,
    value: (column) => {
      found.add(column);
      return Number.NaN;
    },
  };
  compute(read, Number.NaN, { rows, row: 1 });
  found.delete(-1);
  return found;
}

function countOf(columns: readonly Column[], name: string): number {
  return columns.filter(({ signal }) => signal === name).length;
}

function rawQuantity({ name, unit, about, signal = name, component = 0, writer }: Column): Quantity {
  return {
    name: `${signal}[${component}]`,
    label: name.replaceAll("_", " "),
    unit,
    group: writer === "plant" ? "state" : (writer ?? "log"),
    about,
    isSetpoint: signal.startsWith("set"),
    isCode: ["enum", "mask", "flag"].includes(unit),
    compute: (read) => read(signal, component),
  };
}

function findRate(all: ReadonlyMap<string, Quantity>, name: string): Quantity | undefined {
  const baseName = /^d\/dt (.+)$/.exec(name)?.[1];
  const base = baseName === undefined ? undefined : findQuantity(all, baseName);
  if (base === undefined) return undefined;
  return {
    ...base,
    name,
    label: `d/dt ${base.label}`,
    unit: `${base.unit}/s`,
    compute: (read, _previous, { rows, row }) => {
      if (row === 0) return Number.NaN;
      const before = base.compute((signal, i = 0) => rows.value(rows.place(signal, i), row - 1), Number.NaN, {
        rows,
        row: row - 1,
      });
      // Pass the previous value, so that angles are unwrapped and a whole turn is not a change.
      const now = base.compute(read, before, { rows, row });
      return (now - before) / ((rows.timeUs(row) - rows.timeUs(row - 1)) / 1e6);
    },
  };
}

function findNorm(all: ReadonlyMap<string, Quantity>, name: string): Quantity | undefined {
  const signal = /^norm (\w+)$/.exec(name)?.[1];
  const first = signal === undefined ? undefined : all.get(`${signal}[0]`);
  if (first === undefined) return undefined;
  let size = 1;
  while (all.has(`${signal}[${size}]`)) size += 1;
  const components = Array.from({ length: size }, (_, i) => i);
  return {
    ...first,
    name,
    label: `norm of ${signal}`,
    compute: (read) => Math.hypot(...components.map((i) => read(signal!, i))),
  };
}

function findDifference(all: ReadonlyMap<string, Quantity>, name: string): Quantity | undefined {
  const [left, right, ...more] = name.split(" - ");
  if (right === undefined || more.length > 0) return undefined;
  const [a, b] = [findQuantity(all, left!), findQuantity(all, right)];
  if (a === undefined || b === undefined) return undefined;
  return {
    ...a,
    name,
    label: `${a.label} − ${b.label}`,
    compute: (read, _previous, place) => a.compute(read, Number.NaN, place) - b.compute(read, Number.NaN, place),
  };
}
