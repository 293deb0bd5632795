/**
 * spec → resolved: fills every default, checks everything, and reports all that is wrong at once.
 *
 * The result has two parts. *What is flown* holds all that can change a bit: models with their versions, timeline,
 * seed, mission, scenario. It is hashed and embedded in recordings. *How it is run* holds output files and the like,
 * and is not. No date, host name or path stands in the first.
 */
import { SimError, type Where } from "../errors/index.ts";
import { checkParams, type Complaint, isPlainObject, type Kind, nearestName, type ParamsOf, type PlainObject } from "../params/index.ts";
import { secondsToUs } from "../time/index.ts";
import { checkVehicle, vehicleTable, type Vehicle } from "../plant/vehicle.ts";
import { canonicalJson } from "./canonical.ts";
import { checkConsistency } from "./consistency.ts";
import { complaintError, flightErrors } from "./errors.ts";
import { collectLayers, mergeLayers, type MergedSpec, placeOf, type SpecLayer, type SpecLoader } from "./layers.ts";
import { type ResolvedMission, resolveMission } from "./mission-spec.ts";
import type { Registry } from "./registry.ts";
import { type FlightComplaint, type ResolvedEvent, resolveEvents } from "./scenario-spec.ts";
import { sha256Hex } from "./sha256.ts";
import { missionEvents, stopEvents } from "./standing-events.ts";
import { environmentTable, generalTable, stopTable, timelineTable } from "./tables.ts";

export const FLOWN_FORMAT = 1;

/** A kind chosen, with all its numbers. */
export type ChosenKind = { readonly kind: string; readonly version: number; readonly params: PlainObject };

/** What is flown: plain JSON, everything explicit. */
export interface Flown {
  readonly format: number;
  readonly name: string;
  readonly seed: number;
  readonly vehicle: Vehicle;
  readonly environment: ParamsOf<typeof environmentTable> & { readonly atmosphere: ChosenKind; readonly gravity: ChosenKind };
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
  readonly outputs: PlainObject;
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
  /** One typed error a complaint, in the order of the description's keys. */
  readonly complaints: readonly SimError[];
}

const TOP_KEYS = [
  "extends", "vehicle", "environment", "timeline", "wind", "integrator", "estimator", "sensors", "autopilot", "mission",
  "scenario", "stop", "outputs",
] as const;

/** The defaults below every description: the kinds that stand when none is named. */
export const DEFAULT_KINDS = {
  wind: "ou",
  integrator: "rk4",
  estimator: "noisy",
  autopilot: "embedded",
  atmosphere: "us76",
  gravity: "wgs84",
} as const;

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
export function resolveFlight(top: SpecLayer, registry: Registry, load: SpecLoader = builtInLoader(registry)): Resolution {
  try {
    const merged = mergeLayers(collectLayers(top, load, builtInNames(registry)));
    return new Resolver(merged, registry).resolve();
  } catch (error) {
    if (error instanceof SimError) return { complaints: [error] };
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

class Resolver {
  private readonly merged: MergedSpec;
  private readonly registry: Registry;
  private readonly complaints: FlightComplaint[] = [];

  constructor(merged: MergedSpec, registry: Registry) {
    this.merged = merged;
    this.registry = registry;
  }

  resolve(): Resolution {
    const { spec } = this.merged;
    const general = checkParams(generalTable, spec, this.complaints as Complaint[], "", TOP_KEYS) as ParamsOf<typeof generalTable>;
    const vehicle = this.vehicle(spec["vehicle"]);
    const environment = this.environment(this.table("environment"));
    const timeline = checkParams(timelineTable, this.table("timeline"), this.complaints as Complaint[], "timeline") as ParamsOf<typeof timelineTable>;
    const stop = checkParams(stopTable, this.table("stop"), this.complaints as Complaint[], "stop") as ParamsOf<typeof stopTable>;
    const wind = this.kind(this.registry.winds, spec["wind"], "wind", DEFAULT_KINDS.wind);
    const integrator = this.kind(this.registry.integrators, spec["integrator"], "integrator", DEFAULT_KINDS.integrator);
    const estimator = this.kind(this.registry.estimators, spec["estimator"], "estimator", DEFAULT_KINDS.estimator);
    const sensors = this.sensors(this.table("sensors"));
    const autopilot = this.autopilot(spec["autopilot"]);
    const mission = resolveMission(spec["mission"], this.complaints);
    const scenario = this.scenario(timeline.autopilotPeriodS, mission, stop);
    const outputs = this.table("outputs");
    if (this.complaints.length === 0) {
      const flown: Flown = {
        format: FLOWN_FORMAT,
        name: general.name,
        seed: general.seed,
        vehicle: vehicle!,
        environment: environment!,
        timeline,
        wind: wind!,
        integrator: integrator!,
        estimator: estimator!,
        sensors,
        autopilot: autopilot!,
        mission: mission ?? null,
        scenario,
        commandPolicy: general.commandPolicy as Flown["commandPolicy"],
      };
      checkConsistency(flown, general.strictRates, this.complaints);
      if (this.complaints.length === 0) {
        return { resolved: { flown, run: { about: general.about, outputs }, hash: hashOf(flown) }, complaints: [] };
      }
    }
    return { complaints: this.complaints.map((complaint) => this.placed(complaint)) };
  }

  /** A section that must be a table; absent is empty. */
  private table(key: string): PlainObject {
    const value = this.merged.spec[key];
    if (value === undefined || isPlainObject(value)) return value ?? {};
    this.complaints.push({ code: "wrongType", key, what: `"${key}" is not a table`, fix: `write [${key}] with its keys below` });
    return {};
  }

  /** A vehicle by name, or a table that may start from one by its own `extends`. */
  private vehicle(given: unknown): Vehicle | undefined {
    const spec = typeof given === "string" ? { extends: given } : given === undefined ? { extends: "iris" } : given;
    if (!isPlainObject(spec)) {
      this.complaints.push({ code: "wrongType", key: "vehicle", what: "a vehicle is a name or a table", fix: 'e.g. vehicle = "iris"' });
      return undefined;
    }
    const { extends: base, ...own } = spec;
    const found = typeof base === "string" && Object.hasOwn(this.registry.vehicles, base) ? this.registry.vehicles[base]! : {};
    if (base !== undefined && Object.keys(found).length === 0) {
      const names = Object.keys(this.registry.vehicles);
      const near = nearestName(String(base), names);
      const fix = near === undefined ? `one of: ${names.join(", ")}` : `did you mean "${near}"?`;
      this.complaints.push({ code: "unknownKind", key: "vehicle", what: `unknown vehicle "${String(base)}"`, fix });
      return undefined;
    }
    const layers = [found, own].map((layer) => ({ file: "vehicle", spec: layer }));
    const before = this.complaints.length;
    const vehicle = checkParams(vehicleTable, mergeLayers(layers).spec, this.complaints as Complaint[], "vehicle") as unknown as Vehicle;
    if (this.complaints.length === before) checkVehicle(vehicle, this.complaints as Complaint[], "vehicle");
    return vehicle;
  }

  private environment(given: PlainObject): Flown["environment"] | undefined {
    const { atmosphere, gravity, ...rest } = given;
    const base = checkParams(environmentTable, rest, this.complaints as Complaint[], "environment", ["atmosphere", "gravity"]);
    const air = this.kind(this.registry.atmospheres, atmosphere, "environment.atmosphere", DEFAULT_KINDS.atmosphere);
    const pull = this.kind(this.registry.gravities, gravity, "environment.gravity", DEFAULT_KINDS.gravity);
    if (air === undefined || pull === undefined) return undefined;
    return { ...(base as ParamsOf<typeof environmentTable>), atmosphere: air, gravity: pull };
  }

  private sensors(given: PlainObject): ChosenKind[] {
    const names = this.registry.sensors.map(({ name }) => name);
    return Object.keys(given)
      .sort((a, b) => names.indexOf(a) - names.indexOf(b))
      .flatMap((name) => {
        const params = given[name];
        const spec = isPlainObject(params) ? { ...params, kind: name } : name;
        return this.kind(this.registry.sensors, spec, `sensors.${name}`, name) ?? [];
      });
  }

  private autopilot(given: unknown): Flown["autopilot"] | undefined {
    const spec = isPlainObject(given) ? given : {};
    const { parameters = {}, ...rest } = spec;
    const chosen = this.kind(this.registry.autopilots, isPlainObject(given) ? rest : given, "autopilot", DEFAULT_KINDS.autopilot);
    if (!isPlainObject(parameters)) {
      this.complaints.push({ code: "wrongType", key: "autopilot.parameters", what: "parameters are a table", fix: "e.g. [autopilot.parameters] MPC_XY_CRUISE = 4" });
      return undefined;
    }
    for (const name of Object.keys(parameters)) {
      const value = parameters[name];
      if (typeof value === "number" && Number.isFinite(value)) continue;
      this.complaints.push({ code: "wrongType", key: `autopilot.parameters.${name}`, what: `${JSON.stringify(value)} is not a number`, fix: "parameters are finite numbers" });
    }
    return chosen === undefined ? undefined : { ...chosen, parameters: parameters as Record<string, number> };
  }

  private scenario(autopilotPeriodS: number, mission: ResolvedMission | undefined, stop: ParamsOf<typeof stopTable>): ResolvedEvent[] {
    const tickUs = typeof autopilotPeriodS === "number" ? secondsToUs(autopilotPeriodS) : 1;
    const own = resolveEvents(this.merged.spec["scenario"], tickUs, this.complaints);
    if (this.complaints.length > 0) return own;
    return [...(mission === undefined ? [] : missionEvents(mission)), ...own, ...stopEvents(stop, mission !== undefined)];
  }

  /** `"none"`, `{ kind = "ou", … }`, or nothing for the default. */
  private kind<Part, Context>(kinds: readonly Kind<Part, Context>[], given: unknown, key: string, fallback: string): ChosenKind | undefined {
    const spec = given === undefined ? { kind: fallback } : typeof given === "string" ? { kind: given } : given;
    if (!isPlainObject(spec)) {
      this.complaints.push({ code: "wrongType", key, what: `"${key}" is neither a name nor a table`, fix: `e.g. ${key} = "${fallback}"` });
      return undefined;
    }
    const { kind: name = fallback, ...params } = spec;
    const found = kinds.find((candidate) => candidate.name === name);
    if (found === undefined) {
      const names = kinds.map((candidate) => candidate.name);
      const near = nearestName(String(name), names);
      const fix = `${near === undefined ? "" : `did you mean "${near}"? `}one of: ${names.join(", ")}`;
      this.complaints.push({ code: "unknownKind", key: `${key}.kind`, what: `unknown kind "${String(name)}" for ${key}`, fix });
      return undefined;
    }
    const values = checkParams(found.params, params, this.complaints as Complaint[], key, ["kind"]);
    return { kind: found.name, version: found.version, params: values };
  }

  private placed({ code, key, what, fix }: FlightComplaint): SimError {
    const where: Where = placeOf(this.merged.originOf(key), key);
    return complaintError(code as keyof typeof flightErrors)({ what, where, fix });
  }
}

export function hashOf(flown: Flown): string {
  return sha256Hex(canonicalJson(flown));
}
