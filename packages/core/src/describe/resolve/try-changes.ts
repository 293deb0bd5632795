/**
 * Builds the part that results from each setting change of a scenario, with all earlier changes applied. So errors that
 * only a part can detect are reported at the change.
 */
import { inputLayout, type SensorSource, type Source } from "../../engine/index.ts";
import { SimError } from "../../errors/index.ts";
import type { Multirotor } from "../../multirotor/plant.ts";
import { buildEstimator, buildIntegrator, buildPlant, buildSensor, buildWind } from "../build/build-parts.ts";
import type { FlightDefinition } from "../definition/definition.ts";
import type { Diagnostics } from "../diagnostics.ts";
import { warnIfTooHeavy } from "./plausibility.ts";
import type { Registry } from "../registry.ts";
import { type SettingChange, settingChanges, withChange } from "../build/setting-changes.ts";
import { keyIn } from "./try-parts.ts";

/** @param diagnosticsOf returns the diagnostics for a change; they accept keys of the section that the change edits */
export function tryChanges(
  definition: FlightDefinition,
  registry: Registry,
  plant: Multirotor,
  diagnosticsOf: (change: SettingChange) => Diagnostics,
): void {
  let now = definition;
  for (const change of settingChanges(definition.scenario)) {
    const diagnostics = diagnosticsOf(change);
    try {
      const before = now;
      now = withChange(now, change, registry);
      tryChange(before, now, change, { registry, plant, diagnostics });
    } catch (error) {
      if (!(error instanceof SimError)) throw error;
      const [section, params] = sectionOf(now, change);
      diagnostics.errors.push(diagnostics.withPlaceOf(error, keyIn(section, params, error.where.key)));
    }
  }
}

interface ChangeContext {
  readonly registry: Registry;
  readonly plant: Multirotor;
  readonly diagnostics: Diagnostics;
}

function tryChange(
  before: FlightDefinition,
  now: FlightDefinition,
  { action, params }: SettingChange,
  { registry, plant, diagnostics }: ChangeContext,
): void {
  switch (action) {
    case "wind":
      buildWind(now, registry);
      return;
    case "estimator":
      rejectOtherTicks("estimator", buildEstimator(before, registry), buildEstimator(now, registry), diagnostics);
      return;
    case "sensor": {
      const build = (at: FlightDefinition) =>
        buildSensor(
          at,
          registry,
          at.sensors.find(({ kind }) => kind === params["kind"])!,
        );
      rejectOtherTicks(`sensors.${String(params["kind"])}`, build(before), build(now), diagnostics);
      return;
    }
    case "vehicle": {
      const changed = buildPlant(now, registry);
      rejectOtherStates(plant, changed, diagnostics);
      warnIfTooHeavy(changed, diagnostics);
      return;
    }
    case "integrator":
      buildIntegrator(registry, now.integrator, { plant, u: new Float64Array(inputLayout(plant.dims).size) });
      return;
    case "reseed":
      return;
  }
}

/** Checks that a change does not alter the layout of the state, which is fixed over the whole flight. */
function rejectOtherStates(before: Multirotor, after: Multirotor, diagnostics: Diagnostics): void {
  const sizes = (plant: Multirotor) => new Map(plant.layout.blocks.map(({ name, size }) => [name, size]));
  const [sizesBefore, sizesAfter] = [sizes(before), sizes(after)];
  const changed = [...new Set([...sizesBefore.keys(), ...sizesAfter.keys()])].find(
    (name) => sizesBefore.get(name) !== sizesAfter.get(name),
  );
  if (changed === undefined) return;
  const what = `the state ${changed} would have ${sizesAfter.get(changed) ?? 0} values instead of ${sizesBefore.get(changed) ?? 0}`;
  diagnostics.add("fixedInFlight", "vehicle", what, "keep the number of feet, rotors and batteries");
}

type AnySource = Source<"estimator"> | SensorSource;

/** Checks that a change does not alter the ticks of a source, because the schedule is fixed at assembly. */
function rejectOtherTicks(section: string, before: AnySource, after: AnySource, diagnostics: Diagnostics): void {
  if (JSON.stringify(before.axis) === JSON.stringify(after.axis)) return;
  const fix = "leave out the keys that set its period, or set them from the start";
  diagnostics.add("fixedInFlight", section, "the times at which a source runs cannot change in flight", fix);
}

/** Returns the section that a change edits, and its values. */
function sectionOf(now: FlightDefinition, { action, params }: SettingChange): [key: string, values: object] {
  switch (action) {
    case "sensor": {
      const kind = String(params["kind"]);
      return [`sensors.${kind}`, now.sensors.find((sensor) => sensor.kind === kind)?.params ?? {}];
    }
    case "vehicle":
      return ["vehicle", now.vehicle];
    case "reseed":
      return ["seed", {}];
    default:
      return [action, now[action].params];
  }
}
