/**
 * From a description and all that it extends to one object, remembering who said what.
 *
 * Tables merge; arrays and scalars replace. A table that names another `kind` than the one below replaces it whole,
 * because the parameters of two kinds have nothing in common. Later `extends` override earlier ones, the file itself
 * comes last. Complaints find their file and line through the origin of each key.
 */
import { isPlainObject, nearestName, type PlainObject } from "../params/index.ts";
import { flightErrors } from "./errors.ts";

/** One description as written: a file, a built-in, or an object of the API. */
export interface SpecLayer {
  /** How errors name it: a path, a built-in's name, `flight` for an object. */
  readonly file: string;
  readonly spec: PlainObject;
  /** Where a key stands in it, if it came from a text. */
  readonly locate?: (key: string) => { readonly line: number } | undefined;
}

/** Finds what `extends` names, seen from the layer that says so; undefined if there is none. */
export type SpecLoader = (name: string, from: SpecLayer) => SpecLayer | undefined;

export interface MergedSpec {
  readonly spec: PlainObject;
  /** Layer of each dotted key path. */
  readonly originOf: (key: string) => SpecLayer;
}

/** The layer and all that it extends, the furthest ancestor first. */
export function collectLayers(top: SpecLayer, load: SpecLoader, known: readonly string[]): SpecLayer[] {
  const layers: SpecLayer[] = [];
  const visit = (layer: SpecLayer, chain: readonly SpecLayer[]): void => {
    if (chain.some((ancestor) => ancestor.file === layer.file)) {
      throw flightErrors.extendsCycle({
        what: `extends goes round: ${[...chain, layer].map(({ file }) => file).join(" → ")}`,
        where: placeOf(layer, "extends"),
        fix: "take one of them out of the circle",
      });
    }
    for (const name of extendsOf(layer)) {
      const parent = load(name, layer);
      if (parent === undefined) {
        const near = nearestName(name, known);
        throw flightErrors.extendsMissing({
          what: `"${name}" is neither a built-in nor a file`,
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

function extendsOf(layer: SpecLayer): readonly string[] {
  const given = layer.spec["extends"];
  if (given === undefined) return [];
  const names = Array.isArray(given) ? given : [given];
  if (names.every((name) => typeof name === "string")) return names;
  throw flightErrors.wrongType({
    what: "extends takes a name or a list of names",
    where: placeOf(layer, "extends"),
    fix: 'write extends = "iris"',
  });
}

export function mergeLayers(layers: readonly SpecLayer[]): MergedSpec {
  const origins = new Map<string, SpecLayer>();
  let merged: PlainObject = {};
  for (const layer of layers) {
    const { extends: _extends, ...own } = layer.spec;
    merged = mergeTables(merged, own, layer, origins, "");
  }
  const last = layers[layers.length - 1]!;
  return { spec: merged, originOf: (key) => originOf(key, origins) ?? last };
}

function mergeTables(
  below: PlainObject,
  above: PlainObject,
  layer: SpecLayer,
  origins: Map<string, SpecLayer>,
  path: string,
): PlainObject {
  const base = namesOtherKind(below, above) ? {} : below;
  const merged: Record<string, unknown> = { ...base };
  for (const key of Object.keys(above)) {
    const keyPath = path === "" ? key : `${path}.${key}`;
    const value = above[key];
    const under = Object.hasOwn(base, key) ? base[key] : undefined;
    origins.set(keyPath, layer);
    merged[key] = isPlainObject(value) ? mergeTables(isPlainObject(under) ? under : {}, value, layer, origins, keyPath) : value;
  }
  return merged;
}

function namesOtherKind(below: PlainObject, above: PlainObject): boolean {
  return above["kind"] !== undefined && below["kind"] !== undefined && above["kind"] !== below["kind"];
}

/** The nearest enclosing key that some layer gave. */
function originOf(key: string, origins: ReadonlyMap<string, SpecLayer>): SpecLayer | undefined {
  let path = key;
  for (;;) {
    const found = origins.get(path);
    if (found !== undefined || path === "") return found;
    path = path.slice(0, Math.max(path.lastIndexOf("."), path.lastIndexOf("["), 0));
  }
}

/** File, key and, if it came from a text, line. */
export function placeOf(layer: SpecLayer, key: string): { file: string; key: string; line?: number } {
  const line = layer.locate?.(key)?.line;
  return line === undefined ? { file: layer.file, key } : { file: layer.file, key, line };
}
