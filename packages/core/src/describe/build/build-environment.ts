/** Builds the environment of a flight from its definition: atmosphere, gravity, origin of the local frame and ceiling. */
import type { Atmosphere, Environment, Gravity } from "../../world/environment.ts";
import { buildKind } from "./build-kind.ts";
import type { FlightDefinition } from "../definition/definition.ts";
import type { Registry } from "../registry.ts";

type WithEnvironment = Pick<FlightDefinition, "environment">;

export function buildAtmosphere({ environment }: WithEnvironment, registry: Registry): Atmosphere {
  return buildKind(registry.atmospheres, environment.atmosphere, undefined);
}

export function buildGravity({ environment }: WithEnvironment, registry: Registry): Gravity {
  return buildKind(registry.gravities, environment.gravity, { origin: environment.origin });
}

export function buildEnvironment(definition: WithEnvironment, registry: Registry): Environment {
  const { ceilingM } = definition.environment;
  return {
    atmosphere: buildAtmosphere(definition, registry),
    gravity: buildGravity(definition, registry),
    origin: definition.environment.origin,
    ...(ceilingM > 0 ? { ceilingM } : {}),
  };
}
