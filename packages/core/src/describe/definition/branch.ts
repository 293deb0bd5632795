/**
 * A branch of a flight: the parent's description with different events from a given instant on.
 *
 * A branch is an ordinary description. It can be read, saved, shared and flown from its start. Continuing from a
 * checkpoint of its parent (`run/session/graft.ts`) saves time and changes no bit of the result.
 */
import type { PlainObject } from "../../params/index.ts";
import type { ResolvedFlight } from "./definition.ts";
import { eventSpec, specOf, splitEvents } from "./definition-spec.ts";
import { flightErrors } from "../errors.ts";
import { coreRegistry, type Registry } from "../registry.ts";
import { isResolvedWith, resolveOtherEvents } from "../resolve/other-events.ts";
import { mustResolve, type Resolution, resolveFlight } from "../resolve/resolve.ts";
import { EVENT_TRIGGERS, type ResolvedEvent } from "../sections/scenario-spec.ts";

/** The changes of a branch. */
export interface BranchEdit {
  /** The instant from which the branch may differ from its parent. */
  readonly atUs: number;
  /** Events to add, as in a description. An event without a trigger happens at the instant. */
  readonly events?: readonly PlainObject[];
  /** Indices, from 0, of the events in the parent's description to leave out. */
  readonly without?: readonly number[];
  readonly name?: string;
  /** The end of the branch's timeline; the parent's end if absent. */
  readonly endS?: number;
}

/**
 * Resolves a branch. If it has errors, throws one typed error that lists them all. An added or removed event that can
 * act before the instant is an error.
 */
export function resolveBranch(
  parent: ResolvedFlight,
  edit: BranchEdit,
  registry: Registry = coreRegistry,
): ResolvedFlight {
  const { atUs, without = [] } = edit;
  const { own, first } = splitEvents(parent.definition);
  for (const number of without) if (own[number] === undefined) throw missingEventError(number, own.length);
  const kept = own.filter((_, i) => !without.includes(i));
  const added = (edit.events ?? []).map((event) => (hasTrigger(event) ? event : { atS: atUs / 1e6, ...event }));
  const events = [...kept.map(eventSpec), ...added];
  const { settings, ...found } = mustResolve(
    canKeepSections(parent, edit, registry)
      ? resolveOtherEvents(parent, events, registry, FILE)
      : resolveWhole(parent, edit, events, registry),
  );
  const addedFrom = first + kept.length;
  const isPast = (event: ResolvedEvent) => earliestUs(event) < atUs;
  const addedPast = found.definition.scenario.slice(addedFrom, addedFrom + added.length).find(isPast);
  if (addedPast !== undefined) throw pastEventError(addedPast, atUs, "added");
  const removedPast = without.map((number) => own[number]!).find(isPast);
  if (removedPast !== undefined) throw pastEventError(removedPast, atUs, "removed");
  return { ...found, judged: parent.judged, settings: { ...settings, vehicle: parent.settings.vehicle } };
}

/** The name of a branch's description in errors. */
const FILE = "branch";

function canKeepSections({ definition }: ResolvedFlight, { name, endS }: BranchEdit, registry: Registry): boolean {
  return name === undefined && endS === undefined && isResolvedWith(definition, registry);
}

function resolveWhole(
  { definition }: ResolvedFlight,
  { name, endS }: BranchEdit,
  scenario: readonly PlainObject[],
  registry: Registry,
): Resolution {
  const spec = specOf(definition);
  const branch = {
    ...spec,
    ...(name === undefined ? {} : { name }),
    ...(endS === undefined ? {} : { timeline: { ...(spec["timeline"] as PlainObject), endS } }),
    scenario,
  };
  return resolveFlight({ file: FILE, spec: branch }, registry, undefined, undefined, true);
}

/** Returns the earliest time at which an event can have an effect; −1 if the time is not known before the flight. */
export function earliestUs({ trigger }: ResolvedEvent): number {
  if (trigger.at === "time") return trigger.tUs;
  return trigger.at === "condition" ? (trigger.fromUs ?? -1) : -1;
}

function hasTrigger(event: PlainObject): boolean {
  return EVENT_TRIGGERS.some((key) => event[key] !== undefined);
}

function missingEventError(number: number, count: number): Error {
  return flightErrors.badBranch({
    what: `the flight has no event ${number}`,
    where: { key: "without" },
    fix: count === 0 ? "leave `without` empty: the description lists no events" : `use a number from 0 to ${count - 1}`,
  });
}

function pastEventError({ trigger, action }: ResolvedEvent, atUs: number, change: "added" | "removed"): Error {
  const when = trigger.at === "time" ? `at ${trigger.tUs / 1e6} s` : "at a time that is not known in advance";
  const later =
    trigger.at === "condition" ? `give it fromS = ${atUs / 1e6} or later` : `give it a time from ${atUs / 1e6} s on`;
  return flightErrors.badBranch({
    what: `the branch begins at ${atUs / 1e6} s, but "${action}", which it ${change === "added" ? "adds" : "leaves out"}, happens ${when}`,
    where: { key: change === "added" ? "scenario" : "without" },
    fix: change === "added" ? later : "keep the event, or begin the branch before it can happen",
  });
}
