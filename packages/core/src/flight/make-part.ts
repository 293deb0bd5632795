/**
 * One part by name, for flights that are wired by hand: `makePart(coreRegistry.integrators, "rk45", context)`.
 *
 * Parameters are checked and filled like those of a description; a mistake is one typed error that lists everything.
 */
import { checkParams, type Complaint, type Kind, nearestName, type PlainObject } from "../params/index.ts";
import { flightErrors } from "./errors.ts";

export function makePart<Part, Context>(
  kinds: readonly Kind<Part, Context>[],
  spec: string | PlainObject,
  context: Context,
): Part {
  const { kind: name, ...given } = typeof spec === "string" ? { kind: spec } : spec;
  const found = kinds.find((kind) => kind.name === name);
  if (found === undefined) {
    const names = kinds.map((kind) => kind.name);
    const near = typeof name === "string" ? nearestName(name, names) : undefined;
    throw flightErrors.unknownKind({
      what: `unknown kind "${String(name)}"`,
      fix: `${near === undefined ? "" : `did you mean "${near}"? `}one of: ${names.join(", ")}`,
    });
  }
  const complaints: Complaint[] = [];
  const params = checkParams(found.params, given, complaints, found.name);
  if (complaints.length === 0) return found.make(params as never, context);
  throw flightErrors.refused({
    what: complaints.map(({ key, what, fix }) => `${key}: ${what} (${fix})`).join("; "),
    fix: `mend ${complaints.length === 1 ? "it" : "all of them"}`,
  });
}
