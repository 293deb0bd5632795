/**
 * Turns the scenario of a description into events: exact times, parsed conditions, checked parameters, every default
 * filled in.
 *
 * An event has one trigger (`at`, `step` or `when`), one action, and optionally a window (`for`). `snap = "autopilot"`
 * moves the event to the autopilot's next tick. A key that would have no effect is an error, e.g. a hold without a
 * condition, or a window on a request that runs once.
 */
import { didYouMean, type ParamTable, type PlainObject, show, timeDiagnostic } from "../../params/index.ts";
import { secondsToUs } from "../../time/index.ts";
import { SimError } from "../../errors/index.ts";
import {
  ACTION_NAMES,
  ACTIONS,
  type ActionName,
  type Condition,
  isEffect,
  isSetting,
  parseCondition,
  type ScenarioEvent,
  type SettingName,
} from "../../sources/scenario/index.ts";
import type { Diagnostics, FlightErrorName } from "../diagnostics.ts";
import { parseDurationText } from "../spec/duration-text.ts";
import { checkNames, readLabels } from "./event-labels.ts";
import { gotoInMetres, isGeodetic, type Place } from "./goto-spec.ts";

/** An event of a resolved flight. */
export type ResolvedEvent = ScenarioEvent;

/** The parts of an event that could be read. They can be checked even if another part has errors. */
export interface EventDraft extends Partial<Pick<ResolvedEvent, "trigger" | "action" | "params">> {
  /** The key of the event, e.g. `scenario[2]`. */
  readonly key: string;
  /** Absent if the event has errors. */
  readonly event?: ResolvedEvent;
}

export const MAX_EVENTS = 1000;
/** Comparisons in one condition. */
export const MAX_COMPARISONS = 32;

/** Keys of an event besides its action, with one sentence each. */
export const EVENT_KEYS = {
  at: 'The time at which the event happens, with its unit: "30 s", "250 ms", "1.5 min".',
  atS: "The same as `at`, in seconds.",
  step: "The number of the boundary at which the event happens; 0 is the first.",
  when: 'The condition that makes the event happen, e.g. "altitudeM > 10 and armed == 1".',
  from: "The time from which the condition is evaluated.",
  fromS: "The same as `from`, in seconds.",
  for: "How long the event's effect lasts; until the end of the flight if absent.",
  forS: "The same as `for`, in seconds.",
  holdS: "How long the condition must hold first, in seconds.",
  after: "Delay between the condition and the event.",
  afterS: "The same as `after`, in seconds.",
  repeats: "Whether the event happens again each time the condition becomes true again.",
  hysteresis: "Margin by which the condition must be false before the event can happen again, in the quantity's unit.",
  snap: '"autopilot" moves the event to the autopilot\'s next tick.',
  name: "A name for the event, unique in the flight: letters, digits, - and _, beginning with a letter.",
  note: "A sentence about the event, shown wherever the event is listed.",
} as const;
export const EVENT_TRIGGERS = ["at", "atS", "step", "when"] as const;
/** Sections of a description that no event can change, and the fix for each. */
const FIXED_SECTIONS = {
  timeline: "describe another flight with this timeline",
  environment: "describe another flight",
  autopilot: 'change its parameters: parameter = { name = "MPC_XY_CRUISE", value = 3 }',
  sensors: 'change one of the sensors that the flight has: sensor = { kind = "gnss", … }',
  seed: "write reseed = { seed = … }",
  stop: "describe another flight, or end this one with the action stop",
} as const;
/** Keys that are valid only with a condition. */
const WITH_CONDITION = ["from", "fromS", "holdS", "after", "afterS", "repeats", "hysteresis"] as const;

/** Reads the events of a description. `place` is absent if the environment has errors. */
export function resolveEvents(
  given: unknown,
  autopilotPeriodUs: number,
  place: Place | undefined,
  diagnostics: Diagnostics,
): EventDraft[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) {
    diagnostics.add(
      "wrongType",
      "scenario",
      "the scenario is not a list of events",
      "write [[scenario]] for each event",
    );
    return [];
  }
  if (given.length > MAX_EVENTS) {
    diagnostics.add("wrongLength", "scenario", `the scenario has ${given.length} events`, `use at most ${MAX_EVENTS}`);
    return [];
  }
  const drafts = given.flatMap((entry, index) => {
    const key = `scenario[${index}]`;
    const table = diagnostics.table(entry, key, 'e.g. { at = "30 s", motorOff = { motor = 2 } }');
    return table === undefined ? [] : new EventReader(table, key, autopilotPeriodUs, place, diagnostics).read();
  });
  checkNames(drafts, diagnostics);
  return drafts;
}

/** Reads one entry and collects all its errors. */
class EventReader {
  private readonly entry: PlainObject;
  private readonly key: string;
  private readonly tickUs: number;
  private readonly place: Place | undefined;
  private readonly diagnostics: Diagnostics;

  constructor(entry: PlainObject, key: string, tickUs: number, place: Place | undefined, diagnostics: Diagnostics) {
    this.entry = entry;
    this.key = key;
    this.tickUs = tickUs;
    this.place = place;
    this.diagnostics = diagnostics;
  }

  read(): EventDraft {
    const before = this.diagnostics.count;
    const trigger = this.diagnostics.unlessDiagnosed(() => this.readTrigger());
    const action = this.diagnostics.unlessDiagnosed(() => this.readAction());
    const forUs = this.readDurationUs("for", "forS", false);
    const repeats = this.readFlag("repeats");
    const labels = readLabels(this.entry, this.key, this.diagnostics);
    this.checkUnusedKeys(trigger, action?.action, forUs, action?.params);
    const draft = { key: this.key, ...(trigger === undefined ? {} : { trigger }), ...action };
    if (this.diagnostics.count > before || trigger === undefined || action === undefined) return draft;
    return { ...draft, event: { ...labels, trigger, ...(forUs === undefined ? {} : { forUs }), repeats, ...action } };
  }

  /** Reports keys that would be ignored, and actions that would have no effect. */
  private checkUnusedKeys(
    trigger: ResolvedEvent["trigger"] | undefined,
    action: ActionName | undefined,
    forUs: number | undefined,
    params: PlainObject | undefined,
  ): void {
    if (trigger !== undefined && trigger.at !== "condition") {
      for (const name of WITH_CONDITION) {
        if (this.entry[name] !== undefined)
          this.report(
            "inconsistent",
            name,
            `"${name}" needs a condition`,
            `add \`when\` to the event, or leave "${name}" out`,
          );
      }
    }
    if (trigger?.at === "step" && this.entry["snap"] !== undefined) {
      this.report(
        "inconsistent",
        "snap",
        "an event at a numbered boundary cannot be moved",
        "leave snap out, or use a time",
      );
    }
    if (action === undefined) return;
    const window = this.entry["for"] === undefined ? "forS" : "for";
    if (forUs !== undefined && !isEffect(action)) {
      this.report("inconsistent", window, `"${action}" happens once, so it has no duration`, `leave "${window}" out`);
    }
    if (action === "gust" && params?.["shape"] === "one-minus-cosine" && forUs === undefined) {
      this.report("missing", "forS", "a gust that rises and falls needs a window", "add forS");
    }
    if (action === "sticks") this.checkSeries(params?.["series"] as PlainObject | undefined);
    if ((action === "parameter" || isSetting(action)) && this.entry["repeats"] === true) {
      const what = action === "parameter" ? "a parameter is set once" : "a setting changes once per event";
      this.report("inconsistent", "repeats", what, "leave repeats out");
    }
  }

  /** Reports times of stick movements that are not exact or not after the event, and lists of different lengths. */
  private checkSeries(series: PlainObject | undefined): void {
    const { timesS, ...axes } = (series ?? {}) as Readonly<Record<string, readonly number[] | undefined>>;
    if (timesS === undefined) return;
    timesS.forEach((timeS, i) => this.toExactUs(timeS, `sticks.series.timesS[${i}]`, false));
    for (const [name, positions] of Object.entries(axes)) {
      if (positions === undefined || positions.length === 0 || positions.length === timesS.length) continue;
      this.report(
        "wrongLength",
        `sticks.series.${name}`,
        `the list has ${positions.length} positions for ${timesS.length} times`,
        "give one position per time, or leave the list out",
      );
    }
  }

  private readTrigger(): ResolvedEvent["trigger"] | undefined {
    const given = EVENT_TRIGGERS.filter((name) => this.entry[name] !== undefined);
    if (given.length !== 1) {
      const what =
        given.length === 0 ? "the event has no trigger" : `the event has the triggers ${given.join(" and ")}`;
      return this.report("badTrigger", "", what, "use one of: at, step, when");
    }
    const snapUs = this.readSnapUs();
    switch (given[0]) {
      case "step":
        return this.readStep();
      case "when":
        return this.readCondition(snapUs);
      default: {
        const tUs = this.readDurationUs("at", "atS", true);
        if (tUs === undefined) return undefined;
        return { at: "time", tUs: snapUs === 0 ? tUs : Math.ceil(tUs / snapUs) * snapUs };
      }
    }
  }

  private readSnapUs(): number {
    const { snap } = this.entry;
    if (snap === undefined) return 0;
    if (snap !== "autopilot")
      this.report("unknownChoice", "snap", `an event cannot snap to ${show(snap)}`, 'use "autopilot"');
    return this.tickUs;
  }

  private readStep(): ResolvedEvent["trigger"] | undefined {
    const { step } = this.entry;
    if (typeof step === "number" && Number.isSafeInteger(step) && step >= 0) return { at: "step", boundary: step };
    return this.report(
      "notWhole",
      "step",
      `${show(step)} is not the number of a boundary`,
      "use an integer of 0 or more",
    );
  }

  private readCondition(snapUs: number): ResolvedEvent["trigger"] | undefined {
    const { when, hysteresis = 0 } = this.entry;
    if (typeof when !== "string")
      return this.report("wrongType", "when", `${show(when)} is not a condition`, 'write e.g. when = "altitudeM > 10"');
    const condition = parseCondition(when);
    if (!isCondition(condition)) return this.report("badCondition", "when", condition.what, condition.fix);
    if (condition.length > MAX_COMPARISONS) {
      const what = `the condition has ${condition.length} comparisons`;
      return this.report("wrongLength", "when", what, `use at most ${MAX_COMPARISONS}`);
    }
    if (typeof hysteresis !== "number" || !(hysteresis >= 0) || !Number.isFinite(hysteresis)) {
      return this.report(
        "outOfRange",
        "hysteresis",
        `${show(hysteresis)} is not a hysteresis`,
        "use a number of 0 or more, in the quantity's unit",
      );
    }
    const fromUs = this.readDurationUs("from", "fromS", true);
    return {
      at: "condition",
      condition,
      ...(fromUs === undefined ? {} : { fromUs }),
      holdUs: this.readDurationUs("", "holdS", true) ?? 0,
      hysteresis,
      afterUs: this.readDurationUs("after", "afterS", true) ?? 0,
      snapUs,
    };
  }

  private readAction(): Pick<ResolvedEvent, "action" | "params"> | undefined {
    const names = Object.keys(this.entry).filter((name) => !Object.hasOwn(EVENT_KEYS, name));
    const known = names.filter((name) => (ACTION_NAMES as readonly string[]).includes(name)) as ActionName[];
    for (const name of names) {
      if ((known as readonly string[]).includes(name)) continue;
      if (Object.hasOwn(FIXED_SECTIONS, name)) {
        const fix = FIXED_SECTIONS[name as keyof typeof FIXED_SECTIONS];
        this.report("fixedInFlight", name, `the section "${name}" cannot change in flight`, fix);
        continue;
      }
      const all = [...ACTION_NAMES, ...Object.keys(EVENT_KEYS)];
      const fix = didYouMean(name, all, `actions: ${ACTION_NAMES.join(", ")}`);
      this.report("unknownKey", name, `${show(name)} is neither a trigger nor an action`, fix);
    }
    if (known.length !== 1) {
      if (names.length > known.length) return undefined;
      const what = known.length === 0 ? "the event has no action" : `the event has the actions ${known.join(" and ")}`;
      return this.report("badAction", "", what, `use one of: ${ACTION_NAMES.join(", ")}`);
    }
    const action = known[0]!;
    const value = this.entry[action];
    if (isSetting(action) && action !== "reseed") return this.readSetting(action, value);
    const key = `${this.key}.${action}`;
    const given = this.diagnostics.table(value === true ? {} : value, key, howToWrite(action));
    if (given === undefined) return undefined;
    const isPlace = action === "goto" && isGeodetic(given);
    const params = isPlace ? gotoInMetres(given, key, this.place, this.diagnostics) : given;
    return params && { action, params: this.diagnostics.params(ACTIONS[action].params, params, key) };
  }

  /** Returns the table as written; it is checked with the section that it changes. A bare name is short for a kind. */
  private readSetting(action: SettingName, value: unknown): Pick<ResolvedEvent, "action" | "params"> | undefined {
    const isNamed = typeof value === "string" && action !== "vehicle";
    const example = action === "vehicle" ? "vehicle = { massKg = 1.2 }" : `${action} = { kind = … }`;
    const given = isNamed ? { kind: value } : value;
    const params = this.diagnostics.table(given, `${this.key}.${action}`, `write e.g. ${example}`);
    return params && { action, params: params as ResolvedEvent["params"] };
  }

  private readFlag(name: string): boolean {
    const value = this.entry[name];
    if (value === undefined || typeof value === "boolean") return value ?? false;
    this.report("wrongType", name, `${show(value)} is not a boolean`, "use true or false");
    return false;
  }

  /**
   * Reads a duration, given as text under `textName` or as seconds under `secondsName`. If `textName` is empty, only
   * seconds are accepted.
   */
  private readDurationUs(textName: string, secondsName: string, allowsZero: boolean): number | undefined {
    const hasText = textName !== "" && this.entry[textName] !== undefined;
    if (hasText && this.entry[secondsName] !== undefined) {
      return this.report(
        "inconsistent",
        textName,
        `the event has both ${textName} and ${secondsName}`,
        "use one of them",
      );
    }
    const name = hasText ? textName : secondsName;
    const value = this.entry[name];
    if (value === undefined) return undefined;
    const seconds = name === secondsName ? value : parseDurationText(value, "with unit");
    if (typeof seconds !== "number") {
      return this.report(
        "wrongType",
        name,
        `${show(value)} is not a time`,
        textName === "" ? `write e.g. ${secondsName} = 2` : `write e.g. ${textName} = "30 s" or ${secondsName} = 30`,
      );
    }
    return this.toExactUs(seconds, name, allowsZero);
  }

  /** Converts seconds to microseconds. Reports a time that is not exact, or too short. */
  private toExactUs(seconds: number, name: string, allowsZero: boolean): number | undefined {
    try {
      const us = secondsToUs(seconds, name);
      if (us > 0 || (allowsZero && us === 0)) return us;
      return this.report(
        "outOfRange",
        name,
        `${seconds} s is too short`,
        allowsZero ? "use 0 or more" : "use at least 1 µs",
      );
    } catch (error) {
      if (!(error instanceof SimError)) throw error;
      const { code, what, fix } = timeDiagnostic(error, seconds);
      return this.report(code, name, what, fix);
    }
  }

  private report(code: FlightErrorName, name: string, what: string, fix: string): undefined {
    return this.diagnostics.add(code, name === "" ? this.key : `${this.key}.${name}`, what, fix);
  }
}

/** Shows how to write an action: `motorLoss = { motor = …, gain = … }` with its required parameters, if it has any. */
function howToWrite(action: ActionName): string {
  const required = Object.entries(ACTIONS[action].params as ParamTable)
    .filter(([, param]) => param.default === undefined)
    .map(([name]) => `${name} = …`);
  return required.length === 0
    ? `write ${action} = true, or a table of its parameters`
    : `write ${action} = { ${required.join(", ")} }`;
}

function isCondition(parsed: ReturnType<typeof parseCondition>): parsed is Condition {
  return Array.isArray(parsed);
}
