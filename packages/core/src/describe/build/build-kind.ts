/** Builds parts of flights from the names, versions and parameters in a definition. */
import type { Kind } from "../../params/index.ts";
import { BARE_FUNCTION, type ChosenKind } from "../definition/definition.ts";
import { flightErrors } from "../errors.ts";

/** Builds the part of a chosen kind. The kind's version must be the version that the flight was resolved with. */
export function buildKind<Part, Context>(
  kinds: readonly Kind<Part, Context>[],
  chosen: ChosenKind,
  context: Context,
): Part {
  if (chosen.kind === BARE_FUNCTION.kind) {
    throw flightErrors.notReflyable({
      what: "a part of this flight was a bare function, which a recording cannot hold",
      fix: "replay the recording, or pass the same function again",
    });
  }
  const kind = kinds.find(({ name }) => name === chosen.kind);
  if (kind === undefined || kind.version !== chosen.version) {
    throw flightErrors.unknownKind({
      what: `this program has ${kind === undefined ? "no" : `version ${kind.version} of`} "${chosen.kind}", but the flight was resolved with version ${chosen.version}`,
      fix: "fly it with the version of Escapement and the custom parts that it was resolved with",
    });
  }
  return kind.make(chosen.params as never, context);
}
