/**
 * spec → resolved: fills every default, checks everything, and reports all that is wrong at once.
 *
 * The result has two parts. *What is flown* holds all that can change a bit: models with their versions, timeline,
 * seed, mission, scenario. It is hashed and embedded in recordings. *How it is run* holds output files and the like,
 * and is not. No date, host name or path stands in the first.
 */
import { SimError } from "../errors/index.ts";
import { isPlainObject, type ParamsOf, type PlainObject, show } from "../params/index.ts";
import type { Vehicle } from "../multirotor/vehicle.ts";
import type { Mission } from "../autopilot/mission.ts";
import { canonicalJson } from "./canonical.ts";
import { flightErrors } from "./errors.ts";
import { collectLayers, mergeLayers, type SpecLayer, type SpecLoader } from "./layers.ts";
import type { ResolvedMission } from "./mission-spec.ts";
import type { Registry } from "./registry.ts";
import { FLIGHT_RULES, Resolver } from "./resolver.ts";
import type { ResolvedEvent } from "./scenario-spec.ts";
import { sha256Hex } from "./sha256.ts";
import type { environmentTable, outputsTable, timelineTable } from "./tables.ts";

export const FLOWN_FORMAT = 1;

/** A kind chosen, with all its numbers. */
export type ChosenKind = { readonly kind: string; readonly version: number; readonly params: PlainObject };

/** What is flown: plain JSON, everything explicit. */
export interface Flown {
  readonly format: number;
  readonly name: string;
  readonly seed: number;
  readonly vehicle: Vehicle;
  readonly environment: ParamsOf<typeof environmentTable> & {
    readonly atmosphere: ChosenKind;
    readonly gravity: ChosenKind;
  };
  readonly timeline: ParamsOf<typeof timelineTable>;
  readonly wind: ChosenKind;
  readonly integrator: ChosenKind;
  readonly estimator: ChosenKind;
  readonly sensors: readonly ChosenKind[];
  readonly autopilot: ChosenKind & { readonly parameters: Readonly<Record<string, number>> };
  readonly mission: ResolvedMission | null;
  readonly scenario: readonly ResolvedEvent[];
  readonly commandPolicy: "strict" | "clamp";
}

/** How it is run: nothing here changes a bit of the result. */
export interface HowRun {
  readonly about: string;
  /** How the description calls its vehicle. */
  readonly vehicle: string;
  readonly outputs: ParamsOf<typeof outputsTable>;
}

export interface ResolvedFlight {
  readonly flown: Flown;
  readonly run: HowRun;
  /** SHA-256 of the canonical text of `flown`. */
  readonly hash: string;
}

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

/** What a reader of files found: a value, or everything that is wrong with the file. */
export interface FileReading<T> {
  readonly value: T | undefined;
  readonly errors: readonly SimError[];
  readonly warnings: readonly SimError[];
}

/** Reads what a description names; made at the edge, because the core touches no file. */
export interface SpecContents {
  readonly mission?: (name: string, from: SpecLayer) => FileReading<Mission>;
  readonly parameters?: (
    name: string,
    from: SpecLayer,
  ) => FileReading<readonly { readonly name: string; readonly value: number }[]>;
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

export function hashOf(flown: Flown): string {
  return sha256Hex(canonicalJson(flown));
}
