/**
 * The raw sensors of a description: `sensors.imu = true`, or a table of parameters.
 *
 * `false` removes an inherited sensor. The name of a sensor is its kind, so there is at most one of each kind. The
 * result is in the registry's order; the engine updates sensors in the order of its own table.
 */
import { isPlainObject, type Kind, oneOfNames, type PlainObject, show } from "../../params/index.ts";
import type { Diagnostics } from "../diagnostics.ts";
import { resolveKind } from "./kind-spec.ts";
import type { ChosenKind } from "../definition/definition.ts";

export function resolveSensors<Part, Context>(
  kinds: readonly Kind<Part, Context>[],
  given: PlainObject,
  diagnostics: Diagnostics,
): ChosenKind[] {
  const names = kinds.map(({ name }) => name);
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    diagnostics.add("unknownKind", `sensors.${name}`, `unknown sensor ${show(name)}`, oneOfNames(name, names));
  }
  return names.flatMap((name) => {
    const params = paramsOf(name, given[name], diagnostics);
    const place = { key: `sensors.${name}`, fallback: name, also: [] };
    return params === undefined ? [] : (resolveKind(kinds, { ...params, kind: name }, place, diagnostics) ?? []);
  });
}

/** Returns the parameters of a sensor that is switched on, or undefined if it is off or invalid. */
function paramsOf(name: string, value: unknown, diagnostics: Diagnostics): PlainObject | undefined {
  if (value === undefined || value === false) return undefined;
  if (value === true) return {};
  const key = `sensors.${name}`;
  if (!isPlainObject(value)) {
    return diagnostics.add("wrongType", key, `${show(value)} is neither a boolean nor a table`, `write ${key} = true`);
  }
  const { kind = name } = value;
  if (kind === name) return value;
  return diagnostics.add(
    "inconsistent",
    `${key}.kind`,
    `a sensor's name is its kind, but the name is ${show(name)} and the kind is ${show(kind)}`,
    `leave kind out, or write sensors.${typeof kind === "string" ? kind : name} instead`,
  );
}
