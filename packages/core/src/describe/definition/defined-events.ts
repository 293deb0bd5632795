/**
 * Checks the events of a flight definition that comes from outside: times in microseconds, parsed conditions, all
 * parameters. `scenario-spec.ts` makes such events from a user's description; both files use the tables of the actions.
 */
import { defineParams, isPlainObject, type ParamTable, type PlainObject, show } from "../../params/index.ts";
import { QUANTITY_NAMES } from "../../quantities/index.ts";
import { ACTION_NAMES, ACTIONS, COMPARATORS, isEffect, isSetting } from "../../sources/scenario/index.ts";
import type { Diagnostics } from "../diagnostics.ts";
import { checkNames, readLabels } from "../sections/event-labels.ts";
import { type EventDraft, MAX_COMPARISONS, MAX_EVENTS, type ResolvedEvent } from "../sections/scenario-spec.ts";
import { MAX_STANDING_EVENTS } from "../sections/standing-events.ts";

/** Times in a description are below 10⁸ s. */
const MAX_TIME_US = 1e14;

const time = (about: string) =>
  ({ type: "number", unit: "us", integer: true, min: 0, max: MAX_TIME_US, about }) as const;
const at = { type: "choice", options: ["time", "step", "condition"], about: "The trigger." } as const;

const TRIGGERS = {
  time: defineParams({ at, tUs: time("The time at which it happens.") }),
  step: defineParams({ at, boundary: { ...time("The boundary at which it happens."), unit: "count" } }),
  condition: defineParams({
    at,
    condition: {
      type: "sections",
      minLength: 1,
      maxLength: MAX_COMPARISONS,
      about: "Comparisons that must all hold.",
      table: {
        quantity: { type: "choice", options: QUANTITY_NAMES, about: "The quantity to compare." },
        comparator: { type: "choice", options: COMPARATORS, about: "The comparison." },
        value: { type: "number", unit: "1", about: "The value to compare with." },
      },
    },
    holdUs: time("How long it must have held."),
    hysteresis: { type: "number", unit: "1", min: 0, about: "Margin before it may happen again." },
    afterUs: time("Delay between the condition and the event."),
    snapUs: time("Period of the ticks that it moves to."),
  }),
} as const;

const eventTable = defineParams({
  repeats: { type: "boolean", about: "Whether it may happen again." },
  action: { type: "choice", options: ACTION_NAMES, about: "What happens." },
});
const fromTable = defineParams({ fromUs: time("The time from which the condition is evaluated.") });
const windowTable = defineParams({ forUs: { ...time("How long its effect lasts."), min: 1 } });

/** Returns one draft per event, in order; a draft with errors has no `event`. */
export function checkDefinedEvents(given: unknown, diagnostics: Diagnostics): EventDraft[] {
  const maxEvents = MAX_EVENTS + MAX_STANDING_EVENTS;
  if (!Array.isArray(given) || given.length > maxEvents) {
    const what = Array.isArray(given)
      ? `the list has ${given.length} events`
      : `${show(given)} is not a list of events`;
    diagnostics.add("wrongLength", "scenario", what, `use a list of at most ${maxEvents} events`);
    return [];
  }
  const drafts = given.map((entry, i) => eventDraft(entry, `scenario[${i}]`, diagnostics));
  checkNames(drafts, diagnostics);
  return drafts;
}

function eventDraft(entry: unknown, key: string, diagnostics: Diagnostics): EventDraft {
  const before = diagnostics.count;
  const table = <T extends ParamTable>(rows: T, value: unknown, path: string, also: readonly string[] = []) => {
    const given = diagnostics.table(value, path);
    return given && diagnostics.params(rows, given, path, also);
  };
  const basic = table(eventTable, entry, key, ["trigger", "params", "forUs", "name", "note"]);
  if (basic?.action === undefined) return { key };
  const { trigger: givenTrigger, params: givenParams, forUs: givenFor } = entry as PlainObject;
  const kind = isPlainObject(givenTrigger) ? givenTrigger["at"] : undefined;
  const fromUs = kind === "condition" ? (givenTrigger as PlainObject)["fromUs"] : undefined;
  const optional = fromUs === undefined ? {} : fromTable;
  const rows = isTrigger(kind) ? { ...TRIGGERS[kind], ...optional } : { at };
  const trigger = table(rows, givenTrigger, `${key}.trigger`);
  // Settings are checked with the section that they change.
  const isCheckedLater = isSetting(basic.action) && basic.action !== "reseed";
  const params = isCheckedLater
    ? diagnostics.table(givenParams, `${key}.params`)
    : table(ACTIONS[basic.action].params as ParamTable, givenParams, `${key}.params`);
  const window = givenFor === undefined ? {} : table(windowTable, { forUs: givenFor }, key);
  if (givenFor !== undefined && !isEffect(basic.action)) {
    diagnostics.add("inconsistent", `${key}.forUs`, `"${basic.action}" happens once and has no window`, "remove forUs");
  }
  if (basic.action === "gust" && params?.["shape"] === "one-minus-cosine" && givenFor === undefined) {
    diagnostics.add("missing", `${key}.forUs`, "a gust that rises and falls needs a window", "add forUs");
  }
  const labels = readLabels(entry as PlainObject, key, diagnostics);
  if (diagnostics.count > before) return { key };
  const event = { ...labels, ...basic, ...window, trigger, params } as unknown as ResolvedEvent;
  return { key, trigger: event.trigger, action: event.action, params: event.params, event };
}

function isTrigger(kind: unknown): kind is keyof typeof TRIGGERS {
  return typeof kind === "string" && Object.hasOwn(TRIGGERS, kind);
}
