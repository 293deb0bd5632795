/**
 * resolved → flight: builds plant, sources, observers from names and numbers, and wires them.
 *
 * Everything a bit depends on comes from the resolved flight; what is plugged in besides (sinks, probes, a recorder,
 * another autopilot) only watches or answers. Calls go downward only.
 */
import type { Kind, PlainObject } from "../params/index.ts";
import { periodicAxis, secondsToUs } from "../time/index.ts";
import {
  BusLayout,
  Flight,
  type FlightParts,
  inputLayout,
  type Integrator,
  type IntegratorContext,
  type Observer,
  type Probe,
  rowColumns,
  type SensorSource,
  type Sink,
  type Source,
} from "../engine/index.ts";
import { Fingerprint, Recorder } from "../record/index.ts";
import type { Atmosphere, Gravity } from "../world/environment.ts";
import { projectionKinds } from "../world/geodesy/index.ts";
import { MagneticModel } from "../world/magnetic/index.ts";
import { makeMultirotor, type Multirotor } from "../multirotor/plant.ts";
import type { Vehicle } from "../multirotor/vehicle.ts";
import type { AutopilotContext, ParameterChange, RotorPlace } from "../autopilot/index.ts";
import type { EstimatorContext } from "../sources/estimator/index.ts";
import { parameterEvents, Scenario, type ScenarioEvent } from "../sources/scenario/index.ts";
import { makeWindSource, type WindContext, type WindModel } from "../sources/wind/index.ts";
import type { SensorContext } from "../sources/sensors/index.ts";
import { type BuildProblem, problemOf } from "./build-problem.ts";
import { codeFor } from "./code.ts";
import { flightErrors } from "./errors.ts";
import { toMission } from "./mission-spec.ts";
import type { Registry } from "./registry.ts";
import type { ChosenKind, Flown } from "./resolve.ts";
import { SummaryObserver } from "./summary.ts";
import { TrackObserver } from "./track.ts";

export interface AssembleOptions {
  readonly sinks?: readonly Sink[];
  readonly probes?: readonly Probe[];
  /** Also attached, after digests and recorder. */
  readonly observers?: readonly Observer[];
  readonly record?: boolean;
  /** `all`: also one digest a writer; `plant` alone is cheaper; `none` for bare speed. */
  readonly fingerprint?: "all" | "plant" | "none";
  /** Flown instead of the described autopilot: a bridge that is made at the edge, or a bare source of the API. */
  readonly autopilot?: (context: AutopilotContext) => Source<"autopilot">;
  /** Blows instead of the described wind. */
  readonly wind?: (context: WindContext) => WindModel;
  readonly estimator?: (context: EstimatorContext) => Source<"estimator">;
  /** False: fly by the equations as they are written, without code made for the vehicle. The bits are the same. */
  readonly codegen?: boolean;
}

/** What stands in a resolved flight for a part that was passed as a bare function: it flies, but nobody can build it again. */
export const BARE_FUNCTION: ChosenKind = { kind: "function", version: 0, params: {} };

/** What was flown, with the parts that were passed as functions marked as such. */
export function withBareParts(flown: Flown, options: AssembleOptions): Flown {
  if (options.wind === undefined && options.estimator === undefined && options.autopilot === undefined) return flown;
  return {
    ...flown,
    ...(options.wind === undefined ? {} : { wind: BARE_FUNCTION }),
    ...(options.estimator === undefined ? {} : { estimator: BARE_FUNCTION }),
    ...(options.autopilot === undefined
      ? {}
      : { autopilot: { ...BARE_FUNCTION, parameters: flown.autopilot.parameters } }),
  };
}

export interface AssembledFlight {
  readonly flight: Flight;
  readonly plant: Multirotor;
  readonly summary: SummaryObserver;
  readonly track: TrackObserver;
  readonly fingerprint?: Fingerprint;
  readonly recorder?: Recorder;
}

/** A date for the magnetic field: part of the model's version, for a flight has no date. */
const MAGNETIC_YEAR = 2026;

export function assemble(flown: Flown, registry: Registry, options: AssembleOptions = {}): AssembledFlight {
  const plant = buildPlant(flown, registry);
  const { dims } = plant;
  const summary = new SummaryObserver(dims, plant.layout, flown);
  const track = new TrackObserver(plant.layout);
  const mode = options.fingerprint ?? "all";
  const fingerprint = mode === "none" ? undefined : new Fingerprint(dims, { writers: mode === "all" });
  const recorder = options.record === true ? new Recorder(dims, plant.layout) : undefined;
  const observers = [fingerprint, recorder, summary, track, ...(options.observers ?? [])].filter(
    (part) => part !== undefined,
  );
  const code = codeFor(plant, options.codegen);
  const parts: FlightParts = {
    endUs: secondsToUs(flown.timeline.endS),
    dims,
    plant,
    integrator: (context) => buildIntegrator(registry, flown.integrator, code.given(context)),
    code,
    ...buildSources(flown, registry, plant, options),
    ...periods(flown),
    observers,
    commandPolicy: flown.commandPolicy,
    ...(options.sinks === undefined ? {} : { sinks: options.sinks }),
    ...(options.probes === undefined ? {} : { probes: options.probes }),
  };
  return {
    flight: new Flight(parts),
    plant,
    summary,
    track,
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(recorder === undefined ? {} : { recorder }),
  };
}

/** Plants built on trial, each handed to the first flight that is assembled from the same description. */
const tried = new WeakMap<Flown, { readonly plant: Multirotor; readonly registry: Registry }>();

export function buildPlant(flown: Flown, registry: Registry): Multirotor {
  const trial = tried.get(flown);
  tried.delete(flown);
  if (trial?.registry === registry) return trial.plant;
  return makeMultirotor(flown.vehicle, {
    atmosphere: buildAtmosphere(flown, registry),
    gravity: buildGravity(flown, registry),
    origin: flown.environment.origin,
  });
}

function buildAtmosphere({ environment }: Flown, registry: Registry): Atmosphere {
  return build(registry.atmospheres, environment.atmosphere, undefined);
}

function buildGravity({ environment }: Flown, registry: Registry): Gravity {
  return build(registry.gravities, environment.gravity, { origin: environment.origin });
}

export function buildIntegrator(registry: Registry, chosen: ChosenKind, context: IntegratorContext): Integrator {
  return build(registry.integrators, chosen, context);
}

type Sources = Pick<FlightParts, "scenario" | "wind" | "sensors" | "estimator" | "autopilot">;

export function buildSources(
  flown: Flown,
  registry: Registry,
  plant: Multirotor,
  options: AssembleOptions = {},
): Sources {
  const sensors = flown.sensors.map((chosen) => buildSensor(flown, registry, chosen));
  return {
    scenario: buildScenario(flown, plant),
    wind: buildWind(flown, registry, options),
    ...(sensors.length === 0 ? {} : { sensors }),
    estimator: buildEstimator(flown, registry, options),
    autopilot: buildAutopilot(flown, registry, options),
  };
}

function buildScenario(flown: Flown, plant: Multirotor): Scenario {
  const periodUs = secondsToUs(flown.timeline.scenarioPeriodS);
  return new Scenario({ events: events(flown), layout: plant.layout, seed: flown.seed, startUs: 0, periodUs });
}

function buildWind(flown: Flown, registry: Registry, options: AssembleOptions): Source<"wind"> {
  const periodUs = secondsToUs(flown.timeline.windPeriodS);
  const context: WindContext = { seed: flown.seed, periodUs };
  const model = options.wind?.(context) ?? build(registry.winds, flown.wind, context);
  return makeWindSource(model, periodicAxis({ periodUs }));
}

function buildSensor(flown: Flown, registry: Registry, chosen: ChosenKind): SensorSource {
  return build(
    registry.sensors,
    chosen,
    sensorContext(flown, secondsToUs(flown.timeline.autopilotPeriodS)),
  ) as SensorSource;
}

function buildEstimator(flown: Flown, registry: Registry, options: AssembleOptions): Source<"estimator"> {
  const periodUs = secondsToUs(flown.timeline.autopilotPeriodS);
  const context: EstimatorContext = { seed: flown.seed, axis: periodicAxis({ periodUs }), periodUs };
  return options.estimator?.(context) ?? build(registry.estimators, flown.estimator, context);
}

function buildAutopilot(flown: Flown, registry: Registry, options: AssembleOptions): Source<"autopilot"> {
  const context = autopilotContext(flown);
  return options.autopilot?.(context) ?? build(registry.autopilots, flown.autopilot, context);
}

/** The plant of a flight that has been tried. */
export function triedPlant(flown: Flown): Multirotor | undefined {
  return tried.get(flown)?.plant;
}

/** Names of the columns of a log. */
export function columnNames({ layout, dims }: Multirotor): string[] {
  return rowColumns(layout, new BusLayout(dims)).map(({ name }) => name);
}

function tryPlant(flown: Flown, registry: Registry): void {
  const plant = buildPlant(flown, registry);
  plant.initialInto(new Float64Array(plant.layout.size));
  tried.set(flown, { plant, registry });
}

/** An integrator is made for a plant: where there is none, nothing can be said of it. */
function tryIntegrator(flown: Flown, registry: Registry): void {
  const plant = triedPlant(flown);
  if (plant === undefined) return;
  buildIntegrator(registry, flown.integrator, { plant, u: new Float64Array(inputLayout(plant.dims).size) });
}

/** Builds every part on trial and gives what they have to complain about, each with the key it is about. */
export function buildProblems(flown: Flown, registry: Registry): BuildProblem[] {
  const none: AssembleOptions = {};
  const { environment, vehicle, wind, integrator, estimator, autopilot } = flown;
  const air = [
    ...problemOf("environment.atmosphere", environment.atmosphere.params, () => buildAtmosphere(flown, registry)),
    ...problemOf("environment.gravity", environment.gravity.params, () => buildGravity(flown, registry)),
  ];
  // A plant that lacks them would say the same again.
  return [
    ...air,
    ...(air.length > 0 ? [] : problemOf("vehicle", vehicle, () => tryPlant(flown, registry))),
    ...problemOf("integrator", integrator.params, () => tryIntegrator(flown, registry)),
    ...problemOf("wind", wind.params, () => buildWind(flown, registry, none)),
    ...flown.sensors.flatMap((chosen) =>
      problemOf(`sensors.${chosen.kind}`, chosen.params, () => buildSensor(flown, registry, chosen)),
    ),
    ...problemOf("estimator", estimator.params, () => buildEstimator(flown, registry, none)),
    ...problemOf("autopilot", autopilot.params, () => buildAutopilot(flown, registry, none)),
  ];
}

function periods({ timeline }: Flown): Pick<FlightParts, "logPeriodUs" | "physicsPeriodUs"> {
  const physicsPeriodUs = secondsToUs(timeline.physicsPeriodS);
  return { logPeriodUs: secondsToUs(timeline.logPeriodS), ...(physicsPeriodUs > 0 ? { physicsPeriodUs } : {}) };
}

/** The part that a chosen kind stands for; the version must be the one it was resolved with. */
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

/** The scenario's events; each parameter change is given its bit. */
function events({ scenario }: Flown): ScenarioEvent[] {
  const bits = new Map<number, number>();
  let bit = 0.5;
  for (const i of parameterEvents(scenario as readonly ScenarioEvent[])) bits.set(i, (bit *= 2));
  return scenario.map((event, i) => {
    if (event.action !== "parameter") return event as ScenarioEvent;
    return { ...event, params: { ...event.params, bit: bits.get(i) } } as unknown as ScenarioEvent;
  });
}

function parameterChanges({ scenario }: Flown): ParameterChange[] {
  return parameterEvents(scenario as readonly ScenarioEvent[])
    .map((i) => scenario[i]!.params)
    .map((params) => ({ name: params["name"] as string, value: params["value"] as number }));
}

function autopilotContext(flown: Flown): AutopilotContext {
  const { latDeg, lonDeg, altMslM } = flown.environment.origin;
  return {
    periodUs: secondsToUs(flown.timeline.autopilotPeriodS),
    rotors: rotorPlaces(flown.vehicle),
    origin: { latDeg, lonDeg, altM: altMslM },
    parameters: flown.autopilot.parameters,
    parameterChanges: parameterChanges(flown),
    ...(flown.mission === null ? {} : { mission: toMission(flown.mission) }),
  };
}

/** The vehicle as control allocation sees it: thrust axes, and PX4's customary torque ratio with its sign. */
export function rotorPlaces(vehicle: Vehicle): RotorPlace[] {
  const { level, linear, reference } = vehicle.propulsion;
  const ratioM =
    level === "linear" ? linear.torqueRatioM : level === "reference" ? reference.torqueRatioM : PX4_TORQUE_RATIO_M;
  return vehicle.rotors.map(({ positionM, axis, direction, channel }) => {
    const norm = Math.sqrt(axis.reduce((sum, value) => sum + value * value, 0));
    return {
      posBody: positionM,
      axisBody: axis.map((value) => -value / norm),
      torqueRatioM: ratioM * direction,
      channel: channel - 1,
    };
  });
}

/** CA_ROTORn_KM of PX4's multicopters: a normalisation of yaw, not a property of the propeller. */
const PX4_TORQUE_RATIO_M = 0.05;

function sensorContext(flown: Flown, autopilotPeriodUs: number): SensorContext {
  const { origin, projection } = flown.environment;
  const kind = projectionKinds.find(({ name }) => name === projection)!;
  const plane = kind.make({} as PlainObject as never, { origin });
  const field = new MagneticModel({ decimalYear: MAGNETIC_YEAR });
  const place = new Float64Array(3);
  const geodeticInto: SensorContext["geodeticInto"] = (out, posNed) => plane.toGeodeticInto(out, posNed as never);
  return {
    seed: flown.seed,
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
