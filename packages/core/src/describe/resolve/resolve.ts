/**
 * Resolves a description into a definition: merges the layers, fills every default, checks everything, and reports all
 * errors at once.
 *
 * Every definition returned can be built: resolution builds each part once, with the functions that assembly uses.
 * Errors that only a part can detect are therefore found before the flight starts.
 */
import { SimError } from "../../errors/index.ts";
import { isPlainObject, type PlainObject, show } from "../../params/index.ts";
import type { Multirotor } from "../../multirotor/plant.ts";
import { hashOf, type ResolvedFlight } from "../definition/definition.ts";
import { flightErrors } from "../errors.ts";
import { collectLayers, mergeLayers, type SpecLayer, type SpecLoader } from "../spec/layers.ts";
import type { Registry } from "../registry.ts";
import { FLIGHT_RULES } from "../spec/flight-keys.ts";
import { noteResolved } from "./other-events.ts";
import { Resolver } from "./resolver.ts";
import type { SpecContents } from "../spec/spec-contents.ts";
import type { AssignmentBase } from "../spec/assign.ts";
import { specOf } from "../definition/definition-spec.ts";

export interface Resolution {
  /** Absent if there are errors. */
  readonly resolved?: ResolvedFlight;
  /**
   * The plant that was built for the check. It can be used for one flight; another flight of the same definition needs
   * its own plant.
   */
  readonly plant?: Multirotor | undefined;
  /** One typed error per problem. */
  readonly errors: readonly SimError[];
  /** Questionable values that do not prevent the flight. Some are computed when the list is first read. */
  readonly warnings: readonly SimError[];
  /** Returns the layer that sets a key, e.g. to find the folder to which a path in the key's value is relative. */
  readonly originOf: (key: string) => SpecLayer;
}

/** Looks up built-ins by name. The name of a vehicle gives a flight with that vehicle. */
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

/**
 * Merges the layers of a description, fills in every default and checks everything. Never throws for invalid input:
 * `errors` lists every problem. If `hasTriedParts` is true, another flight with the same parts was resolved before and
 * only the events are new: the parts are not built again, and plausibility is not checked.
 */
export function resolveFlight(
  top: SpecLayer,
  registry: Registry,
  load: SpecLoader = builtInLoader(registry),
  contents: SpecContents = {},
  hasTriedParts = false,
): Resolution {
  if (!isPlainObject(top.spec)) {
    const error = flightErrors.wrongType({
      what: `${show(top.spec)} is not a description`,
      where: { file: top.file },
      fix: 'use a table, e.g. { extends = "mission" }',
    });
    return { errors: [error], warnings: [], originOf: () => top };
  }
  try {
    const loadErrors: SimError[] = [];
    const layers = collectLayers(top, load, builtInNames(registry), (error) => loadErrors.push(error));
    const merged = mergeLayers(layers, FLIGHT_RULES);
    const resolver = new Resolver(merged, registry, load, contents, hasTriedParts);
    const found = resolver.resolve();
    const { errors } = resolver.diagnostics;
    return {
      ...(found === undefined || loadErrors.length > 0 ? {} : resolutionOf(found, registry)),
      errors: loadErrors.length === 0 ? errors : [...loadErrors, ...errors.filter(isIndependentOfExtended)],
      get warnings() {
        return resolver.warnings;
      },
      originOf: (key) => merged.placeOf(key).layer,
    };
  } catch (error) {
    if (error instanceof SimError) return { errors: [error], warnings: [], originOf: () => top };
    throw error;
  }
}

/**
 * Returns the base of assignments to list entries: the description merged with everything that it extends, and the same
 * description with every default filled in.
 */
export function assignmentBaseOf(
  top: SpecLayer,
  registry: Registry,
  load: SpecLoader = builtInLoader(registry),
  contents: SpecContents = {},
): AssignmentBase {
  const { resolved } = resolveFlight(top, registry, load, contents);
  const layers = collectLayers(top, load, builtInNames(registry), () => {});
  return {
    spec: mergeLayers(layers, FLIGHT_RULES).spec,
    filled: resolved === undefined ? undefined : specOf(resolved.definition),
  };
}

/** Returns a description with assignments on top, merged like any two layers. */
export function mergeAssigned(below: PlainObject, assigned: PlainObject): PlainObject {
  const layers: readonly SpecLayer[] = [
    { file: "", spec: below },
    { file: "", spec: assigned, assigns: true },
  ];
  return mergeLayers(layers, FLIGHT_RULES).spec;
}

/**
 * False for errors that may be due to an extended description that could not be loaded: missing keys, and values that
 * contradict each other.
 */
function isIndependentOfExtended({ code }: SimError): boolean {
  return code !== flightErrors.missing.code && code !== flightErrors.inconsistent.code;
}

function resolutionOf(
  { plant, ...found }: NonNullable<ReturnType<Resolver["resolve"]>>,
  registry: Registry,
): Pick<Resolution, "resolved" | "plant"> {
  noteResolved(found.definition, registry);
  return { resolved: { ...found, hash: hashOf(found.definition) }, plant };
}

/** Returns the resolved flight, or throws one error that lists every problem. */
export function mustResolve({ resolved, errors }: Resolution): ResolvedFlight {
  if (resolved !== undefined) return resolved;
  if (errors.length === 1) throw errors[0]!;
  throw flightErrors.refused({
    what: `${errors.length} errors:\n${errors.map(({ message }) => `  ${message}`).join("\n")}`,
    ...(errors[0] === undefined ? {} : { where: errors[0].where }),
    fix: "fix all of them; nothing was flown",
    cause: errors,
  });
}
