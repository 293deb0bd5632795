/**
 * The quantities of a flight that can be plotted: named ones such as altitude or roll, every column of the log, and
 * quantities derived from these.
 *
 * An inactive setpoint is NaN, which plots omit. Roll and yaw are unwrapped, so that a turn through south draws no line
 * across the plot. Examples of derived quantities: `d/dt altitude`, `norm velNed`, `altitude - setAltitude`.
 */
import { type Column, SETPOINT_BITS } from "@escapement/core";
import type { Rows } from "./rows-store.ts";

const DEG = 180 / Math.PI;

/** Returns the value of a signal's component at the current row. */
export type Read = (signal: string, component?: number) => number;

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

type Compute = (read: Read, previous: number) => number;

/** Returns every quantity of a flight with these columns, by name. */
export function quantitiesOf(columns: readonly Column[]): ReadonlyMap<string, Quantity> {
  const has = new Set(columns.map(({ signal }) => signal));
  // A log of a real vehicle has motor commands, but seldom rotor speeds.
  const rotors = Math.max(countOf(columns, "rotorSpeed"), countOf(columns, "motorCommand"));
  const named = [...namedQuantities(rotors, countOf(columns, "batteryVoltage"))];
  const all = [...named.filter(({ needs }) => needs.every((signal) => has.has(signal))), ...columns.map(rawQuantity)];
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
    // NaN makes every setpoint count as active, so that all columns are found.
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

interface NamedQuantity extends Quantity {
  readonly needs: readonly string[];
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

function makeQuantity(
  name: string,
  label: string,
  unit: string,
  needs: readonly string[],
  compute: Compute,
): NamedQuantity {
  const isSetpoint = name.startsWith("set");
  return { name, label, unit, group: "flight", about: "", isSetpoint, isCode: name === "mode", needs, compute };
}

function* namedQuantities(rotors: number, batteries: number): Generator<NamedQuantity> {
  yield* positions();
  yield* velocities();
  yield* attitudes();
  yield makeQuantity("mode", "mode", "enum", ["navState"], (read) => read("navState"));
  for (let i = 0; i < rotors; i += 1) {
    yield makeQuantity(`motor${i}`, `motor ${i + 1}`, "duty", ["motorCommand"], (read) => read("motorCommand", i));
    yield makeQuantity(`rotor${i}`, `rotor ${i + 1}`, "rad/s", ["rotorSpeed"], (read) => read("rotorSpeed", i));
  }
  for (let i = 0; i < batteries; i += 1) {
    yield makeQuantity(`voltage${i}`, `battery ${i + 1}`, "V", ["batteryVoltage"], (read) => read("batteryVoltage", i));
    yield makeQuantity(`current${i}`, `battery ${i + 1}`, "A", ["batteryCurrent"], (read) => read("batteryCurrent", i));
    const charge: Compute = (read) => 100 * read("batteryRemaining", i);
    yield makeQuantity(`remaining${i}`, `battery ${i + 1}`, "%", ["batteryRemaining"], charge);
  }
  for (const [i, axis] of ["north", "east", "down"].entries()) {
    yield makeQuantity(`wind${i}`, `wind ${axis}`, "m/s", ["windNed"], (read) => read("windNed", i));
  }
}

function* positions(): Generator<NamedQuantity> {
  // Omit setpoints during ground contact, because the landing setpoint sinks far below the ground and would set the
  // axis.
  const setpoint =
    (i: number, scale: number): Compute =>
    (read) =>
      isActive(read, i < 2 ? SETPOINT_BITS.posXy : SETPOINT_BITS.posZ) && !(read("contactForceNed", 2) < 0)
        ? scale * read("setPosNed", i)
        : Number.NaN;
  const needs = ["posNed"];
  const set = ["setPosNed"];
  yield makeQuantity("north", "north", "m", needs, (read) => read("posNed", 0));
  yield makeQuantity("setNorth", "north set", "m", set, setpoint(0, 1));
  yield makeQuantity("east", "east", "m", needs, (read) => read("posNed", 1));
  yield makeQuantity("setEast", "east set", "m", set, setpoint(1, 1));
  yield makeQuantity("altitude", "altitude", "m", needs, (read) => -read("posNed", 2));
  yield makeQuantity("setAltitude", "altitude set", "m", set, setpoint(2, -1));
  const [north, east, down] = [setpoint(0, 1), setpoint(1, 1), setpoint(2, 1)];
  yield makeQuantity("error", "from setpoint", "m", [...needs, ...set], (read, previous) =>
    Math.hypot(
      read("posNed", 0) - north(read, previous),
      read("posNed", 1) - east(read, previous),
      read("posNed", 2) - down(read, previous),
    ),
  );
  yield makeQuantity("estimateError", "estimate from truth", "m", [...needs, "estPosNed"], (read) =>
    Math.hypot(
      read("posNed", 0) - read("estPosNed", 0),
      read("posNed", 1) - read("estPosNed", 1),
      read("posNed", 2) - read("estPosNed", 2),
    ),
  );
}

function* velocities(): Generator<NamedQuantity> {
  const setpoint = (read: Read, i: number) =>
    isActive(read, i < 2 ? SETPOINT_BITS.velXy : SETPOINT_BITS.velZ) ? read("setVelNed", i) : Number.NaN;
  const set = ["setVelNed"];
  const speed: Compute = (read) => Math.hypot(read("velNed", 0), read("velNed", 1));
  yield makeQuantity("groundSpeed", "over ground", "m/s", ["velNed"], speed);
  yield makeQuantity("setGroundSpeed", "over ground set", "m/s", set, (read) =>
    Math.hypot(setpoint(read, 0), setpoint(read, 1)),
  );
  yield makeQuantity("climb", "climb", "m/s", ["velNed"], (read) => -read("velNed", 2));
  yield makeQuantity("setClimb", "climb set", "m/s", set, (read) => -setpoint(read, 2));
}

function* attitudes(): Generator<NamedQuantity> {
  for (const [axis, label] of ["roll", "pitch", "yaw"].entries()) {
    const angle = (signal: string, read: Read) =>
      ANGLES_DEG[axis]!(read(signal, 0), read(signal, 1), read(signal, 2), read(signal, 3));
    const actual: Compute = (read, previous) => nearest(angle("qBodyToNed", read), axis === 1 ? Number.NaN : previous);
    const setpoint: Compute = (read, previous) => {
      if (!isActive(read, SETPOINT_BITS.attitude)) return Number.NaN;
      const degrees = angle("setQBodyToNed", read);
      if (axis === 1) return degrees;
      return nearest(degrees, Number.isNaN(previous) ? angle("qBodyToNed", read) : previous);
    };
    yield makeQuantity(`att${axis}`, label, "°", ["qBodyToNed"], actual);
    yield makeQuantity(`setAtt${axis}`, `${label} set`, "°", ["setQBodyToNed", "qBodyToNed"], setpoint);
  }
  for (const [i, label] of ["p", "q", "r"].entries()) {
    yield makeQuantity(`rate${i}`, label, "°/s", ["rateBody"], (read) => DEG * read("rateBody", i));
    yield makeQuantity(`setRate${i}`, `${label} set`, "°/s", ["setRateBody"], (read) =>
      isActive(read, SETPOINT_BITS.rates) ? DEG * read("setRateBody", i) : Number.NaN,
    );
  }
}

/** Whether a setpoint is active. A log without this signal has NaN for inactive setpoints instead. */
function isActive(read: Read, bit: number): boolean {
  const valid = read("setpointValid");
  return Number.isNaN(valid) || (valid & bit) !== 0;
}

/** Roll, pitch and yaw in degrees of a quaternion w, x, y, z (rotation about z, then y, then x). */
const ANGLES_DEG: readonly ((w: number, x: number, y: number, z: number) => number)[] = [
  (w, x, y, z) => DEG * Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
  (w, x, y, z) => DEG * Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))),
  (w, x, y, z) => DEG * Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
];

/** Returns roll, pitch and yaw of a quaternion in degrees. */
export function eulerDeg(q: ArrayLike<number>): [roll: number, pitch: number, yaw: number] {
  const angle = (axis: number) => ANGLES_DEG[axis]!(q[0]!, q[1]!, q[2]!, q[3]!);
  return [angle(0), angle(1), angle(2)];
}

/** Adds whole turns so that an angle is as near as possible to another one. */
function nearest(degrees: number, other: number): number {
  return Number.isNaN(other) ? degrees : degrees + 360 * Math.round((other - degrees) / 360);
}

function findRate(all: ReadonlyMap<string, Quantity>, name: string): Quantity | undefined {
  const of = /^d\/dt (.+)$/.exec(name)?.[1];
  const base = of === undefined ? undefined : findQuantity(all, of);
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
      // Pass the value before, so that angles are unwrapped and a whole turn does not count as a change.
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
