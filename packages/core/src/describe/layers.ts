/**
 * From a description and all that it extends to one object, remembering who said what.
 *
 * Tables merge; arrays and scalars replace. A table that names another `kind`, or another base by `extends`, replaces
 * the one below it whole, because their parameters have nothing in common; of two ways to say one thing the later
 * counts. Later `extends` override earlier ones, the file itself comes last. Complaints find their file and line
 * through the origin of each key.
 */
import { isPlainObject, nearestName, type PlainObject, show } from "../params/index.ts";
import { flightErrors } from "./errors.ts";

/** One description as written: a file, a built-in, or an object of the API. */
export interface SpecLayer {
  /** How errors name it: a path, a built-in's name, `flight` for an object. */
  readonly file: string;
  readonly spec: PlainObject;
  /** Where a key stands in it, if it came from a text. */
  readonly locate?: (key: string) => { readonly line: number } | undefined;
}

/** Finds what `extends` (or the key given) names, seen from the layer that says so; undefined if there is none. */
export type SpecLoader = (name: string, from: SpecLayer, key?: string) => SpecLayer | undefined;

/** How the keys of one kind of description merge. */
export interface MergeRules {
  /** Sections for which a bare text is short for a table with that one key. */
  readonly shorthand?: Readonly<Record<string, string>>;
  /** What an absent `kind` stands for, by path. */
  readonly defaultKinds?: Readonly<Record<string, string>>;
  /** Ways to say one thing, by path: a layer that uses one group takes the others back. */
  readonly alternatives?: Readonly<Record<string, readonly (readonly string[])[]>>;
}

export interface MergedSpec {
  readonly spec: PlainObject;
  /** Layer that has the last word on a dotted key path. */
  readonly originOf: (key: string) => SpecLayer;
}

/** Deeper than this is a loop that names hide. */
const MOST_LAYERS = 64;
/** Deeper tables than this are a loop of objects. */
const MOST_LEVELS = 32;

/** A name with a dot or a slash is a path; built-ins have neither. */
export function namesFile(name: string): boolean {
  return /[./\\]/.test(name);
}

/** The layer and all that it extends, the furthest ancestor first. */
export function collectLayers(top: SpecLayer, load: SpecLoader, known: readonly string[]): SpecLayer[] {
  const layers: SpecLayer[] = [];
  const visit = (layer: SpecLayer, chain: readonly SpecLayer[]): void => {
    if (chain.some((ancestor) => isSame(ancestor, layer)) || chain.length > MOST_LAYERS) {
      throw flightErrors.extendsCycle({
        what: `extends goes round: ${[...chain, layer].map(({ file }) => file).join(" → ")}`,
        where: placeOf(chain[chain.length - 1]!, "extends"),
        fix: "take one of them out of the circle",
      });
    }
    for (const name of extendsOf(layer)) {
      const parent = load(name, layer);
      if (parent === undefined) {
        const near = nearestName(name, known);
        throw flightErrors.extendsMissing({
          what: `${show(name)} is neither a built-in nor a file`,
          where: placeOf(layer, "extends"),
          fix: near === undefined ? `built in are: ${known.join(", ")}` : `did you mean "${near}"?`,
        });
      }
      visit(parent, [...chain, layer]);
    }
    layers.push(layer);
  };
  visit(top, []);
  return layers;
}

/** A file read twice is the same; an object is only itself, whatever it is called. */
function isSame(a: SpecLayer, b: SpecLayer): boolean {
  return a.spec === b.spec || (a.file === b.file && namesFile(a.file));
}

function extendsOf(layer: SpecLayer): readonly string[] {
  const given = layer.spec["extends"];
  if (given === undefined) return [];
  const names = Array.isArray(given) ? given : [given];
  if (names.length <= MOST_LAYERS && names.every((name) => typeof name === "string")) return names;
  throw flightErrors.wrongType({
    what: `extends takes a name or a list of at most ${MOST_LAYERS} names`,
    where: placeOf(layer, "extends"),
    fix: 'write extends = "iris"',
  });
}

/** A key of a section as a layer wrote it: by the section alone where it wrote a bare text for it. */
export function writtenKey({ spec }: SpecLayer, section: string, key: string): string {
  return typeof spec[section] === "string" ? section : `${section}.${key}`;
}

export function mergeLayers(layers: readonly SpecLayer[], rules: MergeRules = {}): MergedSpec {
  const merger = new Merger(rules);
  let merged: PlainObject = {};
  for (const layer of layers) {
    const { extends: _extends, ...own } = layer.spec;
    merged = merger.tables(merged, own, layer, "", 0);
  }
  const last = layers[layers.length - 1]!;
  return { spec: merged, originOf: (key) => merger.originOf(key) ?? last };
}

class Merger {
  private readonly rules: MergeRules;
  private readonly origins = new Map<string, SpecLayer>();

  constructor(rules: MergeRules) {
    this.rules = rules;
  }

  tables(below: PlainObject, above: PlainObject, layer: SpecLayer, path: string, level: number): PlainObject {
    if (level > MOST_LEVELS) {
      throw flightErrors.tooDeep({
        what: `tables are nested deeper than ${MOST_LEVELS} levels`,
        where: placeOf(layer, path.slice(0, 60)),
        fix: "is this the right description?",
      });
    }
    const base = this.isOther(below, above, path) ? {} : this.withoutAlternatives(below, above, path);
    const merged: Record<string, unknown> = { ...base };
    for (const key of Object.keys(above)) {
      const keyPath = path === "" ? key : `${path}.${key}`;
      const value = this.inFull(above[key], keyPath);
      const under = Object.hasOwn(base, key) ? base[key] : undefined;
      this.origins.set(keyPath, layer);
      // Not an assignment: a key named __proto__ is a key like any other.
      const result = isPlainObject(value)
        ? this.tables(isPlainObject(under) ? under : {}, value, layer, keyPath, level + 1)
        : value;
      Object.defineProperty(merged, key, { value: result, enumerable: true, writable: true, configurable: true });
    }
    return merged;
  }

  /** The nearest enclosing key that some layer gave. */
  originOf(key: string): SpecLayer | undefined {
    let path = key;
    for (;;) {
      const found = this.origins.get(path);
      if (found !== undefined || path === "") return found;
      path = path.slice(0, Math.max(path.lastIndexOf("."), path.lastIndexOf("["), 0));
    }
  }

  /** `wind = "none"` is short for `wind = { kind = "none" }`. */
  private inFull(value: unknown, path: string): unknown {
    const { shorthand = {} } = this.rules;
    return typeof value === "string" && Object.hasOwn(shorthand, path) ? { [shorthand[path]!]: value } : value;
  }

  /** Whether the table above names another kind or base than the one below. */
  private isOther(below: PlainObject, above: PlainObject, path: string): boolean {
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
    // A layer that uses two of them takes both back: what it says itself is to be judged, not what it was laid over.
    const dropped = groups.filter((group) => used.some((other) => other !== group)).flat();
    return Object.fromEntries(Object.entries(below).filter(([key]) => !dropped.includes(key)));
  }
}

/** File, key and, if it came from a text, line. */
export function placeOf(layer: SpecLayer, key: string): { file: string; key: string; line?: number } {
  const line = layer.locate?.(key)?.line;
  return line === undefined ? { file: layer.file, key } : { file: layer.file, key, line };
}
