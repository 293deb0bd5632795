/**
 * The units that a requirement may use, their dimensions, and their conversion.
 *
 * Values are compared in the coherent unit of their dimension: metre, kilogram, second, ampere, kelvin, and degree,
 * because an angle is a separate dimension here. So metres are never compared with degrees, and no conversion rounds a
 * limit that is written in metres or degrees.
 */
import { DEG_PER_RAD } from "../math/angle.ts";

/** Exponents of length, mass, time, current, temperature and angle. */
export type Dimension = readonly [number, number, number, number, number, number];

export interface Unit {
  readonly name: string;
  readonly dimension: Dimension;
  /** The value in the coherent unit is `factor · value + offset`. */
  readonly factor: number;
  readonly offset: number;
}

const NUMBER: Dimension = [0, 0, 0, 0, 0, 0];
const LENGTH: Dimension = [1, 0, 0, 0, 0, 0];
const MASS: Dimension = [0, 1, 0, 0, 0, 0];
const TIME: Dimension = [0, 0, 1, 0, 0, 0];
const CURRENT: Dimension = [0, 0, 0, 1, 0, 0];
const TEMPERATURE: Dimension = [0, 0, 0, 0, 1, 0];
const ANGLE: Dimension = [0, 0, 0, 0, 0, 1];
const SPEED: Dimension = [1, 0, -1, 0, 0, 0];
const ACCELERATION: Dimension = [1, 0, -2, 0, 0, 0];
const RATE: Dimension = [0, 0, -1, 0, 0, 1];
const ANGULAR_ACCELERATION: Dimension = [0, 0, -2, 0, 0, 1];
const FREQUENCY: Dimension = [0, 0, -1, 0, 0, 0];
const FORCE: Dimension = [1, 1, -2, 0, 0, 0];
const TORQUE: Dimension = [2, 1, -2, 0, 0, 0];
const IMBALANCE: Dimension = [1, 1, 0, 0, 0, 0];
const PRESSURE: Dimension = [-1, 1, -2, 0, 0, 0];
const POWER: Dimension = [2, 1, -3, 0, 0, 0];
const VOLTAGE: Dimension = [2, 1, -3, -1, 0, 0];
const DENSITY: Dimension = [-3, 1, 0, 0, 0, 0];
const FIELD: Dimension = [0, 1, -2, -1, 0, 0];

/** Name with its article, coherent unit, and a difference of practical importance in that unit. */
interface DimensionDoc {
  readonly dimension: Dimension;
  readonly about: string;
  readonly unit: string;
  readonly scale: number;
}

const DIMENSIONS: readonly DimensionDoc[] = [
  { dimension: NUMBER, about: "a number", unit: "1", scale: 0.1 },
  { dimension: LENGTH, about: "a length", unit: "m", scale: 1 },
  { dimension: MASS, about: "a mass", unit: "kg", scale: 0.1 },
  { dimension: TIME, about: "a time", unit: "s", scale: 1 },
  { dimension: CURRENT, about: "a current", unit: "A", scale: 5 },
  { dimension: TEMPERATURE, about: "a temperature", unit: "K", scale: 5 },
  { dimension: ANGLE, about: "an angle", unit: "deg", scale: 10 },
  { dimension: SPEED, about: "a speed", unit: "m/s", scale: 1 },
  { dimension: ACCELERATION, about: "an acceleration", unit: "m/s2", scale: 2 },
  { dimension: RATE, about: "an angular rate", unit: "deg/s", scale: 30 },
  { dimension: ANGULAR_ACCELERATION, about: "an angular acceleration", unit: "deg/s2", scale: 300 },
  { dimension: FREQUENCY, about: "a rate", unit: "1/s", scale: 1 },
  { dimension: FORCE, about: "a force", unit: "N", scale: 1 },
  { dimension: TORQUE, about: "a torque", unit: "N.m", scale: 0.1 },
  { dimension: IMBALANCE, about: "an imbalance", unit: "kg.m", scale: 1e-5 },
  { dimension: PRESSURE, about: "a pressure", unit: "Pa", scale: 100 },
  { dimension: POWER, about: "a power", unit: "W", scale: 50 },
  { dimension: VOLTAGE, about: "a voltage", unit: "V", scale: 0.5 },
  { dimension: DENSITY, about: "a density", unit: "kg/m3", scale: 0.05 },
  { dimension: FIELD, about: "a magnetic field", unit: "T", scale: 5e-6 },
];

const define = (dimension: Dimension, factors: Readonly<Record<string, number>>, offset = 0): Unit[] =>
  Object.entries(factors).map(([name, factor]) => ({ name, dimension, factor, offset }));

/** Units of time. Instants and durations use them too. */
const TIME_UNITS = { us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600 } as const;

const UNITS: ReadonlyMap<string, Unit> = new Map(
  [
    ...define(NUMBER, { "1": 1, "%": 0.01 }),
    ...define(LENGTH, { m: 1, cm: 0.01, mm: 1e-3, km: 1e3, ft: 0.3048 }),
    ...define(MASS, { kg: 1 }),
    ...define(TIME, TIME_UNITS),
    ...define(CURRENT, { A: 1, mA: 1e-3 }),
    ...define(TEMPERATURE, { K: 1 }),
    ...define(TEMPERATURE, { degC: 1 }, 273.15),
    ...define(ANGLE, { deg: 1, rad: DEG_PER_RAD }),
    ...define(SPEED, { "m/s": 1, "km/h": 1 / 3.6, kt: 1852 / 3600 }),
    ...define(ACCELERATION, { "m/s2": 1, g: 9.80665 }),
    ...define(RATE, { "deg/s": 1, "rad/s": DEG_PER_RAD }),
    ...define(ANGULAR_ACCELERATION, { "deg/s2": 1, "rad/s2": DEG_PER_RAD }),
    ...define(FREQUENCY, { "1/s": 1, Hz: 1 }),
    ...define(FORCE, { N: 1 }),
    ...define(TORQUE, { "N.m": 1 }),
    ...define(IMBALANCE, { "kg.m": 1 }),
    ...define(PRESSURE, { Pa: 1, hPa: 100 }),
    ...define(POWER, { W: 1, kW: 1e3 }),
    ...define(VOLTAGE, { V: 1, mV: 1e-3 }),
    ...define(DENSITY, { "kg/m3": 1 }),
    ...define(FIELD, { T: 1, uT: 1e-6 }),
  ].map((unit) => [unit.name, unit]),
);

/** Names of all units, longest first, so that `m/s` is tried before `m`. */
export const UNIT_NAMES: readonly string[] = [...UNITS.keys()].sort((a, b) => b.length - a.length);

/** Returns a unit by name; undefined for flag, enum, mask, count and index, and for unknown units. */
export function unitOf(name: string): Unit | undefined {
  return UNITS.get(name);
}

export function isTimeUnit(name: string): name is keyof typeof TIME_UNITS {
  return Object.hasOwn(TIME_UNITS, name);
}

export function usPerTimeUnit(name: keyof typeof TIME_UNITS): number {
  return { us: 1, µs: 1, ms: 1e3, s: 1e6, min: 6e7, h: 3.6e9 }[name];
}

export function isSameDimension(a: Dimension, b: Dimension): boolean {
  return a.every((exponent, i) => exponent === b[i]);
}

export function multiplyDimensions(a: Dimension, b: Dimension, sign: 1 | -1 = 1): Dimension {
  return a.map((exponent, i) => exponent + sign * b[i]!) as unknown as Dimension;
}

export const DIMENSIONLESS = NUMBER;

function docOf(dimension: Dimension): DimensionDoc | undefined {
  return DIMENSIONS.find((doc) => isSameDimension(doc.dimension, dimension));
}

/** Returns a text such as "a length" or "an angle"; the coherent unit if the dimension has no name. */
export function dimensionText(dimension: Dimension): string {
  return docOf(dimension)?.about ?? `a quantity in ${coherentUnit(dimension)}`;
}

const BASE_UNITS = ["m", "kg", "s", "A", "K", "deg"] as const;

/** Returns the name of the unit in which values of this dimension are compared. */
export function coherentUnit(dimension: Dimension): string {
  const named = docOf(dimension)?.unit;
  if (named !== undefined) return named;
  const power = (sign: 1 | -1) =>
    dimension.flatMap((exponent, i) => {
      const size = sign * exponent;
      return size <= 0 ? [] : [`${BASE_UNITS[i]}${size === 1 ? "" : size}`];
    });
  const [above, below] = [power(1), power(-1)];
  return [above.join(".") || "1", ...below].join("/");
}

/** Returns a difference of practical importance, in the coherent unit. */
export function dimensionScale(dimension: Dimension): number {
  return docOf(dimension)?.scale ?? 1;
}
