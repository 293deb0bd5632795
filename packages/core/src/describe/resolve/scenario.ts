/** Resolves the events of a description, and runs the checks that involve both the events and the other sections. */
import { secondsToUs } from "../../time/index.ts";
import type { Multirotor } from "../../multirotor/plant.ts";
import type { FlightDefinition } from "../definition/definition.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { Registry } from "../registry.ts";
import { checkParameterEvents, type parametersOf } from "../sections/autopilot-parameters.ts";
import { changeKey, resolveChanges } from "../sections/change-spec.ts";
import { type EventDraft, resolveEvents } from "../sections/scenario-spec.ts";
import { missionEvents } from "../sections/standing-events.ts";
import { placeOf } from "../sections/world-origin.ts";
import { checkEvents } from "./consistency.ts";
import { tryChanges } from "./try-changes.ts";

/** Everything that events may refer to. A section with errors is absent, and nothing is compared with it. */
interface ScenarioContext {
  readonly sections: Partial<FlightDefinition>;
  readonly rotors: number | undefined;
  readonly batteries: number | undefined;
  /** The parameters of the autopilot; undefined if the autopilot checks them itself. */
  readonly parameters: ReturnType<typeof parametersOf>;
  readonly strictRates: boolean;
  readonly registry: Registry;
}

/** @param given the events as the description lists them */
export function resolveScenario(
  given: unknown,
  { sections, rotors, batteries, parameters, strictRates, registry }: ScenarioContext,
  diagnostics: Diagnostics,
): EventDraft[] {
  const { timeline, environment, sensors } = sections;
  const tickUs = timeline === undefined ? 1 : secondsToUs(timeline.autopilotPeriodS);
  const drafts = resolveEvents(given, tickUs, placeOf(environment), diagnostics);
  const events = resolveChanges(drafts, sections, { registry, diagnostics, strictRates, form: "written" });
  checkEvents(events, { rotors, batteries, sensors }, diagnostics);
  checkParameterEvents(events, parameters, diagnostics);
  return events;
}

/** Builds the parts that result from each setting change, and runs the checks that need the plant. */
export function tryScenario(
  definition: FlightDefinition,
  registry: Registry,
  plant: Multirotor,
  diagnostics: Diagnostics,
): void {
  // The events that start a mission come before those of the description and shift their indices.
  const first = definition.mission === null ? 0 : missionEvents(definition.mission).length;
  tryChanges(definition, registry, plant, ({ index, action }) =>
    diagnostics.withKeys(changeKey(`scenario[${index - first}]`, action)),
  );
}
