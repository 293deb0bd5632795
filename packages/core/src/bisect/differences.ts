/**
 * The differences between two descriptions, and descriptions that take some differences from each.
 *
 * A difference is the smallest thing that can be taken from either flight: a setting or an event. Settings that make
 * sense only together form a group: a section that names another kind, the items of a mission, the geometry in the
 * parameters of the control allocation, and the forms of the inertia.
 */
import { isPlainObject, type PlainObject } from "../params/index.ts";
import { canonicalJson } from "../describe/definition/canonical.ts";
import type { FlightDefinition } from "../describe/definition/definition.ts";
import { specOf } from "../describe/definition/definition-spec.ts";
import { keyPathText } from "../describe/spec/assign.ts";
import { alignEvents, type EventSlot } from "./event-slots.ts";

type Path = readonly (string | number)[];

/** One key of a description with its two values; undefined if the key is absent. */
export interface SettingValue {
  readonly path: Path;
  readonly good: unknown;
  readonly bad: unknown;
}

export interface SettingDifference {
  readonly kind: "setting";
  readonly key: string;
  readonly values: readonly SettingValue[];
}

/** An event that only one of the flights has, or that differs between them. */
export interface EventDifference {
  readonly kind: "event";
  readonly key: string;
  readonly slot: EventSlot;
}

export type FlightDifference = SettingDifference | EventDifference;

/** Keys that change no bit of the flight. */
const IGNORED_KEYS = ["name", "strictRates"];

/** Two flights, and every flight that takes some differences from the bad one and the rest from the good one. */
export class FlightMix {
  readonly differences: readonly FlightDifference[];
  private readonly good: PlainObject;
  private readonly slots: readonly EventSlot[];

  constructor(good: FlightDefinition, bad: FlightDefinition) {
    const { scenario: goodEvents = [], ...goodSettings } = specOf(good);
    const { scenario: badEvents = [], ...badSettings } = specOf(bad);
    this.good = goodSettings;
    this.slots = alignEvents(goodEvents as PlainObject[], badEvents as PlainObject[]);
    this.differences = [
      ...settingDifferences(withoutIgnoredKeys(goodSettings), withoutIgnoredKeys(badSettings)),
      ...this.slots.filter(({ isCommon }) => !isCommon).map(eventDifference),
    ];
  }

  /** Returns the good flight with some differences taken from the bad one. */
  specWith(fromBad: readonly FlightDifference[]): PlainObject {
    const values = fromBad.flatMap((difference) => (difference.kind === "setting" ? difference.values : []));
    const settings = values.reduce<unknown>((spec, { path, bad }) => withValue(spec, path, bad), this.good);
    const scenario = this.eventsWith(fromBad).map(({ spec }) => spec);
    return { ...(settings as PlainObject), ...(scenario.length === 0 ? {} : { scenario }) };
  }

  /**
   * Returns the number of a difference's event in the flight that `specWith` describes; −1 if the flight does not have
   * it.
   */
  eventNumber(fromBad: readonly FlightDifference[], { slot }: EventDifference): number {
    return this.eventsWith(fromBad).findIndex((event) => event.slot === slot);
  }

  private eventsWith(fromBad: readonly FlightDifference[]): { slot: EventSlot; spec: PlainObject }[] {
    const bad = new Set(fromBad.flatMap((difference) => (difference.kind === "event" ? [difference.slot] : [])));
    return this.slots.flatMap((slot) => {
      const event = bad.has(slot) ? slot.bad : slot.good;
      return event === undefined ? [] : [{ slot, spec: event.spec }];
    });
  }
}

function withoutIgnoredKeys(spec: PlainObject): PlainObject {
  return Object.fromEntries(Object.entries(spec).filter(([key]) => !IGNORED_KEYS.includes(key)));
}

function settingDifferences(good: PlainObject, bad: PlainObject): SettingDifference[] {
  const groups = new Map<string, SettingValue[]>();
  collectValues(good, bad, [], undefined, (group, value) => groups.set(group, [...(groups.get(group) ?? []), value]));
  return [...groups].map(([key, values]) => ({ kind: "setting", key, values }));
}

/** Finds the keys with different values. `group` is the group that contains them, if there is one. */
function collectValues(
  good: unknown,
  bad: unknown,
  path: Path,
  group: string | undefined,
  add: (group: string, value: SettingValue) => void,
): void {
  if (isSame(good, bad)) return;
  if (isPlainObject(good) && isPlainObject(bad)) {
    const enclosing = group ?? (good["kind"] === bad["kind"] ? undefined : keyPathText(path));
    for (const key of new Set([...Object.keys(good), ...Object.keys(bad)])) {
      // All autopilots with parameters use the same names, so parameters are not grouped if the kind differs.
      const inner = path.length === 1 && path[0] === "autopilot" && key === "parameters" ? undefined : enclosing;
      collectValues(good[key], bad[key], [...path, key], inner, add);
    }
  } else if (path[0] === "vehicle" && isListOfTables(good) && isListOfTables(bad) && good.length === bad.length) {
    good.forEach((entry, i) => collectValues(entry, bad[i], [...path, i], group, add));
  } else {
    add(group ?? groupOf(path), { path, good, bad });
  }
}

/** Returns the group of a key; a key without a group forms its own group. */
function groupOf(path: Path): string {
  const key = keyPathText(path);
  if (key.startsWith("autopilot.parameters.CA_")) return "autopilot.parameters.CA_*";
  return path.length === 2 && key.startsWith("vehicle.inertia") ? "vehicle.inertia*" : key;
}

function isListOfTables(value: unknown): value is readonly PlainObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isPlainObject);
}

function isSame(a: unknown, b: unknown): boolean {
  return a === undefined || b === undefined ? a === b : canonicalJson(a) === canonicalJson(b);
}

function eventDifference(slot: EventSlot): EventDifference {
  const { spec } = (slot.bad ?? slot.good)!;
  const name = spec["name"];
  return { kind: "event", key: typeof name === "string" ? `scenario.${name}` : `scenario: ${slot.action}`, slot };
}

/** Returns a copy with one value replaced, or removed if the new value is undefined. */
function withValue(node: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === "number") {
    return (node as readonly unknown[]).map((entry, i) => (i === step ? withValue(entry, rest, value) : entry));
  }
  const table = (node ?? {}) as PlainObject;
  const inner = withValue(table[step], rest, value);
  const others = Object.fromEntries(Object.entries(table).filter(([key]) => key !== step));
  return inner === undefined ? others : { ...table, [step]: inner };
}
