/**
 * Resolves a kind in a description: `"none"`, `{ kind = "ou", … }`, or nothing for the default.
 *
 * Unknown kinds are errors, and every parameter gets its default if the description does not set it.
 */
import { defineParams, isPlainObject, type Kind, oneOfNames, show } from "../../params/index.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { ChosenKind } from "../definition/definition.ts";

/** The keys of a kind in a definition, besides its parameters. */
export const chosenTable = defineParams({
  kind: { type: "text", about: "Name of the kind." },
  version: { type: "number", unit: "count", integer: true, min: 0, max: 1e6, about: "Version of the kind." },
});

interface KindPlace {
  readonly key: string;
  /** The kind to use if the description names none. */
  readonly fallback: string;
  /** Keys that belong to the section but not to the kind. */
  readonly also: readonly string[];
}

/** Returns the kind with that name or, if there is none, the text of the fix. */
export function findKind<K extends { readonly name: string }>(kinds: readonly K[], name: unknown): K | string {
  const names = kinds.map((kind) => kind.name);
  return kinds.find((kind) => kind.name === name) ?? oneOfNames(name, names);
}

export function resolveKind<Part, Context>(
  kinds: readonly Kind<Part, Context>[],
  given: unknown,
  { key, fallback, also }: KindPlace,
  diagnostics: Diagnostics,
): ChosenKind | undefined {
  const spec = given === undefined ? {} : typeof given === "string" ? { kind: given } : given;
  if (!isPlainObject(spec)) {
    return diagnostics.add(
      "wrongType",
      key,
      `${show(given)} is neither a name nor a table`,
      `write e.g. ${key} = "${fallback}"`,
    );
  }
  const { kind: name = fallback, ...params } = spec;
  const found = findKind(kinds, name);
  if (typeof found === "string")
    return diagnostics.add("unknownKind", `${key}.kind`, `unknown kind ${show(name)} for ${key}`, found);
  const { name: kind, version, params: table } = found;
  const values = diagnostics.unlessDiagnosed(() => diagnostics.params(table, params, key, ["kind", ...also]));
  return values === undefined ? undefined : { kind, version, params: values };
}
