/**
 * Merges a description and everything that it extends into one object, and records which layer set each key.
 *
 * Tables merge. Arrays and scalars replace the value below, except that the events of a scenario are appended to the
 * events below. A table that names a different `kind`, or extends a different vehicle, replaces the whole table below
 * it, because the two have different parameters. `MergeRules` list the exceptions. If two layers set the same quantity
 * in different forms, the later layer wins. Later names in `extends` override earlier ones, and the description itself
 * comes last. `replace` lists top-level keys for which a layer discards the values below it. Diagnostics get their file
 * and line from the origin of each key.
 */
import { isPlainObject, didYouMean, type PlainObject, show } from "../../params/index.ts";
import { SimError } from "../../errors/index.ts";
import { flightErrors } from "../errors.ts";

/** One description as written: a file, a built-in, or an object passed to the API. */
export interface SpecLayer {
  /** The name used in errors: a path, the name of a built-in, or `flight` for an object. */
  readonly file: string;
  readonly spec: PlainObject;
  /** Finds the line of a key, if the layer was parsed from text. */
  readonly locate?: (key: string) => { readonly line: number } | undefined;
  /** True if the layer assigns values, as `--set` does: its lists replace the lists below. */
  readonly assigns?: true;
  /**
   * Name of the vehicle, if the layer was made from a definition: a definition holds the vehicle's values, but not its
   * name.
   */
  readonly vehicleName?: string;
}

/**
 * A layer, and the name of a key in that layer. In a list to which several layers append, the index of an entry in the
 * layer differs from its index in the merged list.
 */
interface LayerKey {
  readonly layer: SpecLayer;
  readonly key: string;
}

/** Loads the layer that `extends` (or another key) of the layer `from` names. Undefined if there is no such layer. */
export type SpecLoader = (name: string, from: SpecLayer, key?: string) => SpecLayer | undefined;

/** Rules for merging one type of description. */
export interface MergeRules {
  /** Sections in which a bare string is short for a table with this one key. */
  readonly shorthand?: Readonly<Record<string, string>>;
  /** The default kind if `kind` is absent, by path. */
  readonly defaultKinds?: Readonly<Record<string, string>>;
  /** Keys with the same meaning for every kind, by path. They are kept if a layer above names another kind. */
  readonly keptForEveryKind?: Readonly<Record<string, readonly string[]>>;
  /** Alternative groups of keys for one quantity, by path. A layer that uses one group removes the others. */
  readonly alternatives?: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** Top-level lists to which each layer appends. An empty list removes the entries below. */
  readonly appended?: readonly string[];
  /** Appended lists to which a layer that assigns values appends too. */
  readonly alwaysAppended?: readonly string[];
}

export interface MergedSpec {
  readonly spec: PlainObject;
  /** Returns the layer that set the final value of a dotted key path, and the path in that layer. */
  readonly placeOf: (key: string) => LayerKey;
  /** Whether a key was set for a kind that a later layer replaced, and was kept (`keptForEveryKind`). */
  readonly isFromOtherKind: (key: string) => boolean;
}

/** More layers than this indicate a cycle that comparing names does not detect. */
const MAX_LAYERS = 64;
/** Tables nested deeper than this indicate a cyclic object. */
const MAX_LEVELS = 32;

/** Whether a name is a path, which contains a dot or a slash. Names of built-ins contain neither. */
export function isPath(name: string): boolean {
  return /[./\\]/.test(name);
}

/**
 * Returns the layer and all layers that it extends, starting with the most distant ancestor. An extended layer that
 * cannot be loaded is omitted and reported to `onError`, so that the rest of the description can still be checked.
 */
export function collectLayers(
  top: SpecLayer,
  load: SpecLoader,
  known: readonly string[],
  onError: (error: SimError) => void,
): SpecLayer[] {
  const layers: SpecLayer[] = [];
  const attempt = (read: () => void): void => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof SimError)) throw error;
      onError(error);
    }
  };
  const visit = (layer: SpecLayer, chain: readonly SpecLayer[]): void => {
    if (chain.some((ancestor) => isSame(ancestor, layer)) || chain.length > MAX_LAYERS) {
      throw flightErrors.extendsCycle({
        what: `extends forms a cycle: ${[...chain, layer].map(({ file }) => file).join(" → ")}`,
        where: placeOf(chain[chain.length - 1]!, "extends"),
        fix: "remove one of these links",
      });
    }
    attempt(() => {
      for (const name of extendsOf(layer)) attempt(() => visit(extended(name, layer), [...chain, layer]));
    });
    layers.push(layer);
  };
  const extended = (name: string, from: SpecLayer): SpecLayer => {
    const found = load(name, from);
    if (found !== undefined) return found;
    throw flightErrors.extendsMissing({
      what: `${show(name)} is neither a built-in nor a file`,
      where: placeOf(from, "extends"),
      fix: didYouMean(name, known, `use the path of a file, or one of: ${known.join(", ")}`),
    });
  };
  visit(top, []);
  return layers;
}

/** Whether two layers are the same: they have the same path or, without a path, are the same object. */
function isSame(a: SpecLayer, b: SpecLayer): boolean {
  return a.spec === b.spec || (a.file === b.file && isPath(a.file));
}

function extendsOf(layer: SpecLayer): readonly string[] {
  const given = layer.spec["extends"];
  if (given === undefined) return [];
  const names = Array.isArray(given) ? given : [given];
  if (names.length <= MAX_LAYERS && names.every((name) => typeof name === "string")) return names;
  throw flightErrors.wrongType({
    what: `extends takes a name or a list of at most ${MAX_LAYERS} names`,
    where: placeOf(layer, "extends"),
    fix: 'write extends = "iris"',
  });
}

/** Returns a section's key as the layer wrote it: only the section if the layer wrote a bare string for it. */
export function writtenKey({ spec }: SpecLayer, section: string, key: string): string {
  return typeof spec[section] === "string" ? section : `${section}.${key}`;
}

export function mergeLayers(layers: readonly SpecLayer[], rules: MergeRules = {}): MergedSpec {
  const merger = new Merger(rules);
  let merged: PlainObject = {};
  for (const layer of layers) {
    const { extends: _extends, replace, ...own } = layer.spec;
    const below = replace === undefined ? merged : withoutKeys(merged, replacedKeys(layer, replace));
    merged = merger.tables(below, own, layer, "", 0);
  }
  // A key that no layer sets belongs to the description, not to the assignments of a command line.
  const description = layers.filter(({ assigns }) => assigns !== true).at(-1) ?? layers.at(-1)!;
  return {
    spec: merged,
    placeOf: (key) => merger.placeOf(key) ?? { layer: description, key },
    isFromOtherKind: (key) => merger.isFromOtherKind(key),
  };
}

/** Counts the entries of an appended list per file, in order. */
export function countByFile({ placeOf }: MergedSpec, list: string, length: number): [file: string, count: number][] {
  const counts = new Map<string, number>();
  for (let i = 0; i < length; i += 1) {
    const { file } = placeOf(`${list}[${i}]`).layer;
    counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  return [...counts];
}

function withoutKeys(table: PlainObject, keys: readonly string[]): PlainObject {
  return Object.fromEntries(Object.entries(table).filter(([key]) => !keys.includes(key)));
}

/**
 * Returns the keys that a layer replaces. Each must be a key that the layer sets, so that a misspelling is an error.
 */
function replacedKeys(layer: SpecLayer, replace: unknown): readonly string[] {
  const own = Object.keys(layer.spec).filter((key) => key !== "extends" && key !== "replace");
  const keys: readonly unknown[] = Array.isArray(replace) ? replace : [replace];
  const wrong = keys.find((key) => typeof key !== "string" || !own.includes(key));
  if (wrong === undefined) return keys as readonly string[];
  throw flightErrors.wrongType({
    what: `replace lists ${show(wrong)}, which is not a key of this description`,
    where: placeOf(layer, "replace"),
    fix: `list keys that this description sets: ${own.join(", ")}`,
  });
}

class Merger {
  private readonly rules: MergeRules;
  private readonly origins = new Map<string, LayerKey>();
  /** Keys that were set for another kind, including the keys of their tables. */
  private readonly fromOtherKind = new Set<string>();

  constructor(rules: MergeRules) {
    this.rules = rules;
  }

  tables(below: PlainObject, above: PlainObject, layer: SpecLayer, path: string, level: number): PlainObject {
    if (level > MAX_LEVELS) {
      throw flightErrors.tooDeep({
        what: `tables are nested deeper than ${MAX_LEVELS} levels`,
        where: placeOf(layer, path.slice(0, 60)),
        fix: "remove levels, or check whether this is the right file",
      });
    }
    const kept = this.namesOther(below, above, path)
      ? this.keptFrom(below, path)
      : this.withoutAlternatives(below, above, path);
    const merged: Record<string, unknown> = { ...kept };
    for (const key of Object.keys(above)) {
      const keyPath = path === "" ? key : `${path}.${key}`;
      const value = this.expandShorthand(above[key], keyPath);
      const keptValue = Object.hasOwn(kept, key) ? kept[key] : undefined;
      this.origins.set(keyPath, { layer, key: keyPath });
      this.fromOtherKind.delete(keyPath);
      const result = isPlainObject(value)
        ? this.tables(isPlainObject(keptValue) ? keptValue : {}, value, layer, keyPath, level + 1)
        : this.list(keptValue, value, layer, keyPath);
      // Define the property instead of assigning it, so that a key named __proto__ is an ordinary key.
      Object.defineProperty(merged, key, { value: result, enumerable: true, writable: true, configurable: true });
    }
    return merged;
  }

  /** Returns the place of the key, or of the nearest enclosing key that a layer set. */
  placeOf(key: string): LayerKey | undefined {
    let path = key;
    for (;;) {
      const found = this.origins.get(path);
      if (found !== undefined) return { layer: found.layer, key: found.key + key.slice(path.length) };
      if (path === "") return undefined;
      path = path.slice(0, Math.max(path.lastIndexOf("."), path.lastIndexOf("["), 0));
    }
  }

  /** Appends a list to the list below if the rules say so, and records the place of each entry. */
  private list(below: unknown, above: unknown, layer: SpecLayer, path: string): unknown {
    if (!Array.isArray(above) || this.rules.appended?.includes(path) !== true) return above;
    const replaces = layer.assigns === true && this.rules.alwaysAppended?.includes(path) !== true;
    const kept: readonly unknown[] = Array.isArray(below) && !replaces && above.length > 0 ? below : [];
    above.forEach((_entry, i) => this.origins.set(`${path}[${kept.length + i}]`, { layer, key: `${path}[${i}]` }));
    return [...kept, ...above];
  }

  isFromOtherKind(key: string): boolean {
    return this.fromOtherKind.has(key);
  }

  /** Returns the keys of a table that are kept when another kind replaces the table. */
  private keptFrom(below: PlainObject, path: string): PlainObject {
    const { keptForEveryKind: rules = {} } = this.rules;
    const keys = (Object.hasOwn(rules, path) ? rules[path]! : []).filter((key) => Object.hasOwn(below, key));
    for (const key of keys) {
      const value = below[key];
      this.fromOtherKind.add(`${path}.${key}`);
      if (isPlainObject(value)) for (const name of Object.keys(value)) this.fromOtherKind.add(`${path}.${key}.${name}`);
    }
    return Object.fromEntries(keys.map((key) => [key, below[key]]));
  }

  /** Expands `wind = "none"` to `wind = { kind = "none" }`. */
  private expandShorthand(value: unknown, path: string): unknown {
    const { shorthand = {} } = this.rules;
    return typeof value === "string" && Object.hasOwn(shorthand, path) ? { [shorthand[path]!]: value } : value;
  }

  /** Whether the upper table names another kind than the lower table, or extends another vehicle. */
  private namesOther(below: PlainObject, above: PlainObject, path: string): boolean {
    const { defaultKinds = {} } = this.rules;
    const fallback =
      Object.hasOwn(defaultKinds, path) && Object.keys(below).length > 0 ? defaultKinds[path] : undefined;
    const kind = below["kind"] ?? fallback;
    if (above["kind"] !== undefined && kind !== undefined && above["kind"] !== kind) return true;
    return path !== "" && above["extends"] !== undefined && above["extends"] !== below["extends"];
  }

  private withoutAlternatives(below: PlainObject, above: PlainObject, path: string): PlainObject {
    const { alternatives = {} } = this.rules;
    const groups = Object.hasOwn(alternatives, path) ? alternatives[path]! : [];
    const used = groups.filter((group) => group.some((key) => Object.hasOwn(above, key)));
    if (used.length === 0) return below;
    // If a layer uses two groups, drop both from the layers below, so that later checks see only this layer's values.
    const dropped = groups.filter((group) => used.some((other) => other !== group)).flat();
    return Object.fromEntries(Object.entries(below).filter(([key]) => !dropped.includes(key)));
  }
}

/** Returns file and key, and the line if the layer was parsed from text. */
export function placeOf(layer: SpecLayer, key: string): { file: string; key: string; line?: number } {
  const line = layer.locate?.(key)?.line;
  return line === undefined ? { file: layer.file, key } : { file: layer.file, key, line };
}
