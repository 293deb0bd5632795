/**
 * Definition → parts: builds plant, integrator and sources from the names and numbers of a definition.
 *
 * Assembly and the trial build in `try-parts.ts` use the same functions, so a part that passes the trial is built in
 * the same way for the flight. Parts hold state, so each flight gets its own.
 */
import type { Kind, PlainObject } from "../params/index.ts";
import { periodicAxis, secondsToUs } from "../time/index.ts";
import type { FlightParts, Integrator, IntegratorContext, SensorSource, Source } from "../engine/index.ts";
import type { Atmosphere, Gravity } from "../world/environment.ts";
import { projectionKinds } from "../world/geodesy/index.ts";
import { MagneticModel } from "../world/magnetic/index.ts";
import { makeMultirotor, type Multirotor } from "../multirotor/plant.ts";
import type { AutopilotContext, ParameterChange } from "../autopilot/index.ts";
import type { EstimatorContext } from "../sources/estimator/index.ts";
import { parameterEvents, Scenario, type ScenarioEvent } from "../sources/scenario/index.ts";
import { makeWindSource, type WindContext, type WindModel } from "../sources/wind/index.ts";
import type { SensorContext } from "../sources/sensors/index.ts";
import { BARE_FUNCTION, type ChosenKind, type FlightDefinition } from "./definition.ts";
import { flightErrors } from "./errors.ts";
import { toMission } from "./mission-spec.ts";
import type { Registry } from "./registry.ts";
import { rotorPlaces } from "./rotor-places.ts";

/** Functions that make parts; they replace the parts that the definition names. */
export interface ReplacedParts {
  readonly autopilot?: (context: AutopilotContext) => Source<"autopilot">;
  readonly wind?: (context: WindContext) => WindModel;
  readonly estimator?: (context: EstimatorContext) => Source<"estimator">;
}

/** Marks every replaced part in the definition as a bare function, because the description does not define it. */
export function withBareParts(definition: FlightDefinition, replaced: ReplacedParts): FlightDefinition {
  if (replaced.wind === undefined && replaced.estimator === undefined && replaced.autopilot === undefined)
    return definition;
  return {
    ...definition,
    ...(replaced.wind === undefined ? {} : { wind: BARE_FUNCTION }),
    ...(replaced.estimator === undefined ? {} : { estimator: BARE_FUNCTION }),
    ...(replaced.autopilot === undefined
      ? {}
      : { autopilot: { ...BARE_FUNCTION, parameters: definition.autopilot.parameters } }),
  };
}

/** Date of the magnetic field model. Flights have no date, so it belongs to the model's version. */
const MAGNETIC_YEAR = 2026;

export function buildPlant(definition: FlightDefinition, registry: Registry): Multirotor {
  return makeMultirotor(definition.vehicle, {
    atmosphere: buildAtmosphere(definition, registry),
    gravity: buildGravity(definition, registry),
    origin: definition.environment.origin,
  });
}

export function buildAtmosphere({ environment }: FlightDefinition, registry: Registry): Atmosphere {
  return build(registry.atmospheres, environment.atmosphere, undefined);
}

export function buildGravity({ environment }: FlightDefinition, registry: Registry): Gravity {
  return build(registry.gravities, environment.gravity, { origin: environment.origin });
}

export function buildIntegrator(registry: Registry, chosen: ChosenKind, context: IntegratorContext): Integrator {
  return build(registry.integrators, chosen, context);
}

type Sources = Pick<FlightParts, "scenario" | "wind" | "sensors" | "estimator" | "autopilot">;

export function buildSources(
  definition: FlightDefinition,
  registry: Registry,
  plant: Multirotor,
  replaced: ReplacedParts = {},
): Sources {
  const sensors = definition.sensors.map((chosen) => buildSensor(definition, registry, chosen));
  return {
    scenario: buildScenario(definition, plant),
    wind: buildWind(definition, registry, replaced),
    ...(sensors.length === 0 ? {} : { sensors }),
    estimator: buildEstimator(definition, registry, replaced),
    autopilot: buildAutopilot(definition, registry, replaced),
  };
}

function buildScenario(definition: FlightDefinition, plant: Multirotor): Scenario {
  const periodUs = secondsToUs(definition.timeline.scenarioPeriodS);
  return new Scenario({
    events: events(definition),
    layout: plant.layout,
    seed: definition.seed,
    startUs: 0,
    periodUs,
  });
}

export function buildWind(
  definition: FlightDefinition,
  registry: Registry,
  replaced: ReplacedParts = {},
): Source<"wind"> {
  const periodUs = secondsToUs(definition.timeline.windPeriodS);
  const context: WindContext = { seed: definition.seed, periodUs };
  const model = replaced.wind?.(context) ?? build(registry.winds, definition.wind, context);
  return makeWindSource(model, periodicAxis({ periodUs }));
}

export function buildSensor(definition: FlightDefinition, registry: Registry, chosen: ChosenKind): SensorSource {
  return build(
    registry.sensors,
    chosen,
    sensorContext(definition, secondsToUs(definition.timeline.autopilotPeriodS)),
  ) as SensorSource;
}

export function buildEstimator(
  definition: FlightDefinition,
  registry: Registry,
  replaced: ReplacedParts = {},
): Source<"estimator"> {
  const periodUs = secondsToUs(definition.timeline.autopilotPeriodS);
  const context: EstimatorContext = { seed: definition.seed, axis: periodicAxis({ periodUs }), periodUs };
  return replaced.estimator?.(context) ?? build(registry.estimators, definition.estimator, context);
}

export function buildAutopilot(
  definition: FlightDefinition,
  registry: Registry,
  replaced: ReplacedParts = {},
): Source<"autopilot"> {
  const context = autopilotContext(definition);
  return replaced.autopilot?.(context) ?? build(registry.autopilots, definition.autopilot, context);
}

/** Builds the part of a chosen kind. The kind's version must be the version that the flight was resolved with. */
function build<Part, Context>(kinds: readonly Kind<Part, Context>[], chosen: ChosenKind, context: Context): Part {
  if (chosen.kind === BARE_FUNCTION.kind) {
    throw flightErrors.notReflyable({
      what: "a part of this flight was a bare function, which no recording can hold",
      fix: "replay the recording, or pass the same function again",
    });
  }
  const kind = kinds.find(({ name }) => name === chosen.kind);
  if (kind === undefined || kind.version !== chosen.version) {
    throw flightErrors.unknownKind({
      what: `this program has ${kind === undefined ? "no" : `version ${kind.version} of`} "${chosen.kind}", the flight was resolved with version ${chosen.version}`,
      fix: "fly it with the version of Escapement, and the parts of your own, that it was resolved with",
    });
  }
  return kind.make(chosen.params as never, context);
}

/** Returns the scenario's events and assigns a bit to each parameter change. */
function events({ scenario }: FlightDefinition): ScenarioEvent[] {
  const bits = new Map<number, number>();
  let bit = 0.5;
  for (const i of parameterEvents(scenario as readonly ScenarioEvent[])) bits.set(i, (bit *= 2));
  return scenario.map((event, i) => {
    if (event.action !== "parameter") return event as ScenarioEvent;
    return { ...event, params: { ...event.params, bit: bits.get(i) } } as unknown as ScenarioEvent;
  });
}

function parameterChanges({ scenario }: FlightDefinition): ParameterChange[] {
  return parameterEvents(scenario as readonly ScenarioEvent[])
    .map((i) => scenario[i]!.params)
    .map((params) => ({ name: params["name"] as string, value: params["value"] as number }));
}

function autopilotContext(definition: FlightDefinition): AutopilotContext {
  const { latDeg, lonDeg, altMslM } = definition.environment.origin;
  return {
    periodUs: secondsToUs(definition.timeline.autopilotPeriodS),
    rotors: rotorPlaces(definition.vehicle),
    origin: { latDeg, lonDeg, altM: altMslM },
    parameters: definition.autopilot.parameters,
    parameterChanges: parameterChanges(definition),
    ...(definition.mission === null ? {} : { mission: toMission(definition.mission) }),
  };
}

function sensorContext(definition: FlightDefinition, autopilotPeriodUs: number): SensorContext {
  const { origin, projection } = definition.environment;
  const kind = projectionKinds.find(({ name }) => name === projection)!;
  const plane = kind.make({} as PlainObject as never, { origin });
  const field = new MagneticModel({ decimalYear: MAGNETIC_YEAR });
  const place = new Float64Array(3);
  const geodeticInto: SensorContext["geodeticInto"] = (out, posNed) => plane.toGeodeticInto(out, posNed as never);
  return {
    seed: definition.seed,
    autopilotPeriodUs,
    startUs: 0,
    geodeticInto,
    magneticFieldInto: (outNed, posNed) => {
      geodeticInto(place, posNed);
      field.fieldNedInto(outNed, place);
      for (let i = 0; i < 3; i += 1) outNed[i]! /= 1000;
    },
  };
}
