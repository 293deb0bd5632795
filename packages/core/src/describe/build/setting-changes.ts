/**
 * Setting changes in flight. A change is an edit of the flight definition; the ordinary builders then build every part
 * from the edited definition.
 *
 * `definitionAt` applies the changes whose bit is set in the signal `settingChanges`, in the order in which the
 * scenario examines them. Bits are numbered in the order of the list, so appending an event does not change the bits of
 * other events. A change that sets everything that an earlier change set clears the bit of the earlier one. So the
 * definition depends on the mask alone, and the last change wins.
 */
import { checkParams, type Diagnostic, type Kind, type PlainObject } from "../../params/index.ts";
import { bitAt, hasBit } from "../../engine/index.ts";
import { withCalibratedThrust } from "../../multirotor/pack.ts";
import { resolveVehicle, type Vehicle } from "../../multirotor/vehicle.ts";
import { type ChangeBits, examinationOrder, isSetting, type SettingName } from "../../sources/scenario/index.ts";
import type { Environment } from "../../world/environment.ts";
import { buildEnvironment } from "./build-environment.ts";
import type { ChosenKind, FlightDefinition } from "../definition/definition.ts";
import { overlay, pathsOf } from "./overlay.ts";
import type { Registry } from "../registry.ts";
import type { ResolvedEvent } from "../sections/scenario-spec.ts";

/** The setting that an event changes, and the values that it sets. */
export type Change = { readonly action: SettingName; readonly params: ResolvedEvent["params"] };

/** A change of a setting, with the index of its event in the scenario. */
export interface SettingChange extends Change, ChangeBits {
  readonly index: number;
}

export function isChange(event: Pick<ResolvedEvent, "action" | "params">): event is Change {
  return isSetting(event.action);
}

/** Returns the setting changes of a scenario, in the order in which they are applied. */
export function settingChanges(scenario: readonly ResolvedEvent[]): SettingChange[] {
  const listed = scenario.flatMap((event, index) => (isChange(event) ? [{ index, event }] : []));
  const withBits = listed.map(({ index, event: { action, params } }, k) => {
    const replaces = listed.flatMap(({ event }, other) =>
      other !== k && isReplaced(event, { action, params }) ? [bitAt(other)] : [],
    );
    return { index, action, params, bit: bitAt(k), replaces };
  });
  const order = examinationOrder(scenario);
  return withBits.sort((a, b) => order.indexOf(a.index) - order.indexOf(b.index));
}

/**
 * Returns a function that reduces a mask to the changes of some settings. A change of a sensor is included only if it
 * changes the sensor of kind `sensor`.
 */
export function relevantBits(changes: readonly SettingChange[], settings: readonly SettingName[], sensor?: string) {
  const bits = changes
    .filter(({ action, params }) => settings.includes(action) && (action !== "sensor" || params["kind"] === sensor))
    .map(({ bit }) => bit);
  return (mask: number): number => bits.reduce((sum, bit) => (hasBit(mask, bit) ? sum + bit : sum), 0);
}

/** Returns the definition with the changes whose bits are set in a mask. */
export function definitionAt(definition: FlightDefinition, mask: number, registry: Registry): FlightDefinition {
  return settingChanges(definition.scenario)
    .filter(({ bit }) => hasBit(mask, bit))
    .reduce((now, change) => withChange(now, change, registry), definition);
}

/** Returns the definition with one change. Throws a typed error if the vehicle that results is not valid. */
export function withChange(now: FlightDefinition, { action, params }: Change, registry: Registry): FlightDefinition {
  const chosen = params as unknown as ChosenKind;
  switch (action) {
    case "wind":
      return { ...now, wind: changedKind(now.wind, chosen, registry.winds) };
    case "estimator":
      return { ...now, estimator: changedKind(now.estimator, chosen, registry.estimators) };
    case "integrator":
      return { ...now, integrator: changedKind(now.integrator, chosen, registry.integrators) };
    case "sensor":
      return {
        ...now,
        sensors: now.sensors.map((sensor) =>
          sensor.kind === chosen.kind ? changedKind(sensor, chosen, registry.sensors) : sensor,
        ),
      };
    case "vehicle": {
      const environment = buildEnvironment(now, registry);
      return { ...now, vehicle: changedVehicle(now.vehicle, params, environment) };
    }
    case "reseed":
      return { ...now, seed: params["seed"] as number };
  }
}

/** Returns the kind after a change: the same kind with other parameters, or another kind with its own defaults. */
function changedKind<Part, Context>(
  now: ChosenKind,
  change: ChosenKind,
  kinds: readonly Kind<Part, Context>[],
): ChosenKind {
  if (now.kind === change.kind) return { ...change, params: overlay(now.params, change.params, false) };
  const known = kinds.find(({ name, version }) => name === change.kind && version === change.version);
  const unused: Diagnostic[] = [];
  return known === undefined ? change : { ...change, params: checkParams(known.params, change.params, unused) };
}

/**
 * Returns the vehicle with the values of a change. Rotors that were calibrated to the vehicle's weight do not change:
 * dropping a payload changes the weight, not the propellers.
 */
function changedVehicle(now: Vehicle, change: PlainObject, environment: Environment): Vehicle {
  const vehicle = resolveVehicle(overlayVehicle(withCalibratedThrust(now, environment), change));
  // The flight has started, so the changed vehicle need not be able to hover.
  return { ...vehicle, initial: { ...vehicle.initial, hovering: false } };
}

/** Returns a vehicle with the values of a partial vehicle table. Lists of tables merge entry by entry. */
export function overlayVehicle(now: Vehicle, change: PlainObject): PlainObject {
  return overlay(withoutOtherInertia(now, change), change, true);
}

/** Removes the form of inertia that a change does not use: three moments with products, or nine entries. */
function withoutOtherInertia(now: PlainObject, change: PlainObject): PlainObject {
  const { inertiaKgM2, inertiaDiagKgM2, inertiaProductsKgM2, ...rest } = now;
  const isFull = Object.hasOwn(change, "inertiaKgM2");
  const isSplit = Object.hasOwn(change, "inertiaDiagKgM2") || Object.hasOwn(change, "inertiaProductsKgM2");
  return {
    ...rest,
    ...(isSplit ? {} : { inertiaKgM2 }),
    ...(isFull ? {} : { inertiaDiagKgM2, inertiaProductsKgM2 }),
  };
}

/** Whether a later change sets everything that an earlier one set. */
function isReplaced(earlier: Change, later: Change): boolean {
  if (placeOf(earlier) !== placeOf(later)) return false;
  if (earlier.params["kind"] !== later.params["kind"]) return true;
  const keys = keysOf(later);
  return keysOf(earlier).every((key) => keys.includes(key));
}

/** Whether a later change sets some, but not all, of the values that an earlier one set. */
export function isPartlyReplaced(earlier: Change, later: Change): boolean {
  if (placeOf(earlier) !== placeOf(later) || isReplaced(earlier, later)) return false;
  const keys = keysOf(later);
  return keysOf(earlier).some((key) => keys.includes(key));
}

/** Returns the section of the definition that a change edits. */
function placeOf({ action, params }: Change): string {
  return action === "sensor" ? `sensors.${String(params["kind"])}` : action;
}

const INERTIA = ["inertiaKgM2", "inertiaDiagKgM2", "inertiaProductsKgM2"];

/** Returns the paths of the values that a change sets, including the inertia keys that it removes. */
function keysOf({ action, params }: Change): string[] {
  const paths = pathsOf(action === "vehicle" || action === "reseed" ? params : (params["params"] as PlainObject));
  const removed = paths.includes("inertiaKgM2")
    ? INERTIA
    : paths.some((path) => INERTIA.includes(path))
      ? INERTIA.slice(0, 1)
      : [];
  return [...new Set([...paths, ...removed])];
}
