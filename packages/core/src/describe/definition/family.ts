/**
 * The family of flights: finds which flights are branches of which others, from their definitions and, if known, the
 * hash of each flight's parent.
 *
 * A branch is an edit of a description at an instant (law 11 in docs/contract.md). So two flights are related if their
 * definitions differ only in events, name and end of the timeline. They share their history up to the earliest time at
 * which a differing event can act.
 */
import { secondsToUs } from "../../time/index.ts";
import { earliestUs } from "./branch.ts";
import { canonicalJson } from "./canonical.ts";
import type { FlightDefinition } from "./definition.ts";
import type { ResolvedEvent } from "../sections/scenario-spec.ts";

/** The changes that turn one description into another. */
export interface FlightEdit {
  /** The events that only the second flight has, and those that only the first has, in the order of the scenarios. */
  readonly added: readonly ResolvedEvent[];
  readonly removed: readonly ResolvedEvent[];
  /** The end of the second flight's timeline, if it differs. */
  readonly endS?: number;
  /**
   * The time up to which both flights have the same history. 0 if a differing event can act from the start; infinite if
   * the flights are the same.
   */
  readonly forkUs: number;
}

/** A flight of a family: its parent, by index, and the edit that makes it from its parent. */
export interface FamilyBranch {
  readonly parent: number;
  readonly edit: FlightEdit;
}

/** Returns the edit that turns `a` into `b`; undefined if they differ in more than events, name and end. */
export function editBetween(a: FlightDefinition, b: FlightDefinition): FlightEdit | undefined {
  return settingsText(a) === settingsText(b) ? eventEdit(a, b) : undefined;
}

/** A flight that has been flown. */
interface FlownFlight {
  readonly name: string;
  readonly definition: FlightDefinition;
  readonly hash?: string;
  /** Hash of the flight from which it was branched, if that is known. */
  readonly parentHash?: string;
  /** The time up to which it was recorded. */
  readonly endUs: number;
}

/**
 * Returns the parent of each flight, or undefined if it has none. The parent is the flight from which the flight was
 * branched, if that is known and in the list. If not, the parent is the related flight that shares the longest recorded
 * history with it. Such a parent must have fewer events than the flight; or as many events and a later end; or as many
 * events, the same end and an earlier name.
 */
export function familyOf(flights: readonly FlownFlight[]): (FamilyBranch | undefined)[] {
  const settings = flights.map(({ definition }) => settingsText(definition));
  const order = [...flights.keys()].sort((i, j) => compareFlights(flights[i]!, flights[j]!) || i - j);
  const branches: (FamilyBranch | undefined)[] = flights.map(() => undefined);
  const isInTreeOf = (flight: number | undefined, root: number): boolean =>
    flight !== undefined && (flight === root || isInTreeOf(branches[flight]?.parent, root));
  for (const [i, { parentHash, definition }] of flights.entries()) {
    if (parentHash === undefined) continue;
    const parent = order.find(
      (j) => flights[j]!.hash === parentHash && settings[j] === settings[i] && !isInTreeOf(j, i),
    );
    if (parent !== undefined) branches[i] = { parent, edit: eventEdit(flights[parent]!.definition, definition) };
  }
  const hasKnownParent = branches.map((branch) => branch !== undefined);
  order.forEach((i, place) => {
    if (hasKnownParent[i]) return;
    let longestUs = -1;
    for (const parent of order.slice(0, place)) {
      if (settings[parent] !== settings[i] || isInTreeOf(parent, i)) continue;
      const edit = eventEdit(flights[parent]!.definition, flights[i]!.definition);
      const sharedUs = Math.min(edit.forkUs, flights[parent]!.endUs);
      if (sharedUs <= longestUs) continue;
      longestUs = sharedUs;
      branches[i] = { parent, edit };
    }
  });
  return branches;
}

/**
 * Returns, for each event of `b`, the index of the matching event of `a`, or −1 if there is none. Matches are in the
 * same order in both lists.
 */
export function commonEvents(a: readonly ResolvedEvent[], b: readonly ResolvedEvent[]): number[] {
  const texts = a.map(eventText);
  let next = 0;
  return b.map((event) => {
    const found = texts.indexOf(eventText(event), next);
    if (found >= 0) next = found + 1;
    return found;
  });
}

const settingsTexts = new WeakMap<FlightDefinition, string>();

/**
 * Returns the definition without events, name and end of the timeline, as canonical text. The text is cached, because a
 * flight has many branches.
 */
export function settingsText(flight: FlightDefinition): string {
  const known = settingsTexts.get(flight);
  if (known !== undefined) return known;
  const { timeline, ...definition } = flight;
  const text = canonicalJson({ ...definition, name: "", scenario: [], timeline: { ...timeline, endS: 0 } });
  settingsTexts.set(flight, text);
  return text;
}

function eventEdit(a: FlightDefinition, b: FlightDefinition): FlightEdit {
  const indicesInA = commonEvents(a.scenario, b.scenario);
  const added = b.scenario.filter((_, i) => indicesInA[i]! < 0);
  const removed = a.scenario.filter((_, i) => !indicesInA.includes(i));
  const [endA, endB] = [a.timeline.endS, b.timeline.endS];
  const times = [...added, ...removed].map((event) => Math.max(0, earliestUs(event)));
  if (endA !== endB) times.push(secondsToUs(Math.min(endA, endB)));
  return { added, removed, ...(endA === endB ? {} : { endS: endB }), forkUs: Math.min(...times) };
}

/** Returns the event as text, without its name and note, which change no bit. */
function eventText({ name: _name, note: _note, ...event }: ResolvedEvent): string {
  return canonicalJson(event);
}

function compareFlights(a: FlownFlight, b: FlownFlight): number {
  const byEvents = a.definition.scenario.length - b.definition.scenario.length;
  return byEvents || b.endUs - a.endUs || (a.name < b.name ? -1 : Number(a.name > b.name));
}
