/**
 * Turns `--set key=value` into a description that overrides the flight: dotted keys, values in TOML syntax.
 *
 * A value that is not valid TOML is taken as a string, so that `--set wind.kind=none` needs no quotes.
 */
import { SimError, type PlainObject } from "@escapement/core";
import { readFlightText } from "@escapement/formats";
import { cliErrors } from "../errors.ts";

export function parseOverrides(assignments: readonly string[]): PlainObject {
  let overrides: PlainObject = {};
  for (const assignment of assignments) {
    const at = assignment.indexOf("=");
    const key = assignment.slice(0, at).trim();
    if (at <= 0 || !/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(key)) {
      throw cliErrors.badSet({
        what: `--set ${assignment} is not key=value`,
        fix: "e.g. --set wind.kind=none --set vehicle.massKg=1.6",
      });
    }
    overrides = laidOver(overrides, key.split("."), valueOf(assignment.slice(at + 1).trim()));
  }
  return overrides;
}

function valueOf(text: string): unknown {
  try {
    return readFlightText(`value = ${text}`, "--set.toml").object["value"];
  } catch (error) {
    if (error instanceof SimError) return text;
    throw error;
  }
}

function laidOver(below: PlainObject, [first, ...rest]: readonly string[], value: unknown): PlainObject {
  const under = below[first!];
  const inner = typeof under === "object" && under !== null && !Array.isArray(under) ? (under as PlainObject) : {};
  return { ...below, [first!]: rest.length === 0 ? value : laidOver(inner, rest, value) };
}
