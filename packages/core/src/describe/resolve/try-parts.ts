/**
 * Builds every part of a definition once, and reports each part's typed error at the key that the user would fix.
 *
 * A part knows its parameters but not their location in a description: its errors name `maxStepUs`, `gnss.latencyS` or
 * the full `estimator.delayS`. Parts also receive origin, parameters and mission; `KEY_OF` maps those names to keys.
 */
import { SimError } from "../../errors/index.ts";
import { inputLayout } from "../../engine/index.ts";
import type { Multirotor } from "../../multirotor/plant.ts";
import { buildAtmosphere, buildGravity } from "../build/build-environment.ts";
import {
  buildAutopilot,
  buildEstimator,
  buildIntegrator,
  buildPlant,
  buildSensor,
  buildWind,
} from "../build/build-parts.ts";
import type { FlightDefinition } from "../definition/definition.ts";
import type { Registry } from "../registry.ts";

interface PartsTrial {
  readonly problems: readonly BuildProblem[];
  /** Absent if the plant cannot be built. */
  readonly plant?: Multirotor;
}

interface BuildProblem {
  readonly key: string;
  readonly error: SimError;
}

/** Maps the names that parts use for the values they receive to keys of a description. */
const KEY_OF: Readonly<Record<string, string>> = {
  origin: "environment.origin",
  params: "autopilot.parameters",
  mission: "mission",
};

export function tryParts(definition: FlightDefinition, registry: Registry): PartsTrial {
  const problems: BuildProblem[] = [];
  const attempt = <Part>(section: string, params: object, make: () => Part): Part | undefined =>
    tryPart(problems, section, params, make);
  const { environment, vehicle, wind, integrator, estimator, autopilot } = definition;
  attempt("environment.atmosphere", environment.atmosphere.params, () => buildAtmosphere(definition, registry));
  attempt("environment.gravity", environment.gravity.params, () => buildGravity(definition, registry));
  // If the atmosphere or gravity has a problem, the plant would only report it again.
  const plant =
    problems.length > 0 ? undefined : attempt("vehicle", vehicle, () => buildTrimmedPlant(definition, registry));
  // An integrator needs a plant.
  if (plant !== undefined) {
    const u = new Float64Array(inputLayout(plant.dims).size);
    attempt("integrator", integrator.params, () => buildIntegrator(registry, integrator, { plant, u }));
  }
  attempt("wind", wind.params, () => buildWind(definition, registry));
  for (const chosen of definition.sensors)
    attempt(`sensors.${chosen.kind}`, chosen.params, () => buildSensor(definition, registry, chosen));
  attempt("estimator", estimator.params, () => buildEstimator(definition, registry));
  attempt("autopilot", autopilot.params, () => buildAutopilot(definition, registry));
  return { problems, ...(plant === undefined ? {} : { plant }) };
}

/** Builds a plant and checks that its initial state exists. */
function buildTrimmedPlant(definition: FlightDefinition, registry: Registry): Multirotor {
  const plant = buildPlant(definition, registry);
  plant.initialInto(new Float64Array(plant.layout.size));
  return plant;
}

/** Builds the part of a section, or records its typed error. Any other error is a defect and is rethrown. */
function tryPart<Part>(problems: BuildProblem[], section: string, params: object, make: () => Part): Part | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    problems.push({ key: keyIn(section, params, error.where.key), error });
    return undefined;
  }
}

/** Returns the description's key for a part's `key`, or the section if a description has no such key. */
export function keyIn(section: string, params: object, key = ""): string {
  const name = /^[^.[]*/.exec(key)![0];
  if (key.startsWith(`${section}.`)) return key;
  if (Object.hasOwn(params, name)) return `${section}.${key}`;
  const rest = key.slice(name.length);
  if (section.endsWith(`.${name}`)) return `${section}${rest}`;
  return Object.hasOwn(KEY_OF, name) ? `${KEY_OF[name]!}${rest}` : section;
}
