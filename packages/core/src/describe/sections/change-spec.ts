/**
 * Reads the setting changes of a scenario. Each change is checked against the tables of its setting, with all earlier
 * changes applied.
 *
 * A description writes a change like the section itself (`wind = { kind = "dryden", w20Mps = 8 }`); a definition holds
 * kind, version and parameters. This file reads both forms. A change that keeps the kind sets only the parameters that
 * it names; a change to another kind sets all parameters. A change that would alter the layout of the state or the
 * timing of a source is rejected.
 */
import { isPlainObject, type Kind, oneOfNames, type PlainObject, show } from "../../params/index.ts";
import { MAX_BITS } from "../../engine/index.ts";
import { readVehicle, type Vehicle } from "../../multirotor/vehicle.ts";
import { examinationOrder, type SettingName } from "../../sources/scenario/index.ts";
import { checkConsistency } from "../resolve/consistency.ts";
import { type ChosenKind, type FlightDefinition } from "../definition/definition.ts";
import { Diagnostics } from "../diagnostics.ts";
import { withDefaultDelay } from "./estimator-spec.ts";
import { chosenTable, findKind } from "./kind-spec.ts";
import { overlay, pickGiven } from "../build/overlay.ts";
import { type Registry, steppingOf } from "../registry.ts";
import type { EventDraft } from "./scenario-spec.ts";
import { type Change, isChange, isPartlyReplaced, overlayVehicle } from "../build/setting-changes.ts";

/** The sections that changes edit; a section with errors is absent. */
type Sections = Partial<FlightDefinition>;

interface ChangeOptions {
  readonly registry: Registry;
  readonly diagnostics: Diagnostics;
  readonly strictRates: boolean;
  /** `written`: as in a description; `defined`: as in a definition. */
  readonly form: "written" | "defined";
}

/** Returns the drafts with their setting changes resolved. */
export function resolveChanges(drafts: readonly EventDraft[], start: Sections, options: ChangeOptions): EventDraft[] {
  const reader = new ChangeReader(start, options);
  const resolved = [...drafts];
  for (const i of examinationOrder(drafts)) resolved[i] = reader.read(drafts[i]!);
  reader.checkOrder(resolved);
  return resolved;
}

/** Key under which a description or definition holds a change, and the key of its parameters. */
interface ChangeKeys {
  readonly change: string;
  readonly params: string;
}

class ChangeReader {
  private now: Sections;
  private readonly registry: Registry;
  private readonly diagnostics: Diagnostics;
  private readonly options: ChangeOptions;
  private count = 0;

  constructor(start: Sections, options: ChangeOptions) {
    this.now = start;
    this.registry = options.registry;
    this.diagnostics = options.diagnostics;
    this.options = options;
  }

  read(draft: EventDraft): EventDraft {
    const { action, params } = draft;
    if (action === undefined || params === undefined || !isChange({ action, params })) return draft;
    this.count += 1;
    if (this.count === MAX_BITS + 1) {
      const what = `the scenario has more than ${MAX_BITS} setting changes`;
      this.diagnostics.add("wrongLength", `${draft.key}.${action}`, what, `use at most ${MAX_BITS} in one flight`);
    }
    const before = this.now;
    const change = this.diagnostics.unlessDiagnosed(() => this.readChange(draft, { action, params } as Change));
    const { event, params: _given, ...rest } = draft;
    if (change === undefined) return rest;
    this.checkTogether(before, draft.key, action as SettingName);
    return {
      ...rest,
      params: change as never,
      ...(event === undefined ? {} : { event: { ...event, params: change as never } }),
    };
  }

  /**
   * Reports changes whose order is known only during the flight, if the result would depend on the order: the mask of
   * active changes does not record it.
   */
  checkOrder(drafts: readonly EventDraft[]): void {
    const changes = drafts.flatMap(({ key, event }) =>
      event !== undefined && isChange(event) ? [{ key, event }] : [],
    );
    changes.forEach(({ key, event }, k) => {
      for (const { key: otherKey, event: other } of changes.slice(0, k)) {
        if (event.trigger.at === "time" && other.trigger.at === "time") continue;
        const [a, b] = [event as Change, other as Change];
        if (!isPartlyReplaced(a, b) && !isPartlyReplaced(b, a)) continue;
        this.diagnostics.add(
          "inconsistent",
          `${key}.${event.action}`,
          `this event and ${otherKey} set the same value, and their order is known only during the flight`,
          "set the same keys in both, or give both a time",
        );
        return;
      }
    });
  }

  private readChange(draft: EventDraft, { action, params }: Change): PlainObject | undefined {
    const key = this.options.form === "written" ? `${draft.key}.${action}` : `${draft.key}.params`;
    const { now, registry } = this;
    switch (action) {
      case "wind":
        return this.readKindChange("wind", registry.winds, now.wind, params, key);
      case "estimator":
        return this.readKindChange("estimator", registry.estimators, now.estimator, params, key);
      case "integrator":
        return this.readKindChange("integrator", registry.integrators, now.integrator, params, key);
      case "sensor":
        return this.readSensorChange(params, key);
      case "vehicle":
        return this.readVehicleChange(params, key);
      case "reseed":
        return params;
    }
  }

  private readKindChange<Part, Context>(
    section: "wind" | "estimator" | "integrator",
    kinds: readonly Kind<Part, Context>[],
    now: ChosenKind | undefined,
    given: PlainObject,
    key: string,
  ): PlainObject | undefined {
    const changed = this.readChangedKind(kinds, now, given, key);
    if (changed === undefined) return undefined;
    this.now = { ...this.now, [section]: changed.after };
    return changed.change;
  }

  /**
   * Returns a change of a kind, and the kind with all its parameters after the change. Undefined if the section has
   * errors.
   */
  private readChangedKind<Part, Context>(
    kinds: readonly Kind<Part, Context>[],
    now: ChosenKind | undefined,
    given: PlainObject,
    key: string,
  ): { readonly change: ChosenKind; readonly after: ChosenKind } | undefined {
    const { diagnostics } = this;
    const { kind: name = now?.kind, version, params, keys } = this.partsOf(given, key);
    if (diagnostics.count > 0 && name === undefined) return undefined;
    const found = findKind(kinds, name);
    if (typeof found === "string") {
      if (this.options.form === "defined") return this.uncheckedChange(given);
      return diagnostics.add("unknownKind", `${keys.change}.kind`, `unknown kind ${show(name)}`, found);
    }
    if (version !== undefined && version !== found.version) return this.uncheckedChange(given);
    const isSame = now?.kind === found.name;
    if (isSame && Object.keys(params).length === 0) {
      const what = `this changes nothing: the kind is already "${found.name}"`;
      return diagnostics.add("missing", keys.change, what, "give the parameters to change, or another kind");
    }
    const complete = isSame ? overlay(now.params, params, false) : this.withDefaults(kinds, found.name, params);
    const also = this.options.form === "written" ? ["kind"] : [];
    const checked = diagnostics.unlessDiagnosed(() => diagnostics.params(found.params, complete, keys.params, also));
    if (checked === undefined) return undefined;
    const chosen = { kind: found.name, version: found.version };
    return {
      change: { ...chosen, params: isSame ? pickGiven(checked, params, false) : checked },
      after: { ...chosen, params: checked },
    };
  }

  /** Returns the parameters of a kind that replaces another, with the defaults that depend on the timeline. */
  private withDefaults(kinds: readonly unknown[], kind: string, params: PlainObject): PlainObject {
    return kinds === this.registry.estimators ? withDefaultDelay(kind, params, this.now.timeline) : params;
  }

  /**
   * Returns the change to a kind that this registry does not have, or has in another version. Its parameters are not
   * checked.
   */
  private uncheckedChange(given: PlainObject): { readonly change: ChosenKind; readonly after: ChosenKind } {
    const chosen = given as unknown as ChosenKind;
    return { change: chosen, after: chosen };
  }

  private partsOf(
    given: PlainObject,
    key: string,
  ): { kind?: unknown; version?: number; params: PlainObject; keys: ChangeKeys } {
    const { diagnostics } = this;
    if (this.options.form === "written") {
      const { kind, ...params } = given;
      return { kind, params, keys: { change: key, params: key } };
    }
    const { kind, version } = diagnostics.params(chosenTable, given, key, ["params"]);
    const keys = { change: key, params: `${key}.params` };
    return { kind, version, params: diagnostics.table(given["params"], keys.params) ?? {}, keys };
  }

  /**
   * Reads a change of the settings of a sensor. The flight must have the sensor from its start, and the sensor's period
   * cannot change, because the flight's schedule, which contains the sensor's ticks, is fixed.
   */
  private readSensorChange(given: PlainObject, key: string): PlainObject | undefined {
    const { diagnostics, registry } = this;
    const { sensors } = this.now;
    const { kind, params, keys } = this.partsOf(given, key);
    const names = registry.sensors.map(({ name }) => name);
    if (typeof kind !== "string" || !names.includes(kind)) {
      const what = kind === undefined ? "the change names no sensor" : `unknown sensor ${show(kind)}`;
      return diagnostics.add("unknownKind", `${keys.change}.kind`, what, oneOfNames(kind, names));
    }
    if (sensors === undefined) return undefined;
    const now = sensors.find((sensor) => sensor.kind === kind);
    if (now === undefined) {
      const fix = `write sensors.${kind} = true, so that the flight has it from the start`;
      return diagnostics.add("inconsistent", `${keys.change}.kind`, `this flight has no ${kind}`, fix);
    }
    if (Object.hasOwn(params, "periodS") && params["periodS"] !== now.params["periodS"]) {
      this.reject(`${keys.params}.periodS`, "the period of a sensor", "leave it out, or set it under sensors");
    }
    const changed = this.readChangedKind(registry.sensors, now, given, key);
    if (changed === undefined) return undefined;
    this.now = {
      ...this.now,
      sensors: sensors.map((sensor) => (sensor.kind === kind ? changed.after : sensor)),
    };
    return changed.change;
  }

  private readVehicleChange(given: PlainObject, key: string): PlainObject | undefined {
    const { diagnostics } = this;
    const { vehicle } = this.now;
    this.rejectStart(given, key);
    if (vehicle === undefined) return undefined;
    const { extends: _base, initial: _initial, ...rest } = given;
    const changed = diagnostics.unlessDiagnosed(() =>
      diagnostics.collectFrom((found) => readVehicle(overlayVehicle(vehicle, rest), found, key)),
    );
    if (changed === undefined) return undefined;
    this.rejectStructure(vehicle, changed, key);
    if (Object.keys(given).length === 0)
      diagnostics.add("missing", key, "this changes nothing", "give the parameters to change, e.g. massKg");
    this.now = { ...this.now, vehicle: changed };
    return pickGiven(changed, rest, true);
  }

  /** Rejects values that describe only the start of a flight. */
  private rejectStart(given: PlainObject, key: string): void {
    if (given["extends"] !== undefined)
      this.reject(`${key}.extends`, "the vehicle as a whole", "give the values that change");
    if (given["initial"] !== undefined) this.reject(`${key}.initial`, "the state at the start", "leave initial out");
    const { batteries } = given;
    if (!Array.isArray(batteries)) return;
    batteries.forEach((battery, i) => {
      for (const name of ["soc", "v1V"]) {
        if (!isPlainObject(battery) || battery[name] === undefined) continue;
        this.reject(`${key}.batteries[${i}].${name}`, "the charge at the start", `leave ${name} out`);
      }
    });
  }

  /** Rejects changes after which the state, the signals or the input would have a different layout. */
  private rejectStructure(now: Vehicle, changed: Vehicle, key: string): void {
    for (const list of ["rotors", "servos", "batteries", "buses"] as const) {
      if (changed[list].length === now[list].length) continue;
      this.reject(
        `${key}.${list}`,
        `the number of ${list}`,
        `list all ${now[list].length}; an empty table does not change its entry`,
      );
    }
    const isLinear = ({ propulsion }: Vehicle) => propulsion.level === "linear";
    if (isLinear(now) !== isLinear(changed)) {
      const fix = "change between reference and momentum, whose rotors have a speed, or leave the level out";
      this.reject(`${key}.propulsion.level`, "whether rotors have a speed", fix);
    }
    for (const actuator of ["motorActuator", "servoActuator"] as const) {
      const isSecond = (vehicle: Vehicle) => vehicle[actuator].kind === "secondOrder";
      if (isSecond(now) === isSecond(changed)) continue;
      const fix = "choose the order for the whole flight: a change to or from secondOrder would add or remove states";
      this.reject(`${key}.${actuator}.kind`, "the order of an actuator", fix);
    }
    const hasSecondPair = ({ batteries }: Vehicle) => batteries.some(({ r2Ohm }) => r2Ohm > 0);
    if (hasSecondPair(now) !== hasSecondPair(changed)) {
      const fix =
        "give a battery a second RC pair (r2Ohm above 0) from the start, with a small resistance if necessary";
      this.reject(`${key}.batteries`, "the number of RC pairs", fix);
    }
  }

  private reject(key: string, what: string, fix: string): void {
    this.diagnostics.add("fixedInFlight", key, `${what} cannot change in flight`, fix);
  }

  /** Checks the rules across sections, unless they were already violated before the change. */
  private checkTogether(before: Sections, eventKey: string, action: SettingName): void {
    const violatesRules = (sections: Sections, diagnostics: Diagnostics) => {
      const { count } = diagnostics;
      const { strictRates } = this.options;
      const context = { strictRates, stepping: steppingOf(this.registry, sections.integrator) };
      checkConsistency(sections, context, diagnostics);
      return diagnostics.count > count;
    };
    const discarded = new Diagnostics(() => ({ layer: { file: "", spec: {} }, key: "" }));
    if (!violatesRules(before, discarded))
      violatesRules(this.now, this.diagnostics.withKeys(changeKey(eventKey, action)));
  }
}

/**
 * Maps a key of the flight to the key in the change that set it, or to the change itself if the change did not set it.
 */
export function changeKey(eventKey: string, action: SettingName): (key: string) => string {
  const own = `${eventKey}.${action}`;
  const section = action === "sensor" ? /^sensors\.[^.]*/ : new RegExp(`^${action}(?=[.[]|$)`);
  return (key) => (section.test(key) ? own + key.replace(section, "") : own);
}
