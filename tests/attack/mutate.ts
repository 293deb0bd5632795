/** Random changes to JSON values, texts and bytes. Every case has its own seeded stream, so it can be repeated. */
import { RandomStream } from "@escapement/core";

export class Chance {
  private readonly stream: RandomStream;

  constructor(seed: number, name: string) {
    this.stream = new RandomStream(seed, name);
  }

  below(count: number): number {
    return Math.min(count - 1, Math.floor(this.stream.uniform() * count));
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  number(): number {
    const digits = this.stream.uniform() - 0.5;
    return this.of([
      digits,
      digits * 10 ** this.below(309),
      digits * 10 ** -this.below(320),
      Math.round(digits * 1000),
    ]);
  }
}

/** A value that contains more values than this is not changed any further. */
const MAX_VALUES = 50_000;

type Json = unknown;
type Path = readonly (string | number)[];

const LEAVES: readonly Json[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  0.5,
  1e-9,
  1e300,
  -1e300,
  5e-324,
  2 ** 53,
  "",
  "x",
  "embedded",
  "rk45",
  "constructor",
  "é\u0000\ud800",
  [],
  {},
  [null],
  [[]],
  { kind: "none" },
  { kind: "ou", version: 1, params: {} },
];

const isNode = (value: Json): value is Record<string, Json> => typeof value === "object" && value !== null;

/**
 * Sizes of objects and lists. They can be cached, because values are never changed in place, and a mutated value shares
 * most parts with its base.
 */
const sizes = new WeakMap<object, number>();

/** Counts the values in a value, including itself. */
function sizeOf(value: Json): number {
  if (!isNode(value)) return 1;
  let size = sizes.get(value);
  if (size === undefined) {
    size = 1;
    for (const key of Object.keys(value)) size += sizeOf(value[key]);
    sizes.set(value, size);
  }
  return size;
}

/** Returns the path of value number `index` inside a value; outer values come first. */
function pathAt(value: Json, index: number): Path {
  if (index === 0 || !isNode(value)) return [];
  let left = index - 1;
  for (const key of Object.keys(value)) {
    const size = sizeOf(value[key]);
    if (left < size) return [key, ...pathAt(value[key], left)];
    left -= size;
  }
  return [];
}

function at(value: Json, path: Path): Json {
  return path.reduce<Json>((inner, key) => (inner as Record<string, Json>)[key], value);
}

function replaceAt(value: Json, [key, ...rest]: Path, change: (old: Json) => Json): Json {
  if (key === undefined) return change(value);
  const copy = (Array.isArray(value) ? [...(value as Json[])] : { ...(value as object) }) as Record<string, Json>;
  copy[key] = replaceAt(copy[key], rest, change);
  return copy;
}

function withKey(value: Json, key: string, inner: Json): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return inner;
  const copy = { ...value };
  Object.defineProperty(copy, key, { value: inner, enumerable: true, configurable: true, writable: true });
  return copy;
}

function without(value: Json, chance: Chance): Json {
  if (Array.isArray(value)) return value.filter((_, i) => i !== chance.below(value.length + 1));
  if (typeof value !== "object" || value === null) return chance.of(LEAVES);
  const gone = chance.of(Object.keys(value).concat(""));
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== gone));
}

function scale(value: Json, chance: Chance): Json {
  if (typeof value !== "number") return chance.number();
  return chance.of([
    -value,
    value + 0.5,
    value * 2,
    value / 3,
    value * 10 ** chance.below(20),
    value / 10 ** chance.below(20),
    value + 1,
    chance.number(),
  ]);
}

/** Makes one to three changes somewhere in a JSON value. */
export function mutateJson(base: Json, chance: Chance): Json {
  let value = base;
  for (let left = 1 + chance.below(3); left > 0; left -= 1) {
    const size = sizeOf(value);
    if (size > MAX_VALUES) break;
    const path = pathAt(value, chance.below(size));
    const other = at(value, pathAt(value, chance.below(size)));
    const change = chance.below(12);
    value = replaceAt(value, path, (old) => {
      if (change < 4) return scale(old, chance);
      if (change < 6) return chance.of(LEAVES);
      if (change === 6) return without(old, chance);
      if (change === 7) return other;
      if (change === 8) return [old];
      if (change === 9)
        return withKey(old, chance.of(["__proto__", "constructor", "x", "kind", "extends", "params"]), other);
      if (change === 10) return Array.from({ length: 10 ** (1 + chance.below(4)) }, () => old);
      return typeof old === "string" ? old.repeat(1 + chance.below(1000)) : chance.of(LEAVES);
    });
  }
  return value;
}

/** Changes characters of a text, or cuts it. */
export function mutateText(text: string, chance: Chance): string {
  let changed = text;
  for (let left = 1 + chance.below(4); left > 0; left -= 1) {
    const start = chance.below(changed.length + 1);
    const length = chance.below(1 + chance.of([1, 8, 200]));
    const insert = chance.of([
      "",
      "{",
      "}",
      "[",
      "]",
      '"',
      ",",
      ":",
      "-",
      "1e999",
      "0",
      "null",
      "\u0000",
      changed.slice(start, start + length).repeat(3),
    ]);
    changed = changed.slice(0, start) + insert + changed.slice(start + length);
  }
  return changed;
}

function concat(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(head.length + tail.length);
  both.set(head);
  both.set(tail, head.length);
  return both;
}

/** Flips bits, overwrites bytes, cuts the file off, and deletes, repeats and copies ranges of it. */
export function mutateBytes(bytes: Uint8Array, chance: Chance): Uint8Array {
  let changed = bytes.slice();
  for (let left = 1 + chance.below(3); left > 0; left -= 1) {
    const start = chance.below(changed.length);
    const length = Math.min(changed.length - start, 1 + chance.below(chance.of([1, 8, 64, 4096])));
    switch (chance.below(8)) {
      case 0:
      case 1:
        changed[start]! ^= 1 << chance.below(8);
        break;
      case 2:
        changed[start] = chance.below(256);
        break;
      case 3:
        changed.fill(chance.of([0, 255, 1, 127]), start, start + length);
        break;
      case 4:
        changed = changed.slice(0, start);
        break;
      case 5:
        changed = concat(changed.subarray(0, start), changed.subarray(start + length));
        break;
      case 6:
        changed = concat(changed.subarray(0, start + length), changed.subarray(start));
        break;
      default:
        changed.copyWithin(chance.below(changed.length), start, start + length);
    }
    if (changed.length === 0) break;
  }
  return changed;
}
