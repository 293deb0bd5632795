/**
 * Spec → definition: merges the layers, fills every default, checks everything, and reports all errors at once.
 *
 * The definition that comes out can be built: resolution builds every part once, by the functions that assembly uses,
 * so that errors which only a part can detect are found before anything is flown.
 */
import { SimError } from "../errors/index.ts";
import { isPlainObject, show } from "../params/index.ts";
import { hashOf, type ResolvedFlight } from "./definition.ts";
import { flightErrors } from "./errors.ts";
import { collectLayers, mergeLayers, type SpecLayer, type SpecLoader } from "./layers.ts";
import type { Registry } from "./registry.ts";
import { FLIGHT_RULES, Resolver } from "./resolver.ts";
import type { SpecContents } from "./spec-contents.ts";

export interface Resolution {
  /** Absent if there are errors. */
  readonly resolved?: ResolvedFlight;
  /** One typed error per mistake. */
  readonly errors: readonly SimError[];
  /** Doubtful, but the flight can be flown. */
  readonly warnings: readonly SimError[];
  /** The layer that sets a key, e.g. to find the folder to which a path in it is relative. */
  readonly originOf: (key: string) => SpecLayer;
}

/** Looks up built-ins: a vehicle's name stands for a flight with that vehicle. */
export function builtInLoader(registry: Registry): SpecLoader {
  return (name) => {
    const flight = Object.hasOwn(registry.flights, name) ? registry.flights[name] : undefined;
    if (flight !== undefined) return { file: name, spec: flight };
    return Object.hasOwn(registry.vehicles, name) ? { file: name, spec: { vehicle: name } } : undefined;
  };
}

function builtInNames(registry: Registry): string[] {
  return [...Object.keys(registry.flights), ...Object.keys(registry.vehicles)];
}

/** Never throws for anything a person can write: every mistake is listed in `errors`. */
export function resolveFlight(
  top: SpecLayer,
  registry: Registry,
  load: SpecLoader = builtInLoader(registry),
  contents: SpecContents = {},
): Resolution {
  if (!isPlainObject(top.spec)) {
    const error = flightErrors.wrongType({
      what: `${show(top.spec)} is not a description`,
      where: { file: top.file },
      fix: 'a table, e.g. { extends = "mission" }',
    });
    return { errors: [error], warnings: [], originOf: () => top };
  }
  try {
    const merged = mergeLayers(collectLayers(top, load, builtInNames(registry)), FLIGHT_RULES);
    const resolver = new Resolver(merged, registry, load, contents);
    const found = resolver.resolve();
    const { errors, warnings } = resolver.diagnostics;
    return {
      ...(found === undefined ? {} : { resolved: { ...found, hash: hashOf(found.definition) } }),
      errors,
      warnings,
      originOf: merged.originOf,
    };
  } catch (error) {
    if (error instanceof SimError) return { errors: [error], warnings: [], originOf: () => top };
    throw error;
  }
}

/** The resolved flight, or one error that lists every mistake. */
export function mustResolve({ resolved, errors }: Resolution): ResolvedFlight {
  if (resolved !== undefined) return resolved;
  if (errors.length === 1) throw errors[0]!;
  throw flightErrors.refused({
    what: `${errors.length} mistakes:\n${errors.map(({ message }) => `  ${message}`).join("\n")}`,
    ...(errors[0] === undefined ? {} : { where: errors[0].where }),
    fix: "fix all of them; nothing was flown",
    cause: errors,
  });
}
