/**
 * Builds plant, integrator and sources from the names and numbers of a definition.
 *
 * Assembly and the trial build in `try-parts.ts` use the same functions, so a part that passes the trial is built in
 * the same way for the flight. Parts hold state, so each flight gets its own.
 */
import { isPlainObject, type PlainObject } from "../../params/index.ts";
import { periodicAxis, secondsToUs } from "../../time/index.ts";
import {
  ALL_BITS,
  type FlightParts,
  type Integrator,
  type IntegratorContext,
  type SensorSource,
  type SensorWriter,
  type Source,
  type SourceWriter,
} from "../../engine/index.ts";
import { projectionKinds } from "../../world/geodesy/index.ts";
import { MagneticModel } from "../../world/magnetic/index.ts";
import { inverseInertia, type PackedVehicle, packMultirotor } from "../../multirotor/pack.ts";
import { makeMultirotor, type Multirotor } from "../../multirotor/plant.ts";
import { inertiaEntries, type Vehicle } from "../../multirotor/vehicle.ts";
import type { AutopilotContext, ParameterChange } from "../../autopilot/index.ts";
import type { EstimatorContext } from "../../sources/estimator/index.ts";
import {
  type ChangeBits,
  parameterEvents,
  Scenario,
  type ScenarioEvent,
  type SettingName,
} from "../../sources/scenario/index.ts";
import { switchedSource, type SourceVariant } from "../../sources/switched-source.ts";
import { makeWindSource, Wake, type WindContext, type WindModel } from "../../sources/wind/index.ts";
import type { Airframe, SensorContext } from "../../sources/sensors/index.ts";
import { buildEnvironment } from "./build-environment.ts";
import { buildKind } from "./build-kind.ts";
import { BARE_FUNCTION, type ChosenKind, type FlightDefinition } from "../definition/definition.ts";
import { toMission } from "../sections/mission-spec.ts";
import type { Registry } from "../registry.ts";
import { rotorGeometries } from "./rotor-geometry.ts";
import { definitionAt, relevantBits, type SettingChange, settingChanges } from "./setting-changes.ts";

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

/** The packed numbers of a vehicle in an environment, by the identity of the vehicle's section. */
const packings = new WeakMap<
  Vehicle,
  { environment: FlightDefinition["environment"]; registry: Registry; packed: PackedVehicle }
>();

/**
 * Builds the plant of a definition: its vehicle in its environment. The packed numbers never change, so branches of a
 * flight share them; the plant itself holds state and is always new.
 */
export function buildPlant(definition: FlightDefinition, registry: Registry): Multirotor {
  const { vehicle, environment } = definition;
  const world = buildEnvironment({ environment }, registry);
  const known = packings.get(vehicle);
  if (known?.environment === environment && known.registry === registry)
    return makeMultirotor(vehicle, world, known.packed);
  const packed = packMultirotor(vehicle, world);
  packings.set(vehicle, { environment, registry, packed });
  return makeMultirotor(vehicle, world, packed);
}

export function buildIntegrator(registry: Registry, chosen: ChosenKind, context: IntegratorContext): Integrator {
  return buildKind(registry.integrators, chosen, context);
}

type Sources = Pick<FlightParts, "scenario" | "wind" | "sensors" | "estimator" | "autopilot">;

export function buildSources(
  definition: FlightDefinition,
  registry: Registry,
  plant: Multirotor,
  replaced: ReplacedParts = {},
): Sources {
  const changing = new ChangingSources(definition, registry, replaced);
  const sensors = definition.sensors.map(({ kind }) => changing.sensor(kind));
  return {
    scenario: buildScenario(definition, plant),
    wind: changing.wind(),
    ...(sensors.length === 0 ? {} : { sensors }),
    estimator: changing.estimator(),
    autopilot: buildAutopilot(definition, registry, replaced),
  };
}

/** Builds sources that follow the scenario's setting changes. A source that no event changes is built directly. */
class ChangingSources {
  private readonly definition: FlightDefinition;
  private readonly registry: Registry;
  private readonly replaced: ReplacedParts;
  private readonly changes: readonly SettingChange[];

  constructor(definition: FlightDefinition, registry: Registry, replaced: ReplacedParts) {
    this.definition = definition;
    this.registry = registry;
    this.replaced = replaced;
    this.changes = settingChanges(definition.scenario);
  }

  wind(): Source<"wind"> {
    return this.changing(["wind", "reseed"], undefined, (at) => ({
      kind: memoryKind(at.wind),
      source: buildWind(at, this.registry, at.wind === this.definition.wind ? this.replaced : {}),
    }));
  }

  estimator(): Source<"estimator"> {
    return this.changing(["estimator", "reseed"], undefined, (at) => ({
      kind: memoryKind(at.estimator),
      source: buildEstimator(at, this.registry, at.estimator === this.definition.estimator ? this.replaced : {}),
    }));
  }

  sensor(kind: string): SensorSource {
    return this.changing(["sensor", "reseed"], kind, (at) => {
      const chosen = at.sensors.find((sensor) => sensor.kind === kind)!;
      const source = buildSensor(at, this.registry, chosen) as Source<SensorWriter>;
      return { kind: memoryKind(chosen), source };
    }) as SensorSource;
  }

  private changing<W extends SourceWriter>(
    settings: readonly SettingName[],
    sensor: string | undefined,
    make: (definition: FlightDefinition) => SourceVariant<W>,
  ): Source<W> {
    const { definition, registry } = this;
    const relevant = relevantBits(this.changes, settings, sensor);
    if (relevant(ALL_BITS) === 0) return make(definition).source;
    return switchedSource({ relevant, make: (mask) => make(definitionAt(definition, mask, registry)) });
  }
}

/**
 * Returns a text that is equal for parts whose memory has the same layout: the same kind, and lists of the same
 * lengths.
 */
function memoryKind({ kind, version, params }: ChosenKind): string {
  const lists = Object.entries(params).flatMap(([key, value]) =>
    Array.isArray(value) && value.some(isPlainObject) ? [`${key}[${value.length}]`] : [],
  );
  return [kind, version, ...lists].join(" ");
}

function buildScenario(definition: FlightDefinition, plant: Multirotor): Scenario {
  const periodUs = secondsToUs(definition.timeline.scenarioPeriodS);
  return new Scenario({
    events: scenarioEvents(definition),
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
  const context: WindContext = { seed: definition.seed, periodUs, spanM: rotorSpan(definition.vehicle) };
  const model = replaced.wind?.(context) ?? buildKind(registry.winds, definition.wind, context);
  const { vehicle, seed } = definition;
  const isMomentum = vehicle.propulsion.level === "momentum";
  const wake = isMomentum ? new Wake({ seed, periodUs, rotors: vehicle.rotors.length }) : undefined;
  return makeWindSource(model, periodicAxis({ periodUs }), wake);
}

/** Returns the largest distance between the tips of two rotors. */
function rotorSpan({ rotors, propulsion }: FlightDefinition["vehicle"]): number {
  const distances = rotors.flatMap(({ positionM: [x, y, z] }) =>
    rotors.map(({ positionM: b }) =>
      Math.sqrt((x! - b[0]!) * (x! - b[0]!) + (y! - b[1]!) * (y! - b[1]!) + (z! - b[2]!) * (z! - b[2]!)),
    ),
  );
  return Math.max(...distances) + 2 * propulsion.radiusM;
}

export function buildSensor(definition: FlightDefinition, registry: Registry, chosen: ChosenKind): SensorSource {
  return buildKind(
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
  return replaced.estimator?.(context) ?? buildKind(registry.estimators, definition.estimator, context);
}

export function buildAutopilot(
  definition: FlightDefinition,
  registry: Registry,
  replaced: ReplacedParts = {},
): Source<"autopilot"> {
  const context = autopilotContext(definition);
  return replaced.autopilot?.(context) ?? buildKind(registry.autopilots, definition.autopilot, context);
}

/** Returns the scenario's events. Each change of a parameter or setting gets its bit in the mask of active changes. */
function scenarioEvents({ scenario }: FlightDefinition): ScenarioEvent[] {
  const bits = new Map<number, ChangeBits>();
  for (const { index, bit, replaces } of settingChanges(scenario)) bits.set(index, { bit, replaces });
  for (const { index, bit } of parameterEvents(scenario)) bits.set(index, { bit, replaces: [] });
  return scenario.map((event, i) => {
    const params = { ...event.params, ...bits.get(i) };
    return { ...event, params } as unknown as ScenarioEvent;
  });
}

function parameterChanges({ scenario }: FlightDefinition): ParameterChange[] {
  return parameterEvents(scenario).map(({ index, bit }) => {
    const { name, value } = scenario[index]!.params as { readonly name: string; readonly value: number };
    return { name, value, bit };
  });
}

function autopilotContext(definition: FlightDefinition): AutopilotContext {
  const { latDeg, lonDeg, altMslM } = definition.environment.origin;
  return {
    periodUs: secondsToUs(definition.timeline.autopilotPeriodS),
    rotors: rotorGeometries(definition.vehicle),
    origin: { latDeg, lonDeg, altM: altMslM },
    parameters: definition.autopilot.parameters,
    parameterChanges: parameterChanges(definition),
    ...(definition.mission === null ? {} : { mission: toMission(definition.mission) }),
  };
}

function airframeOf(vehicle: Vehicle): Airframe {
  const { radiusM, blades, inertiaKgM2 } = vehicle.propulsion;
  return {
    massKg: vehicle.massKg,
    inverseInertia: inverseInertia(inertiaEntries(vehicle)),
    propeller: { radiusM, blades, inertiaKgM2 },
    rotors: vehicle.rotors.map(({ positionM, axis, direction }) => {
      const length = Math.sqrt(axis.reduce((sum, part) => sum + part * part, 0));
      return { posBody: positionM, axisBody: axis.map((part) => part / length), spin: -direction };
    }),
  };
}

function sensorContext(definition: FlightDefinition, autopilotPeriodUs: number): SensorContext {
  const { origin, projection, magneticYear } = definition.environment;
  const kind = projectionKinds.find(({ name }) => name === projection)!;
  const plane = kind.make({} as PlainObject as never, { origin });
  const field = new MagneticModel({ decimalYear: magneticYear });
  const place = new Float64Array(3);
  const geodeticInto: SensorContext["geodeticInto"] = (out, posNed) => plane.toGeodeticInto(out, posNed as never);
  return {
    seed: definition.seed,
    autopilotPeriodUs,
    startUs: 0,
    airframe: airframeOf(definition.vehicle),
    geodeticInto,
    magneticFieldInto: (outNed, posNed) => {
      geodeticInto(place, posNed);
      field.fieldNedInto(outNed, place);
      for (let i = 0; i < 3; i += 1) outNed[i]! /= 1000;
    },
  };
}
