/**
 * Replaces the events of a flight that has been resolved before.
 *
 * The other sections of the flight are complete and valid, so the same objects are used again. Data that depends only
 * on one section, such as the packed numbers of the vehicle, is cached by the identity of that section's object.
 */
import type { PlainObject } from "../../params/index.ts";
import { buildPlant } from "../build/build-parts.ts";
import { settingChanges } from "../build/setting-changes.ts";
import { type FlightDefinition, hashOf, type ResolvedFlight } from "../definition/definition.ts";
import { splitEvents } from "../definition/definition-spec.ts";
import { Diagnostics } from "../diagnostics.ts";
import { type Registry, steppingOf } from "../registry.ts";
import { parametersOf } from "../sections/autopilot-parameters.ts";
import { outputsTable } from "../spec/tables.ts";
import { checkConsistency } from "./consistency.ts";
import type { Resolution } from "./resolve.ts";
import { resolveScenario, tryScenario } from "./scenario.ts";

const registries = new WeakMap<FlightDefinition, Registry>();

/** Records that a definition was resolved with a registry, so that its sections are complete and valid. */
export function noteResolved(definition: FlightDefinition, registry: Registry): void {
  registries.set(definition, registry);
}

/**
 * Whether a definition was resolved in this process with this registry. A definition in a file may come from another
 * version of the program.
 */
export function isResolvedWith(definition: FlightDefinition, registry: Registry): boolean {
  return registries.get(definition) === registry;
}

/** Replaces the events that the description lists. `file` names the description in errors. There are no warnings. */
export function resolveOtherEvents(
  { definition, settings, judged }: ResolvedFlight,
  events: readonly PlainObject[],
  registry: Registry,
  file: string,
): Resolution {
  const layer = { file, spec: { scenario: events } };
  const originOf = () => layer;
  const diagnostics = new Diagnostics((key) => ({ layer, key }));
  const { vehicle, environment, timeline, wind, integrator, estimator, sensors, autopilot } = definition;
  const drafts = resolveScenario(
    events,
    {
      sections: { vehicle, environment, timeline, wind, integrator, estimator, sensors },
      rotors: vehicle.rotors.length,
      batteries: vehicle.batteries.length,
      parameters: parametersOf(autopilot.kind, vehicle),
      strictRates: false,
      registry,
    },
    diagnostics,
  );
  const own = drafts.flatMap(({ event }) => event ?? []);
  const stepping = steppingOf(registry, integrator);
  checkConsistency({ ...definition, scenario: own }, { strictRates: false, stepping }, diagnostics);
  if (diagnostics.count > 0) return { errors: diagnostics.errors, warnings: [], originOf };
  const { first, own: before } = splitEvents(definition);
  const scenario = [
    ...definition.scenario.slice(0, first),
    ...own,
    ...definition.scenario.slice(first + before.length),
  ];
  const changed = { ...definition, scenario };
  if (settingChanges(own).length > 0) tryScenario(changed, registry, buildPlant(changed, registry), diagnostics);
  if (diagnostics.count > 0) return { errors: diagnostics.errors, warnings: [], originOf };
  noteResolved(changed, registry);
  const eventsFrom = drafts.length === 0 ? [] : [{ file, events: drafts.length }];
  const outputs = diagnostics.params(outputsTable, {}, "outputs");
  return {
    resolved: {
      definition: changed,
      settings: { about: "", vehicle: settings.vehicle, eventsFrom, outputs },
      judged,
      hash: hashOf(changed),
    },
    errors: [],
    warnings: [],
    originOf,
  };
}
