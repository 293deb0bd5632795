/**
 * Builds every part of a definition once, and reports each part's typed error at the key where a person would fix it.
 *
 * A part knows its parameters but not their place in a description: it writes `maxStepUs`, `gnss.latencyS` or the whole
 * `estimator.delayS`. Origin, parameters and mission, which parts receive besides, have names of their own.
 */
import { SimError } from "../errors/index.ts";
import { inputLayout } from "../engine/index.ts";
import type { Multirotor } from "../multirotor/plant.ts";
import {
  buildAtmosphere,
  buildAutopilot,
  buildEstimator,
  buildGravity,
  buildIntegrator,
  buildPlant,
  buildSensor,
  buildWind,
} from "./build-parts.ts";
import type { FlightDefinition } from "./definition.ts";
import type { Registry } from "./registry.ts";

interface PartsTrial {
  readonly problems: readonly BuildProblem[];
  /** Absent if it cannot be built. */
  readonly plant?: Multirotor;
}

interface BuildProblem {
  readonly key: string;
  readonly error: SimError;
}

/** Keys of a description by the names that parts use for what they receive. */
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
  // The plant would only repeat a problem of its atmosphere or gravity.
  const plant =
    problems.length > 0 ? undefined : attempt("vehicle", vehicle, () => buildTrimmedPlant(definition, registry));
  // An integrator is made for a plant.
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

/** A plant whose initial state exists too. */
function buildTrimmedPlant(definition: FlightDefinition, registry: Registry): Multirotor {
  const plant = buildPlant(definition, registry);
  plant.initialInto(new Float64Array(plant.layout.size));
  return plant;
}

/** The part of a section, or its typed error. An error of any other type is a defect and is thrown. */
function tryPart<Part>(problems: BuildProblem[], section: string, params: object, make: () => Part): Part | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    problems.push({ key: keyIn(section, params, error.where.key), error });
    return undefined;
  }
}

/** The description's key for what a part calls `key`; the section if no such key can be written. */
export function keyIn(section: string, params: object, key = ""): string {
  const name = /^[^.[]*/.exec(key)![0];
  if (key.startsWith(`${section}.`)) return key;
  if (Object.hasOwn(params, name)) return `${section}.${key}`;
  const rest = key.slice(name.length);
  if (section.endsWith(`.${name}`)) return `${section}${rest}`;
  return Object.hasOwn(KEY_OF, name) ? `${KEY_OF[name]!}${rest}` : section;
}
