/**
 * How a key varies: a function from a unit coordinate to a value.
 *
 * A distribution is a table with the name of the distribution as its key: `{ uniform = [3, 15] }`. Times are given as
 * texts with units or as seconds, and are rounded to whole microseconds, because flight time has no finer unit.
 * Distributions use only the math functions of the core, so a coordinate gives the same value on every machine.
 */
import {
  defineErrors,
  isPlainObject,
  nearestName,
  normalQuantile,
  parseDurationText,
  type SimError,
} from "@escapement/core";
import * as math from "@escapement/core/math";
import type { Distribution, VariedValue } from "../contracts.ts";
import { normalCdf } from "../statistics/normal.ts";

export const varyErrors = defineErrors("VARY", {
  badDistribution: {
    number: 1,
    title: "the distribution of a varied key cannot be read",
    explain:
      "A varied key has a table with the name of one distribution: `uniform = [from, to]`, `log-uniform = [from, to]`, `triangular = [from, most-likely, to]`, `normal = { mean, sigma }` or `log-normal = { median, factor }` with an optional `within = [from, to]`, `integers = [from, to]`, `choice = [values]` with optional `weights`, or `list = [values]`.",
  },
  badValue: {
    number: 2,
    title: "a number of a distribution is out of its range",
    explain:
      'Ranges go from the smaller to the larger number. `log-uniform` and `log-normal` need positive numbers. Sigma and weights must be positive. Times have a unit, such as "10 s", or are numbers of seconds for keys that end in S.',
  },
});

/** Reads the numbers of each continuous distribution. */
const FORMS: Readonly<Record<string, (numbers: NumberReader) => Shape>> = {
  uniform: (read) => {
    const [from, to] = read.range("uniform");
    return { valueAt: (u) => from + (to - from) * u, from, to };
  },
  "log-uniform": (read) => {
    const [from, to] = read.range("log-uniform");
    if (!(from > 0)) throw read.badValue("log-uniform", `starts at ${from}`, "start above 0");
    const ratio = math.log(to / from);
    return { valueAt: (u) => from * math.exp(ratio * u), from, to };
  },
  triangular: (read) => {
    const [from, mode, to] = read.numbers("triangular", 3);
    if (!(from! <= mode! && mode! <= to! && from! < to!))
      throw read.badValue(
        "triangular",
        `is [${from}, ${mode}, ${to}]`,
        "write [from, most likely, to] in ascending order",
      );
    return { valueAt: (u) => triangularAt(from!, mode!, to!, u), from: from!, to: to! };
  },
  normal: (read) => {
    const [mean, sigma] = read.named("normal", ["mean", "sigma"]);
    if (!(sigma! > 0)) throw read.badValue("normal", `has sigma ${sigma}`, "write a sigma above 0");
    return normalShape(
      read,
      (z) => mean! + sigma! * z,
      (x) => (x - mean!) / sigma!,
    );
  },
  "log-normal": (read) => {
    const [median, factor] = read.named("log-normal", ["median", "factor"]);
    if (!(median! > 0 && factor! > 1))
      throw read.badValue(
        "log-normal",
        `has median ${median} and factor ${factor}`,
        "write a median above 0 and a factor above 1",
      );
    const sigma = math.log(factor!);
    return normalShape(
      read,
      (z) => median! * math.exp(sigma * z),
      (x) => math.log(x / median!) / sigma,
    );
  },
};

/** A continuous distribution before rounding. */
interface Shape {
  valueAt(u: number): number;
  /** Bounds that rounding errors must not exceed. */
  readonly from: number;
  readonly to: number;
}

const NAMES = [...Object.keys(FORMS), "integers", "choice", "list"];
const EXTRA_KEYS: Readonly<Record<string, readonly string[]>> = {
  normal: ["within"],
  "log-normal": ["within"],
  choice: ["weights"],
};

/**
 * Reads a distribution from a campaign file.
 * @param key dotted path of the varied key; a key that ends in `S` after a lower-case letter is a time in seconds
 */
export function readDistribution(spec: unknown, key: string): Distribution {
  const names = isPlainObject(spec) ? Object.keys(spec).filter((name) => NAMES.includes(name)) : [];
  if (!isPlainObject(spec) || names.length !== 1) throw badDistribution(spec, key);
  const kind = names[0]!;
  const stray = Object.keys(spec).find((name) => name !== kind && EXTRA_KEYS[kind]?.includes(name) !== true);
  if (stray !== undefined) throw badValue(key, kind, `has no key "${stray}"`, `remove ${stray}`);
  if (kind === "choice" || kind === "list") return valuesOf(kind, spec, key);
  const read = new NumberReader(spec, key);
  return kind === "integers" ? integers(read) : continuous(kind, FORMS[kind]!(read), read);
}

function continuous(kind: string, { valueAt, from, to }: Shape, read: NumberReader): Distribution {
  const inside = (x: number) => Math.min(Math.max(x, from), to);
  const wholeUs = (seconds: number) => Math.round(seconds * 1e6);
  const clip = (us: number) => Math.min(Math.max(us, Math.ceil(from * 1e6 - 1e-3)), Math.floor(to * 1e6 + 1e-3));
  if (read.isText) return { kind, size: undefined, valueAt: (u) => `${clip(wholeUs(inside(valueAt(u)))) / 1e6} s` };
  if (!isTimeKey(read.key)) return { kind, size: undefined, valueAt: (u) => inside(valueAt(u)) };
  return { kind, size: undefined, valueAt: (u) => clip(wholeUs(inside(valueAt(u)))) / 1e6 };
}

function integers(read: NumberReader): Distribution {
  const [from, to] = read.range("integers", "may be equal");
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to))
    throw read.badValue("integers", `is [${from}, ${to}]`, "write two whole numbers");
  const size = to - from + 1;
  return { kind: "integers", size, valueAt: (u) => from + indexAt(u, size) };
}

/** Makes a distribution of listed values, equally likely or by weight. */
function valuesOf(kind: string, spec: Readonly<Record<string, unknown>>, key: string): Distribution {
  const values = spec[kind];
  if (!Array.isArray(values) || values.length === 0)
    throw badValue(key, kind, "has no values", `write ${kind} = [value, …]`);
  const wrong = values.findIndex((value) => !isVariedValue(value));
  if (wrong >= 0)
    throw badValue(
      key,
      kind,
      `has a value that is not a number, text or boolean at position ${wrong + 1}`,
      "remove it",
    );
  const listed: readonly VariedValue[] = values;
  const size = listed.length;
  const ends = spec["weights"] === undefined ? undefined : cumulative(spec["weights"], size, key);
  const at = (u: number) => (ends === undefined ? indexAt(u, size) : firstAbove(ends, u));
  return { kind, size, valueAt: (u) => listed[at(u)]! };
}

function cumulative(weights: unknown, size: number, key: string): Float64Array {
  const isRight =
    Array.isArray(weights) &&
    weights.length === size &&
    weights.every((w) => typeof w === "number" && w > 0 && w < Infinity);
  if (!isRight) throw badValue(key, "choice", "has invalid weights", `write ${size} positive weights`);
  const ends = Float64Array.from(weights as number[]);
  for (let i = 1; i < size; i += 1) ends[i] = ends[i]! + ends[i - 1]!;
  return ends.map((end) => end / ends[size - 1]!);
}

function firstAbove(ends: Float64Array, u: number): number {
  const found = ends.findIndex((end) => u < end);
  return found < 0 ? ends.length - 1 : found;
}

function indexAt(u: number, size: number): number {
  return Math.min(size - 1, Math.floor(u * size));
}

function isVariedValue(value: unknown): value is VariedValue {
  return (
    typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))
  );
}

function triangularAt(from: number, mode: number, to: number, u: number): number {
  const part = (mode - from) / (to - from);
  if (u < part) return from + Math.sqrt(u * (to - from) * (mode - from));
  return to - Math.sqrt((1 - u) * (to - from) * (to - mode));
}

/**
 * Returns a function of a normal score, limited to `within` by rescaling the coordinate, not by moving values to its
 * ends.
 */
function normalShape(read: NumberReader, ofScore: (z: number) => number, scoreOf: (x: number) => number): Shape {
  if (!read.has("within")) {
    return { valueAt: (u) => ofScore(normalQuantile(insideUnit(u))), from: -Infinity, to: Infinity };
  }
  const [from, to] = read.range("within");
  const [low, high] = [normalCdf(scoreOf(from)), normalCdf(scoreOf(to))];
  // In the upper tail, probabilities are near 1 and lose digits, so use the mirrored distribution.
  const isUpper = scoreOf(from) > 0;
  const [lowTail, highTail] = [normalCdf(-scoreOf(to)), normalCdf(-scoreOf(from))];
  const scoreAt = (u: number) =>
    isUpper
      ? -normalQuantile(insideUnit(highTail * (1 - u) + lowTail * u))
      : normalQuantile(insideUnit(low * (1 - u) + high * u));
  return { valueAt: (u) => ofScore(scoreAt(u)), from, to };
}

function insideUnit(p: number): number {
  return Math.min(Math.max(p, 1e-300), 1 - 1.1102230246251565e-16);
}

function isTimeKey(key: string): boolean {
  return /[a-z]S$/.test(key);
}

/** Reads the numbers of a distribution; times with units become seconds. */
class NumberReader {
  readonly key: string;
  /** Whether the numbers were written as texts with units; values are then texts with units too. */
  isText = false;
  private readonly spec: Readonly<Record<string, unknown>>;

  constructor(spec: Readonly<Record<string, unknown>>, key: string) {
    this.spec = spec;
    this.key = key;
  }

  has(name: string): boolean {
    return this.spec[name] !== undefined;
  }

  range(name: string, ends: "differ" | "may be equal" = "differ"): readonly [number, number] {
    const [from, to] = this.numbers(name, 2);
    if (from! < to! || (ends === "may be equal" && from === to)) return [from!, to!];
    throw this.badValue(name, `is [${from}, ${to}]`, "write the smaller number first");
  }

  numbers(name: string, count: number): readonly number[] {
    const given = this.spec[name];
    if (!Array.isArray(given) || given.length !== count)
      throw this.badValue(
        name,
        `is not a list of ${count} numbers`,
        `write ${name} = [${"number, ".repeat(count - 1)}number]`,
      );
    return given.map((value: unknown) => this.number(name, value));
  }

  named(name: string, keys: readonly string[]): readonly number[] {
    const given = this.spec[name];
    const isRight = isPlainObject(given) && Object.keys(given).every((key) => keys.includes(key));
    if (!isRight)
      throw this.badValue(name, "is not written as a table", `write ${name} = { ${keys.join(" = …, ")} = … }`);
    return keys.map((key) => this.number(`${name}.${key}`, given[key]));
  }

  badValue(name: string, what: string, fix: string): SimError {
    return badValue(this.key, name, what, fix);
  }

  private number(name: string, value: unknown): number {
    if (typeof value === "number" && Number.isFinite(value)) return value;
    const seconds = typeof value === "string" ? parseDurationText(value, "with unit") : undefined;
    if (seconds === undefined)
      throw this.badValue(
        name,
        `contains ${JSON.stringify(value) ?? "nothing"}`,
        'write a number, or a time with its unit, e.g. "10 s"',
      );
    this.isText = true;
    return seconds;
  }
}

function badValue(key: string, name: string, what: string, fix: string): SimError {
  return varyErrors.badValue({ what: `${name} ${what}`, where: { key: `vary.${key}` }, fix });
}

function badDistribution(spec: unknown, key: string): SimError {
  const words = isPlainObject(spec) ? Object.keys(spec) : [];
  const near = words.map((word) => nearestName(word, NAMES)).find((name) => name !== undefined);
  return varyErrors.badDistribution({
    what: words.length === 0 ? "the distribution is not a table" : `${words.join(", ")} is not one distribution`,
    where: { key: `vary.${key}` },
    fix: near === undefined || words.includes(near) ? `write one of ${NAMES.join(", ")}` : `did you mean ${near}?`,
  });
}
