/**
 * Checks a flight definition that comes from outside: from a recording, a checkpoint, a link.
 *
 * Its values are checked like those of a description that a user writes: against the same tables, ranges, limits and
 * consistency rules. So later code can rely on its shape. The parameters of a kind that this registry does not have, or
 * has in a different version, are not checked. The flight can then be shown and its plant replayed, but that part
 * cannot be built.
 */
import { SimError } from "../../errors/index.ts";
import {
  defineParams,
  type Diagnostic,
  isPlainObject,
  type Kind,
  type ParamsOf,
  type ParamTable,
  type PlainObject,
  show,
} from "../../params/index.ts";
import { readVehicle, type Vehicle } from "../../multirotor/vehicle.ts";
import { checkParameterEvents, parametersOf, resolveParameters } from "../sections/autopilot-parameters.ts";
import { resolveChanges } from "../sections/change-spec.ts";
import { checkConsistency, checkEvents } from "../resolve/consistency.ts";
import { type ChosenKind, FLOWN_FORMAT, type FlightDefinition } from "./definition.ts";
import { checkDefinedEvents } from "./defined-events.ts";
import { Diagnostics } from "../diagnostics.ts";
import { flightErrors } from "../errors.ts";
import { chosenTable } from "../sections/kind-spec.ts";
import { checkDefinedMission, checkMissionRules } from "../sections/mission-spec.ts";
import { coreRegistry, type Registry, steppingOf } from "../registry.ts";
import { environmentTable, generalTable, timelineTable } from "../spec/tables.ts";
import { checkOrigin } from "../sections/world-origin.ts";
import { DEFINED_SECTIONS } from "../spec/flight-keys.ts";

/** The origin of a definition from outside. */
interface DefinitionOrigin {
  readonly registry?: Registry;
  /** The file named in errors. */
  readonly file?: string;
}

/** A definition has at most this many levels and values. The largest mission has about 30 000 values. */
const MAX_LEVELS = 32;
const MAX_VALUES = 200_000;
/** The error lists at most this many errors and counts the rest. */
const MAX_LISTED = 8;

const generalKeys = defineParams({
  name: generalTable.name,
  seed: generalTable.seed,
  commandPolicy: generalTable.commandPolicy,
});
const SECTIONS = ["format", ...DEFINED_SECTIONS] as const;

/** Returns the definition with every value checked. Throws one typed error that lists all errors. */
export function checkDefinition(foreign: unknown, origin: DefinitionOrigin = {}): FlightDefinition {
  const { registry = coreRegistry, file = "flight definition" } = origin;
  const where = { file };
  const invalid = (what: string) =>
    flightErrors.badDefinition({ what, where, fix: "use a file that Escapement wrote, unchanged" });
  if (!isPlainObject(foreign)) throw invalid(`${show(foreign)} is not a flight definition`);
  if (!isBounded(foreign)) {
    throw invalid(`the flight definition has more than ${MAX_LEVELS} levels or ${MAX_VALUES} values`);
  }
  if (foreign["format"] !== FLOWN_FORMAT) {
    throw flightErrors.otherFormat({
      what: `the flight definition has format ${show(foreign["format"])}, but this program reads ${FLOWN_FORMAT}`,
      where,
      fix: "read it with the version of Escapement that wrote it",
    });
  }
  const diagnostics = new Diagnostics((key) => ({ layer: { file, spec: foreign }, key }));
  const definition = new DefinitionChecker(foreign, registry, diagnostics).check();
  const { errors } = diagnostics;
  if (definition !== undefined) return definition;
  throw flightErrors.badDefinition({
    what: errorList(errors),
    where: errors[0]!.where,
    fix: "use a file that Escapement wrote, unchanged",
    cause: errors,
  });
}

function errorList(errors: readonly SimError[]): string {
  const [first, ...rest] = errors.slice(0, MAX_LISTED).map(({ where, what, fix }) => `${where.key}: ${what} (${fix})`);
  const more = errors.length > MAX_LISTED ? [`and ${errors.length - MAX_LISTED} more`] : [];
  return [first, ...rest, ...more].join("; ");
}

/** Whether a value from outside is small enough to be checked. */
function isBounded(value: unknown): boolean {
  let left = MAX_VALUES;
  const visit = (part: unknown, level: number): boolean => {
    left -= 1;
    if (left < 0 || level > MAX_LEVELS) return false;
    if (typeof part !== "object" || part === null) return true;
    return Object.values(part).every((inner) => visit(inner, level + 1));
  };
  return visit(value, 0);
}

class DefinitionChecker {
  private readonly foreign: PlainObject;
  private readonly registry: Registry;
  private readonly diagnostics: Diagnostics;
  private parameterSpecs: ReturnType<typeof parametersOf>;

  constructor(foreign: PlainObject, registry: Registry, diagnostics: Diagnostics) {
    this.foreign = foreign;
    this.registry = registry;
    this.diagnostics = diagnostics;
  }

  /** Returns undefined if there are errors. */
  check(): FlightDefinition | undefined {
    const { foreign, registry, diagnostics } = this;
    const general = diagnostics.params(generalKeys, foreign, "", SECTIONS);
    const vehicle = this.checkVehicle();
    const environment = this.checkEnvironment();
    const timeline = this.checkSection("timeline", timelineTable);
    const wind = this.checkChosen(registry.winds, "wind", foreign["wind"]);
    const integrator = this.checkChosen(registry.integrators, "integrator", foreign["integrator"]);
    const estimator = this.checkChosen(registry.estimators, "estimator", foreign["estimator"]);
    const sensors = this.checkSensors();
    const autopilot = this.checkAutopilot(vehicle);
    const mission = foreign["mission"] === null ? null : checkDefinedMission(this.tableAt("mission"), this.diagnostics);
    const drafts = checkDefinedEvents(foreign["scenario"], diagnostics);
    if (diagnostics.count > 0) return undefined;
    const sections = {
      vehicle,
      environment,
      timeline,
      wind,
      integrator,
      estimator,
      sensors,
    } as Partial<FlightDefinition>;
    const events = resolveChanges(drafts, sections, { registry, diagnostics, strictRates: false, form: "defined" });
    if (diagnostics.count > 0) return undefined;
    const definition = {
      format: FLOWN_FORMAT,
      ...general,
      ...sections,
      autopilot,
      mission,
      scenario: events.map(({ event }) => event),
    } as FlightDefinition;
    this.checkTogether(definition, events);
    return diagnostics.count > 0 ? undefined : definition;
  }

  /** Checks the rules across sections, except those that `strictRates` may switch off. */
  private checkTogether(definition: FlightDefinition, events: ReturnType<typeof checkDefinedEvents>): void {
    const { diagnostics } = this;
    const { vehicle, sensors, mission, integrator } = definition;
    checkEvents(events, { rotors: vehicle.rotors.length, batteries: vehicle.batteries.length, sensors }, diagnostics);
    checkParameterEvents(events, this.parameterSpecs, diagnostics);
    if (mission !== null) {
      checkMissionRules(mission, diagnostics);
      checkOrigin(mission, definition.environment.origin, diagnostics);
    }
    checkConsistency(definition, { strictRates: false, stepping: steppingOf(this.registry, integrator) }, diagnostics);
  }

  /** Returns a section that must be a table; an empty one, with a diagnostic, if it is not. */
  private tableAt(key: string, value: unknown = this.foreign[key]): PlainObject {
    return this.diagnostics.table(value, key) ?? {};
  }

  private checkSection<T extends ParamTable>(key: string, table: T, also: readonly string[] = []): ParamsOf<T> {
    return this.diagnostics.params(table, this.tableAt(key), key, also);
  }

  private checkVehicle(): Vehicle | undefined {
    const { diagnostics } = this;
    const read = (found: Diagnostic[]) => readVehicle(this.tableAt("vehicle"), found, "vehicle");
    return diagnostics.unlessDiagnosed(() => diagnostics.collectFrom(read));
  }

  private checkEnvironment(): object {
    const { registry } = this;
    const { atmosphere, gravity } = this.tableAt("environment");
    return {
      ...this.checkSection("environment", environmentTable, ["atmosphere", "gravity"]),
      atmosphere: this.checkChosen(registry.atmospheres, "environment.atmosphere", atmosphere),
      gravity: this.checkChosen(registry.gravities, "environment.gravity", gravity),
    };
  }

  private checkSensors(): (ChosenKind | undefined)[] {
    const { sensors } = this.foreign;
    const { diagnostics, registry } = this;
    if (!Array.isArray(sensors) || sensors.length > registry.sensors.length) {
      const what = Array.isArray(sensors) ? `the list has ${sensors.length} sensors` : `${show(sensors)} is not a list`;
      diagnostics.add("wrongLength", "sensors", what, `use a list of at most ${registry.sensors.length} sensors`);
      return [];
    }
    const chosen = sensors.map((sensor, i) => this.checkChosen(registry.sensors, `sensors[${i}]`, sensor));
    const kinds = chosen.map((sensor) => sensor?.kind);
    const twice = kinds.findIndex((kind, i) => kind !== undefined && kinds.indexOf(kind) < i);
    if (twice >= 0) diagnostics.add("inconsistent", `sensors[${twice}]`, "the sensor occurs twice", "list it once");
    return chosen;
  }

  private checkAutopilot(vehicle: Vehicle | undefined): FlightDefinition["autopilot"] | undefined {
    const given = this.tableAt("autopilot");
    const chosen = this.checkChosen(this.registry.autopilots, "autopilot", given, ["parameters"]);
    if (chosen === undefined || vehicle === undefined) return undefined;
    this.parameterSpecs = parametersOf(chosen.kind, vehicle);
    const written = given["parameters"];
    return { ...chosen, parameters: resolveParameters({ written }, this.parameterSpecs, this.diagnostics) };
  }

  private checkChosen<Part, Context>(
    kinds: readonly Kind<Part, Context>[],
    key: string,
    given: unknown,
    also: readonly string[] = [],
  ): ChosenKind | undefined {
    const { diagnostics } = this;
    return diagnostics.unlessDiagnosed(() => {
      const value = this.tableAt(key, given);
      const { kind, version } = diagnostics.params(chosenTable, value, key, ["params", ...also]);
      const params = this.tableAt(`${key}.params`, value["params"]);
      const known = kinds.find((candidate) => candidate.name === kind && candidate.version === version);
      return {
        kind,
        version,
        params: known === undefined ? params : diagnostics.params(known.params, params, `${key}.params`),
      };
    });
  }
}
