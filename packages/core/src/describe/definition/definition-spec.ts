/**
 * Writes a resolved flight as a description again, so that it can be flown with changes.
 *
 * Resolving the description gives the same definition, with the same hash. Events that every flight has by default are
 * written as the rules that make them (`mission.armAtS`, `stop.crashSpeedMps`), so that the rules can be overridden
 * too.
 */
import type { SimError } from "../../errors/index.ts";
import type { PlainObject } from "../../params/index.ts";
import type { Fence } from "../../autopilot/mission.ts";
import { conditionText, isSetting, type SettingName } from "../../sources/scenario/index.ts";
import { canonicalJson } from "./canonical.ts";
import type { ChosenKind, FlightDefinition } from "./definition.ts";
import { flightErrors } from "../errors.ts";
import type { KindFamily, Registry } from "../registry.ts";
import type { ResolvedMission } from "../sections/mission-spec.ts";
import type { ResolvedEvent } from "../sections/scenario-spec.ts";
import { missionEvents, MAX_STANDING_EVENTS, stopEvents } from "../sections/standing-events.ts";

/**
 * Returns a warning for each kind that has a different version in this program than in the definition. A new flight
 * uses this program's version.
 */
export function otherVersions(definition: FlightDefinition, registry: Registry, file: string): SimError[] {
  const { environment, wind, integrator, estimator, sensors, autopilot } = definition;
  const chosen: readonly (readonly [key: string, KindFamily, ChosenKind])[] = [
    ["environment.atmosphere", "atmospheres", environment.atmosphere],
    ["environment.gravity", "gravities", environment.gravity],
    ["wind", "winds", wind],
    ["integrator", "integrators", integrator],
    ["estimator", "estimators", estimator],
    ["autopilot", "autopilots", autopilot],
    ...sensors.map((sensor) => [`sensors.${sensor.kind}`, "sensors", sensor] as const),
  ];
  return chosen.flatMap(([key, family, { kind, version }]) => {
    const present = registry[family].find(({ name }) => name === kind)?.version ?? version;
    if (present === version) return [];
    return flightErrors.otherVersion({
      what: `the flight was resolved with version ${version} of "${kind}", but flies with version ${present}`,
      where: { file, key },
      fix: "expect other results, or fly it with the version of Escapement that resolved it",
    });
  });
}

/** Returns a description of the flight. The definition must be valid (`checkDefinition`). */
export function specOf(definition: FlightDefinition): PlainObject {
  const { name, seed, commandPolicy, vehicle, timeline, environment, autopilot, mission } = definition;
  const { atmosphere, gravity, ...place } = environment;
  const { parameters, ...pilot } = autopilot;
  const { own, stop } = splitEvents(definition);
  return {
    name,
    seed,
    commandPolicy,
    // The definition has already passed this check or was exempt from it.
    strictRates: false,
    vehicle,
    timeline,
    environment: { ...place, atmosphere: kindSpec(atmosphere), gravity: kindSpec(gravity) },
    wind: kindSpec(definition.wind),
    integrator: kindSpec(definition.integrator),
    estimator: kindSpec(definition.estimator),
    sensors: Object.fromEntries(definition.sensors.map(({ kind, params }) => [kind, params])),
    autopilot: { ...kindSpec(pilot), parameters },
    ...(mission === null ? {} : { mission: missionSpec(mission) }),
    ...(own.length === 0 ? {} : { scenario: own.map(eventSpec) }),
    stop,
  };
}

/**
 * Returns the events that the description lists (`own`), the index of the first of them in the definition (`first`),
 * and the rules that make the stop events (`stop`).
 */
export function splitEvents({ mission, scenario }: FlightDefinition): {
  readonly own: readonly ResolvedEvent[];
  readonly first: number;
  readonly stop: PlainObject;
} {
  const events = mission === null ? scenario : withoutPrefix(scenario, missionEvents(mission));
  const { stop, rest } = splitStopEvents(events, mission !== null);
  return { own: rest, first: scenario.length - events.length, stop };
}

function kindSpec({ kind, params }: ChosenKind): PlainObject {
  return { kind, ...params };
}

function withoutPrefix(events: readonly ResolvedEvent[], first: readonly ResolvedEvent[]): readonly ResolvedEvent[] {
  const isPrefix = canonicalJson(events.slice(0, first.length)) === canonicalJson(first);
  return isPrefix ? events.slice(first.length) : events;
}

/** Finds the stop rules that produce the last events. If there are none, all events stay in the list. */
function splitStopEvents(
  events: readonly ResolvedEvent[],
  hasMission: boolean,
): { readonly stop: PlainObject; readonly rest: readonly ResolvedEvent[] } {
  for (let count = Math.min(MAX_STANDING_EVENTS, events.length); count > 0; count -= 1) {
    const last = events.slice(-count);
    const rules = rulesFrom(last);
    if (canonicalJson(stopEvents(rules, hasMission)) === canonicalJson(last)) {
      return { stop: rules, rest: events.slice(0, -count) };
    }
  }
  return { stop: { onCrash: false, onLanding: false }, rest: events };
}

/** Derives stop rules from the thresholds in the events. The caller checks whether they produce these events. */
function rulesFrom(events: readonly ResolvedEvent[]): Parameters<typeof stopEvents>[0] {
  const valueOf = (quantity: string): number | undefined => {
    for (const { trigger } of events) {
      if (trigger.at !== "condition") continue;
      const found = trigger.condition.find((comparison) => comparison.quantity === quantity);
      if (found !== undefined) return found.value;
    }
    return undefined;
  };
  const landing = events.find(
    ({ trigger }) => trigger.at === "condition" && trigger.condition.some(({ quantity }) => quantity === "hasFlown"),
  );
  const holdUs = landing?.trigger.at === "condition" ? landing.trigger.holdUs : 0;
  return {
    onCrash: valueOf("impactMps") !== undefined,
    crashSpeedMps: valueOf("impactMps") ?? 3,
    crashTiltDeg: valueOf("tiltDeg") ?? 100,
    onLanding: landing !== undefined,
    afterLandingS: holdUs / 1e6,
  };
}

function missionSpec({ fence, home, ...mission }: ResolvedMission): PlainObject {
  return {
    ...mission,
    ...(home === null ? {} : { home }),
    ...(fence === null ? {} : { fence: fenceSpec(fence) }),
  };
}

function fenceSpec({ circles, polygons }: Fence): PlainObject {
  return {
    circles: circles.map(({ center, radiusM, inclusion }) => ({ ...center, radiusM, inclusion })),
    polygons: polygons.map(({ points, inclusion }) => ({
      latsDeg: points.map(({ latDeg }) => latDeg),
      lonsDeg: points.map(({ lonDeg }) => lonDeg),
      inclusion,
    })),
  };
}

/** Returns an event as a description writes it. */
export function eventSpec({ name, note, trigger, forUs, repeats, action, params }: ResolvedEvent): PlainObject {
  return {
    ...(name === undefined ? {} : { name }),
    ...(note === undefined ? {} : { note }),
    ...triggerSpec(trigger, repeats),
    ...(forUs === undefined ? {} : { forS: forUs / 1e6 }),
    [action]: isSetting(action) ? settingSpec(action, params) : params,
  };
}

/** Returns a change of a kind as a section writes it. */
function settingSpec(action: SettingName, params: PlainObject): PlainObject {
  return action === "vehicle" || action === "reseed" ? params : kindSpec(params as ChosenKind);
}

function triggerSpec(trigger: ResolvedEvent["trigger"], repeats: boolean): PlainObject {
  if (trigger.at === "time") return { atS: trigger.tUs / 1e6 };
  if (trigger.at === "step") return { step: trigger.boundary };
  const { condition, fromUs, holdUs, hysteresis, afterUs, snapUs } = trigger;
  return {
    when: conditionText(condition),
    ...(fromUs === undefined ? {} : { fromS: fromUs / 1e6 }),
    ...(holdUs > 0 ? { holdS: holdUs / 1e6 } : {}),
    ...(afterUs > 0 ? { afterS: afterUs / 1e6 } : {}),
    ...(hysteresis > 0 ? { hysteresis } : {}),
    ...(snapUs > 0 ? { snap: "autopilot" } : {}),
    ...(repeats ? { repeats } : {}),
  };
}
