/**
 * Spec → definition: fills every default, checks everything, and reports all that is wrong at once.
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
  /** Absent when there are complaints. */
  readonly resolved?: ResolvedFlight;
  /** One typed error a complaint. */
  readonly complaints: readonly SimError[];
  /** Worth saying, but it flies. */
  readonly warnings: readonly SimError[];
  /** The layer that has the last word on a key, e.g. to find the folder that a path in it starts from. */
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

export function builtInNames(registry: Registry): string[] {
  return [...Object.keys(registry.flights), ...Object.keys(registry.vehicles)];
}

/** Never throws for anything a person can write: every mistake is a complaint. */
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
    return { complaints: [error], warnings: [], originOf: () => top };
  }
  try {
    const merged = mergeLayers(collectLayers(top, load, builtInNames(registry)), FLIGHT_RULES);
    const resolver = new Resolver(merged, registry, load, contents);
    const { flown, run } = resolver.resolve() ?? {};
    const { errors, warnings } = resolver.complaints;
    const found = { complaints: errors, warnings, originOf: merged.originOf };
    return flown === undefined || run === undefined
      ? found
      : { ...found, resolved: { flown, run, hash: hashOf(flown) } };
  } catch (error) {
    if (error instanceof SimError) return { complaints: [error], warnings: [], originOf: () => top };
    throw error;
  }
}

/** The resolved flight, or one error that lists every complaint. */
export function mustResolve(resolution: Resolution): ResolvedFlight {
  if (resolution.resolved !== undefined) return resolution.resolved;
  const { complaints } = resolution;
  if (complaints.length === 1) throw complaints[0]!;
  throw flightErrors.refused({
    what: `${complaints.length} mistakes:\n${complaints.map((complaint) => `  ${complaint.message}`).join("\n")}`,
    ...(complaints[0] === undefined ? {} : { where: complaints[0].where }),
    fix: "mend all of them; nothing was flown",
    cause: complaints,
  });
}
