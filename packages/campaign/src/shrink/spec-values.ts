/** Values of descriptions by path, and the differences between two descriptions. */
import { canonicalJson, isPlainObject, type PlainObject } from "@escapement/core";

export type Path = readonly (string | number)[];

export function valueAt(from: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => (value as Readonly<Record<string | number, unknown>>)?.[step], from);
}

/** Returns a copy with a value at the end of the path; undefined removes the key. */
export function withValue(old: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(old)) return old.map((entry: unknown, i) => (i === step ? withValue(entry, rest, value) : entry));
  const table = (old ?? {}) as PlainObject;
  const next = withValue(table[step], rest, value);
  if (next !== undefined) return { ...table, [step]: next };
  return Object.fromEntries(Object.entries(table).filter(([key]) => key !== step));
}

/**
 * Returns the paths of values that differ or are new. Lists and sections of different kinds are compared as a whole.
 */
export function changedPaths(base: PlainObject, changed: PlainObject, path: Path = []): Path[] {
  return Object.entries(changed).flatMap(([key, value]): Path[] => {
    const old = base[key];
    const at = [...path, key];
    if (old !== undefined && canonicalJson(old) === canonicalJson(value)) return [];
    const areTables = isPlainObject(old) && isPlainObject(value) && old["kind"] === value["kind"];
    return areTables ? changedPaths(old, value, at) : [at];
  });
}
