/** Merges a partial table into a complete one, for settings that change in flight. */
import { isPlainObject, type PlainObject } from "../../params/index.ts";

/**
 * Returns `below` with the values of `above`. Tables merge key by key. With `mergesLists`, lists of tables merge entry
 * by entry and have the length of the upper list; otherwise the upper list replaces the lower one.
 */
export function overlay(below: PlainObject, above: PlainObject, mergesLists: boolean): PlainObject {
  const merged = Object.entries(above).map(([key, value]) => {
    const under = Object.hasOwn(below, key) ? below[key] : undefined;
    return [key, overlayValue(under, value, mergesLists)] as const;
  });
  return { ...below, ...Object.fromEntries(merged) };
}

function overlayValue(below: unknown, above: unknown, mergesLists: boolean): unknown {
  if (isPlainObject(below) && isPlainObject(above)) return overlay(below, above, mergesLists);
  if (!mergesLists || !Array.isArray(below) || !Array.isArray(above)) return above;
  return above.map((entry, i) => overlayValue(below[i], entry, true));
}

/** Returns the paths of the values that a partial table sets, e.g. `drag.areaM2` or `rotors[1].positionM`. */
export function pathsOf(table: PlainObject, path = ""): string[] {
  return Object.entries(table).flatMap(([key, value]) => pathsOfValue(value, path === "" ? key : `${path}.${key}`));
}

function pathsOfValue(value: unknown, path: string): string[] {
  if (isPlainObject(value)) return pathsOf(value, path);
  const isListOfTables = Array.isArray(value) && value.length > 0 && value.every(isPlainObject);
  return isListOfTables ? value.flatMap((entry, i) => pathsOf(entry, `${path}[${i}]`)) : [path];
}

/**
 * Returns the values of a complete table at the paths that a partial one sets. With `mergesLists`, entries of lists of
 * tables are partial too.
 */
export function pickGiven(complete: PlainObject, given: PlainObject, mergesLists: boolean): PlainObject {
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, pickValue(complete[key], value, mergesLists)]),
  );
}

function pickValue(complete: unknown, given: unknown, mergesLists: boolean): unknown {
  if (isPlainObject(complete) && isPlainObject(given)) return pickGiven(complete, given, mergesLists);
  if (!mergesLists || !Array.isArray(complete) || !Array.isArray(given)) return complete;
  return given.map((entry, i) => pickValue(complete[i], entry, true));
}
