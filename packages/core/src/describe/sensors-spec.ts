/**
 * The raw sensors of a description: `sensors.imu = true`, or a table of its parameters; false takes back what was extended.
 *
 * A sensor's name is its kind, so that there is one of each. They are listed in the registry's order; the engine lets them speak in that of its table.
 */
import { isPlainObject, type Kind, oneOfNames, type PlainObject, show } from "../params/index.ts";
import type { Diagnostics } from "./diagnostics.ts";
import { resolveKind } from "./kind-spec.ts";
import type { ChosenKind } from "./definition.ts";

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

/** What is said of a sensor that is switched on, and in order. */
function paramsOf(name: string, value: unknown, diagnostics: Diagnostics): PlainObject | undefined {
  if (value === undefined || value === false) return undefined;
  if (value === true) return {};
  const key = `sensors.${name}`;
  if (!isPlainObject(value)) {
    return diagnostics.add("wrongType", key, `${show(value)} is neither a switch nor a table`, `${key} = true`);
  }
  const { kind = name } = value;
  if (kind === name) return value;
  return diagnostics.add(
    "inconsistent",
    `${key}.kind`,
    `a sensor's name is its kind, here ${show(name)} and ${show(kind)}`,
    `leave kind out, or write sensors.${typeof kind === "string" ? kind : name} instead`,
  );
}
