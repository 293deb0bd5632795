/**
 * Makes one part by name, for flights that are assembled in code: `makePart(coreRegistry.integrators, "rk45",
 * context)`.
 *
 * Parameters are checked and filled in as in a description. If any are wrong, one typed error lists all errors.
 */
import { checkParams, type Diagnostic, type Kind, type PlainObject } from "../../params/index.ts";
import { flightErrors } from "../errors.ts";
import { findKind } from "../sections/kind-spec.ts";

/** Makes a part from the name and parameters of its kind. */
export function makePart<Part, Context>(
  kinds: readonly Kind<Part, Context>[],
  spec: string | PlainObject,
  context: Context,
): Part {
  const { kind: name, ...given } = typeof spec === "string" ? { kind: spec } : spec;
  const found = findKind(kinds, name);
  if (typeof found === "string") throw flightErrors.unknownKind({ what: `unknown kind "${String(name)}"`, fix: found });
  const diagnostics: Diagnostic[] = [];
  const params = checkParams(found.params, given, diagnostics, found.name);
  if (diagnostics.length === 0) return found.make(params as never, context);
  throw flightErrors.refused({
    what: diagnostics.map(({ key, what, fix }) => `${key}: ${what} (${fix})`).join("; "),
    fix: `correct ${diagnostics.length === 1 ? "it" : "all of them"}`,
  });
}
