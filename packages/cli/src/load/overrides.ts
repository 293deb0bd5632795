/**
 * Values typed on the command line. `--set key=value` becomes a description that overrides the flight: dotted keys, values in TOML syntax.
 *
 * A value that is not valid TOML is taken as a string, so that `--set wind.kind=none` needs no quotes.
 */
import {
  mustResolve,
  type PlainObject,
  type Registry,
  type ReplayFlightOptions,
  resolveFlight,
  SimError,
} from "@escapement/core";
import { readFlightText } from "@escapement/formats";
import { cliErrors, COMMAND_LINE } from "../errors.ts";

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
    overrides = withValue(overrides, key.split("."), valueOf(assignment.slice(at + 1).trim()));
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

function withValue(base: PlainObject, [first, ...rest]: readonly string[], value: unknown): PlainObject {
  const old = base[first!];
  const inner = typeof old === "object" && old !== null && !Array.isArray(old) ? (old as PlainObject) : {};
  return { ...base, [first!]: rest.length === 0 ? value : withValue(inner, rest, value) };
}

/** `rk45` or `rk45:toleranceScale=0.01,maxStepUs=2000`, resolved like a flight's integrator. */
export function integratorOf(text: string, parts: Registry): NonNullable<ReplayFlightOptions["integrator"]> {
  const [kind = "", rest = ""] = text.split(/:(.*)/s);
  const params = parseOverrides(rest === "" ? [] : rest.split(","));
  return mustResolve(resolveFlight({ file: COMMAND_LINE, spec: { integrator: { kind, ...params } } }, parts)).definition
    .integrator;
}
