/**
 * Resolves one merged description, section by section: kinds from the registry, tables, mission, scenario.
 *
 * Sections with errors are dropped from the draft, but their errors are kept. Cross-section rules run on the sections
 * that remain, so one pass reports everything. If there are no errors, every part is built once, because some errors,
 * such as a schedule that does not fit, are detected only by the part itself.
 */
import {
  didYouMean,
  isPlainObject,
  type Kind,
  type ParamsOf,
  type ParamTable,
  type PlainObject,
  show,
} from "../../params/index.ts";
import type { SimError } from "../../errors/index.ts";
import type { Stepping } from "../../integrate/index.ts";
import type { Mission } from "../../autopilot/mission.ts";
import { BusLayout, rowColumns } from "../../engine/index.ts";
import type { Multirotor } from "../../multirotor/plant.ts";
import { parametersOf, resolveParameters } from "../sections/autopilot-parameters.ts";
import { buildPlant } from "../build/build-parts.ts";
import { Diagnostics } from "../diagnostics.ts";
import {
  type ChosenKind,
  FLOWN_FORMAT,
  type FlightDefinition,
  type ResolvedFlight,
  type RunSettings,
} from "../definition/definition.ts";
import { dimsOf } from "../definition/dims.ts";
import { checkConsistency } from "./consistency.ts";
import { withDefaultDelay } from "../sections/estimator-spec.ts";
import { resolveJudged } from "../sections/judged-spec.ts";
import { resolveKind } from "../sections/kind-spec.ts";
import {
  DEFAULT_FIXED_STEP_INTEGRATOR,
  DEFAULT_KINDS,
  DEFAULT_PHYSICS_PERIOD_S,
  TOP_KEYS,
} from "../spec/flight-keys.ts";
import { countByFile, type MergedSpec, type SpecLoader } from "../spec/layers.ts";
import {
  missionParts,
  type MissionParts,
  plannedHome,
  type ResolvedMission,
  resolveMission,
} from "../sections/mission-spec.ts";
import { warnIfImplausible } from "./plausibility.ts";
import { type Registry, steppingOf } from "../registry.ts";
import { resolveScenario, tryScenario } from "./scenario.ts";
import { resolveSensors } from "../sections/sensors-spec.ts";
import type { SpecContents } from "../spec/spec-contents.ts";
import { missionEvents, stopEvents } from "../sections/standing-events.ts";
import { environmentTable, generalTable, outputsTable, stopTable, timelineTable } from "../spec/tables.ts";
import { tryParts } from "./try-parts.ts";
import { VehicleSpec, vehicleTableOf } from "../sections/vehicle-spec.ts";
import { checkOrigin, placeOf, withHome } from "../sections/world-origin.ts";

const DEFAULT_VEHICLE = "iris";

export class Resolver {
  readonly diagnostics: Diagnostics;
  private readonly merged: MergedSpec;
  private readonly registry: Registry;
  private readonly load: SpecLoader;
  private readonly contents: SpecContents;
  private readonly hasTriedParts: boolean;
  private vehicleSpec: VehicleSpec | undefined;
  /**
   * Adds the warnings that need a trim at hover. They are computed on request, because campaigns do not need them.
   */
  private addImplausible: (() => void) | undefined;

  constructor(
    merged: MergedSpec,
    registry: Registry,
    load: SpecLoader,
    contents: SpecContents,
    hasTriedParts: boolean,
  ) {
    this.merged = merged;
    this.registry = registry;
    this.load = load;
    this.contents = contents;
    this.hasTriedParts = hasTriedParts;
    this.diagnostics = new Diagnostics((key) => {
      const inVehicle = key.startsWith("vehicle.")
        ? this.vehicleSpec?.placeOf(key.slice("vehicle.".length))
        : undefined;
      return inVehicle ?? merged.placeOf(key);
    });
  }

  get warnings(): readonly SimError[] {
    const add = this.addImplausible;
    this.addImplausible = undefined;
    add?.();
    return this.diagnostics.warnings;
  }

  /** Returns undefined if there are errors. The plant was built for the check. */
  resolve(): (Omit<ResolvedFlight, "hash"> & { plant: Multirotor }) | undefined {
    const { spec } = this.merged;
    const { diagnostics } = this;
    const general = diagnostics.params(generalTable, spec, "", TOP_KEYS);
    const vehicle = diagnostics.unlessDiagnosed(() => this.resolveVehicle());
    const integrator = this.resolveIntegrator();
    const stepping = steppingOf(this.registry, integrator);
    const timeline = diagnostics.unlessDiagnosed(() => this.resolveTimeline(stepping));
    const stop = diagnostics.unlessDiagnosed(() => this.checkSection("stop", stopTable));
    const wind = this.resolveKind(this.registry.winds, spec["wind"], "wind", DEFAULT_KINDS.wind);
    const estimator = this.resolveEstimator(timeline);
    const sensors = diagnostics.unlessDiagnosed(() =>
      resolveSensors(this.registry.sensors, this.tableAt("sensors"), diagnostics),
    );
    const parts = this.readMissionParts();
    const environment = diagnostics.unlessDiagnosed(() => this.resolveEnvironment(parts));
    const mission = this.resolveMission(parts, environment);
    const specs = parametersOf(this.autopilotName(), vehicle);
    const autopilot = diagnostics.unlessDiagnosed(() => this.resolveAutopilot(specs));
    const sections = dropUndefined({ vehicle, environment, timeline, wind, integrator, estimator, sensors });
    const { strictRates } = general;
    const context = { sections, ...this.counts(vehicle), parameters: specs, strictRates, registry: this.registry };
    const events = resolveScenario(spec["scenario"], context, diagnostics);
    const outputs = diagnostics.unlessDiagnosed(() => this.checkSection("outputs", outputsTable));
    const draft: Partial<FlightDefinition> = { ...sections, ...dropUndefined({ autopilot }) };
    const scenario = events.flatMap(({ event }) => event ?? []);
    checkConsistency({ ...draft, scenario }, { strictRates, stepping }, diagnostics);
    if (diagnostics.count > 0) return undefined;
    const definition = {
      format: FLOWN_FORMAT,
      name: general.name,
      seed: general.seed,
      ...draft,
      mission: mission ?? null,
      scenario: [
        ...(mission === undefined ? [] : missionEvents(mission)),
        ...scenario,
        ...stopEvents(stop!, mission !== undefined),
      ],
      commandPolicy: general.commandPolicy,
    } as FlightDefinition;
    const plant = this.hasTriedParts ? buildPlant(definition, this.registry) : this.tryParts(definition, outputs!);
    if (plant === undefined || diagnostics.count > 0) return undefined;
    tryScenario(definition, this.registry, plant, diagnostics);
    if (diagnostics.count > 0) return undefined;
    const flight = { dims: dimsOf(plant, definition), layout: plant.layout, definition };
    const judged = resolveJudged(spec, flight, diagnostics);
    if (diagnostics.count > 0) return undefined;
    return { definition, settings: this.settings(general.about, events.length, outputs!), judged, plant };
  }

  /** Returns the numbers of rotors and batteries, even if other values of the vehicle have errors. */
  private counts(vehicle: FlightDefinition["vehicle"] | undefined) {
    const { vehicleSpec } = this;
    return {
      rotors: vehicleSpec?.lengthOf("rotors"),
      batteries: vehicle?.batteries.length ?? vehicleSpec?.lengthOf("batteries"),
    };
  }

  private settings(about: string, events: number, outputs: RunSettings["outputs"]): RunSettings {
    const eventsFrom = countByFile(this.merged, "scenario", events).map(([file, count]) => ({ file, events: count }));
    return { about, vehicle: this.vehicleName(), eventsFrom, outputs };
  }

  /** Builds every part once, and runs the checks that need the plant. */
  private tryParts(definition: FlightDefinition, outputs: RunSettings["outputs"]): Multirotor | undefined {
    const { diagnostics } = this;
    const { problems, plant } = tryParts(definition, this.registry);
    for (const { key, error } of problems) diagnostics.errors.push(diagnostics.withPlaceOf(error, key));
    if (diagnostics.count > 0 || plant === undefined) return undefined;
    if (outputs.logs.some(({ columns }) => columns.length > 0)) {
      this.checkColumns(outputs, columnNames(plant, definition));
    }
    const insertAt = diagnostics.warnings.length;
    this.addImplausible = () => {
      const found: SimError[] = [];
      const removesFeet = this.vehicleSpec?.removesFeet === true;
      warnIfImplausible(definition, plant, removesFeet, diagnostics.withWarnings(found));
      diagnostics.warnings.splice(insertAt, 0, ...found);
    };
    return plant;
  }

  /** Checks that the columns requested by a log exist. The vehicle determines the columns. */
  private checkColumns({ logs }: RunSettings["outputs"], names: readonly string[]): void {
    logs.forEach(({ columns }, i) => {
      columns.forEach((column, k) => {
        if (names.includes(column)) return;
        const key = `outputs.logs[${i}].columns[${k}]`;
        const fix = didYouMean(
          column,
          names,
          `use one of ${names.length} columns, e.g. ${names.slice(0, 3).join(", ")}`,
        );
        this.diagnostics.add("unknownChoice", key, `this flight has no column ${show(column)}`, fix);
      });
    });
  }

  /** Returns a section that must be a table; an absent section is an empty table. */
  private tableAt(key: string): PlainObject {
    const value = this.merged.spec[key];
    return value === undefined ? {} : (this.diagnostics.table(value, key, `write [${key}] with its keys below`) ?? {});
  }

  private checkSection<T extends ParamTable>(key: string, table: T): ParamsOf<T> {
    return this.diagnostics.params(table, this.tableAt(key), key);
  }

  private resolveVehicle(): FlightDefinition["vehicle"] | undefined {
    const given = vehicleTableOf(this.merged.spec["vehicle"], this.diagnostics);
    if (given === undefined) return undefined;
    const from = this.merged.placeOf("vehicle.extends").layer;
    this.vehicleSpec = new VehicleSpec(given, from, this.registry, this.load, this.diagnostics);
    return this.vehicleSpec.resolve(this.diagnostics);
  }

  /** Returns the name of the vehicle that the description names or extends, without folders and suffix. */
  private vehicleName(): string {
    const given = this.merged.spec["vehicle"];
    const base = isPlainObject(given) ? given["extends"] : DEFAULT_VEHICLE;
    if (typeof base === "string") return base.replace(/^.*[\\/]/, "").replace(/\.[a-z]+$/i, "");
    return this.merged.placeOf("vehicle.rotors").layer.vehicleName ?? "own vehicle";
  }

  private resolveIntegrator(): ChosenKind | undefined {
    const { timeline, integrator } = this.merged.spec;
    const hasPhysicsPeriod = isPlainObject(timeline) && (timeline["physicsPeriodS"] ?? 0) !== 0;
    const fallback = hasPhysicsPeriod ? DEFAULT_FIXED_STEP_INTEGRATOR : DEFAULT_KINDS.integrator;
    return this.resolveKind(this.registry.integrators, integrator, "integrator", fallback);
  }

  /**
   * Resolves the timeline. Two defaults depend on other settings: a fixed-step integrator gets a physics period, and
   * the scenario's period is the autopilot's period.
   */
  private resolveTimeline(stepping: Stepping | undefined): FlightDefinition["timeline"] {
    const written = this.tableAt("timeline");
    const needsPhysicsPeriod = stepping !== "adaptive" && written["physicsPeriodS"] === undefined;
    const given = needsPhysicsPeriod ? { ...written, physicsPeriodS: DEFAULT_PHYSICS_PERIOD_S } : written;
    const timeline = this.diagnostics.params(timelineTable, given, "timeline");
    return timeline.scenarioPeriodS === 0 ? { ...timeline, scenarioPeriodS: timeline.autopilotPeriodS } : timeline;
  }

  private resolveEnvironment(parts: MissionParts | undefined): FlightDefinition["environment"] | undefined {
    const { atmosphere, gravity, ...rest } = this.tableAt("environment");
    const home = parts === undefined ? undefined : plannedHome(parts);
    const given = home === undefined ? rest : withHome(rest, home);
    const base = this.diagnostics.params(environmentTable, given, "environment", ["atmosphere", "gravity"]);
    const chosenAtmosphere = this.resolveKind(
      this.registry.atmospheres,
      atmosphere,
      "environment.atmosphere",
      DEFAULT_KINDS.atmosphere,
    );
    const chosenGravity = this.resolveKind(
      this.registry.gravities,
      gravity,
      "environment.gravity",
      DEFAULT_KINDS.gravity,
    );
    if (chosenAtmosphere === undefined || chosenGravity === undefined) return undefined;
    return { ...base, atmosphere: chosenAtmosphere, gravity: chosenGravity };
  }

  private resolveEstimator(timeline: FlightDefinition["timeline"] | undefined): ChosenKind | undefined {
    const stated = this.merged.spec["estimator"] ?? {};
    const given = typeof stated === "string" ? { kind: stated } : stated;
    const filled = isPlainObject(given)
      ? withDefaultDelay(given["kind"] ?? DEFAULT_KINDS.estimator, given, timeline)
      : given;
    return this.resolveKind(this.registry.estimators, filled, "estimator", DEFAULT_KINDS.estimator);
  }

  private readMissionParts(): MissionParts | undefined {
    const given = this.merged.spec["mission"];
    if (given === undefined) return undefined;
    if (!isPlainObject(given)) {
      return this.diagnostics.add(
        "wrongType",
        "mission",
        `${show(given)} is not a mission`,
        "name a .plan or .waypoints file, or list items",
      );
    }
    return missionParts(given, this.diagnostics, (name) => this.readMissionFile(name));
  }

  private readMissionFile(name: string): Mission | undefined {
    const { mission } = this.contents;
    if (mission === undefined)
      return this.diagnostics.add(
        "unreadable",
        "mission.file",
        `${show(name)} cannot be read here`,
        "fly it with the package `escapement`, or give the mission's items",
      );
    return this.diagnostics.addReading(mission(name, this.merged.placeOf("mission.file").layer));
  }

  private resolveMission(
    parts: MissionParts | undefined,
    environment: FlightDefinition["environment"] | undefined,
  ): ResolvedMission | undefined {
    if (parts === undefined) return undefined;
    const place = placeOf(environment);
    if (place === undefined || environment === undefined) return undefined;
    const mission = this.diagnostics.unlessDiagnosed(() => resolveMission(parts, place.projection, this.diagnostics));
    if (mission !== undefined) checkOrigin(mission, environment.origin, this.diagnostics);
    return mission;
  }

  private autopilotName(): string {
    const given = this.merged.spec["autopilot"];
    const kind = isPlainObject(given) ? given["kind"] : given;
    return typeof kind === "string" ? kind : DEFAULT_KINDS.autopilot;
  }

  private resolveAutopilot(specs: ReturnType<typeof parametersOf>): FlightDefinition["autopilot"] | undefined {
    const given = this.merged.spec["autopilot"];
    const { parameters, parametersFile, ...rest } = isPlainObject(given) ? given : ({} as PlainObject);
    const chosen = this.resolveKind(
      this.registry.autopilots,
      isPlainObject(given) ? rest : given,
      "autopilot",
      DEFAULT_KINDS.autopilot,
      ["parameters", "parametersFile"],
    );
    const file = parametersFile === undefined ? undefined : this.readParametersFile(parametersFile);
    const resolved = resolveParameters(
      {
        written: parameters,
        ...(file === undefined ? {} : { file }),
        isForOther: (name) => this.merged.isFromOtherKind(`autopilot.parameters.${name}`),
      },
      specs,
      this.diagnostics,
    );
    return chosen === undefined ? undefined : { ...chosen, parameters: resolved };
  }

  private readParametersFile(name: unknown): { name: string; values: Record<string, number> } | undefined {
    const key = "autopilot.parametersFile";
    if (typeof name !== "string")
      return this.diagnostics.add("wrongType", key, `${show(name)} is not a text`, "name a .params file");
    const { parameters } = this.contents;
    if (parameters === undefined)
      return this.diagnostics.add(
        "unreadable",
        key,
        `${show(name)} cannot be read here`,
        "fly it with the package `escapement`, or give the parameters themselves",
      );
    const values = this.diagnostics.addReading(parameters(name, this.merged.placeOf(key).layer));
    return values === undefined
      ? undefined
      : { name, values: Object.fromEntries(values.map((entry) => [entry.name, entry.value])) };
  }

  private resolveKind<Part, Context>(
    kinds: readonly Kind<Part, Context>[],
    given: unknown,
    key: string,
    fallback: string,
    also: readonly string[] = [],
  ): ChosenKind | undefined {
    return resolveKind(kinds, given, { key, fallback, also }, this.diagnostics);
  }
}

function dropUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

/** Returns the names of the columns of a log. */
function columnNames(plant: Multirotor, definition: FlightDefinition): string[] {
  return rowColumns(plant.layout, new BusLayout(dimsOf(plant, definition))).map(({ name }) => name);
}
