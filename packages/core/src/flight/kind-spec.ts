/**
 * A kind of a description: `"none"`, `{ kind = "ou", … }`, or nothing for the default, with its parameters filled in.
 */
import { checkParams, isPlainObject, type Kind, nearestName, show } from "../params/index.ts";
import type { Complaints } from "./complaints.ts";
import type { ChosenKind } from "./resolve.ts";

export interface KindPlace {
  readonly key: string;
  /** The kind that stands when none is named. */
  readonly fallback: string;
  /** Keys that belong to the section but not to the kind. */
  readonly also: readonly string[];
}

export function resolveKind<Part, Context>(
  kinds: readonly Kind<Part, Context>[],
  given: unknown,
  { key, fallback, also }: KindPlace,
  complaints: Complaints,
): ChosenKind | undefined {
  const spec = given === undefined ? {} : typeof given === "string" ? { kind: given } : given;
  if (!isPlainObject(spec)) {
    return complaints.add(
      "wrongType",
      key,
      `${show(given)} is neither a name nor a table`,
      `e.g. ${key} = "${fallback}"`,
    );
  }
  const { kind: name = fallback, ...params } = spec;
  const found = kinds.find((candidate) => candidate.name === name);
  if (found === undefined) {
    const names = kinds.map((candidate) => candidate.name);
    const near = typeof name === "string" ? nearestName(name, names) : undefined;
    const fix = `${near === undefined ? "" : `did you mean "${near}"? `}one of: ${names.join(", ")}`;
    return complaints.add("unknownKind", `${key}.kind`, `unknown kind ${show(name)} for ${key}`, fix);
  }
  const before = complaints.count;
  const values = complaints.taking((list) => checkParams(found.params, params, list, key, ["kind", ...also]));
  return complaints.count > before ? undefined : { kind: found.name, version: found.version, params: values };
}
