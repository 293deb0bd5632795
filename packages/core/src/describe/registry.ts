/**
 * The registry: every kind that a flight may name. Each application composes its own registry as a value.
 *
 * `coreRegistry.with(px4, mine)` returns a larger registry; no part registers itself. `resolve` and `assemble` take a
 * registry. A resolved flight holds only names and numbers, so the same registry can always rebuild it.
 */
import type { Kind, PlainObject } from "../params/index.ts";
import type { SensorWriter, Source } from "../engine/index.ts";
import { type IntegratorKind, integratorKinds, type Stepping } from "../integrate/index.ts";
import { atmosphereKinds } from "../world/atmosphere/index.ts";
import type { Atmosphere, Gravity } from "../world/environment.ts";
import { gravityKinds } from "../world/gravity/index.ts";
import type { OriginContext } from "../world/geodesy/index.ts";
import { autopilotKinds, type AutopilotContext } from "../autopilot/index.ts";
import { estimatorKinds, type EstimatorContext } from "../sources/estimator/index.ts";
import { sensorKinds, type SensorContext } from "../sources/sensors/index.ts";
import { windKinds, type WindContext, type WindModel } from "../sources/wind/index.ts";
import { builtInFlights } from "./flights/index.ts";
import { builtInVehicles } from "./vehicles/index.ts";

/** The kinds, vehicles and flights that a registry holds. */
export interface Kinds {
  readonly winds: readonly Kind<WindModel, WindContext>[];
  readonly integrators: readonly IntegratorKind[];
  readonly estimators: readonly Kind<Source<"estimator">, EstimatorContext>[];
  readonly sensors: readonly Kind<Source<SensorWriter>, SensorContext>[];
  readonly autopilots: readonly Kind<Source<"autopilot">, AutopilotContext>[];
  readonly atmospheres: readonly Kind<Atmosphere>[];
  readonly gravities: readonly Kind<Gravity, OriginContext>[];
  /** Data only: the tables that `vehicle = "name"` refers to. */
  readonly vehicles: Readonly<Record<string, PlainObject>>;
  /** Data only: the descriptions that `extends = "name"` refers to. */
  readonly flights: Readonly<Record<string, PlainObject>>;
}
export type KindFamily = Exclude<keyof Kinds, "vehicles" | "flights">;

/** Every kind, vehicle and flight that a description may name. */
export class Registry implements Kinds {
  readonly winds: Kinds["winds"];
  readonly integrators: Kinds["integrators"];
  readonly estimators: Kinds["estimators"];
  readonly sensors: Kinds["sensors"];
  readonly autopilots: Kinds["autopilots"];
  readonly atmospheres: Kinds["atmospheres"];
  readonly gravities: Kinds["gravities"];
  readonly vehicles: Kinds["vehicles"];
  readonly flights: Kinds["flights"];

  constructor(kinds: Kinds) {
    this.winds = kinds.winds;
    this.integrators = kinds.integrators;
    this.estimators = kinds.estimators;
    this.sensors = kinds.sensors;
    this.autopilots = kinds.autopilots;
    this.atmospheres = kinds.atmospheres;
    this.gravities = kinds.gravities;
    this.vehicles = kinds.vehicles;
    this.flights = kinds.flights;
  }

  /** Returns a registry with the additions. If two kinds have the same name, the later one wins. */
  with(...additions: readonly Partial<Kinds>[]): Registry {
    return additions.reduce<Registry>(
      (registry, more) =>
        new Registry({
          winds: mergeKinds(registry.winds, more.winds),
          integrators: mergeKinds(registry.integrators, more.integrators),
          estimators: mergeKinds(registry.estimators, more.estimators),
          sensors: mergeKinds(registry.sensors, more.sensors),
          autopilots: mergeKinds(registry.autopilots, more.autopilots),
          atmospheres: mergeKinds(registry.atmospheres, more.atmospheres),
          gravities: mergeKinds(registry.gravities, more.gravities),
          vehicles: { ...registry.vehicles, ...more.vehicles },
          flights: { ...registry.flights, ...more.flights },
        }),
      this,
    );
  }
}

function mergeKinds<K extends { readonly name: string }>(below: readonly K[], above: readonly K[] = []): readonly K[] {
  return [...below.filter(({ name }) => !above.some((kind) => kind.name === name)), ...above];
}

/** Returns how an integrator chooses its steps; undefined if the kind is unknown or does not declare it. */
export function steppingOf(
  { integrators }: Registry,
  chosen: { readonly kind: string } | undefined,
): Stepping | undefined {
  return integrators.find(({ name }) => name === chosen?.kind)?.stepping;
}

/** The registry of all built-in kinds, vehicles and flights. */
export const coreRegistry = new Registry({
  winds: windKinds,
  integrators: integratorKinds,
  estimators: estimatorKinds,
  sensors: sensorKinds,
  autopilots: autopilotKinds,
  atmospheres: atmosphereKinds,
  gravities: gravityKinds,
  vehicles: builtInVehicles,
  flights: builtInFlights,
});
