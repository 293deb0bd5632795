/**
 * Adds, replaces and removes events in the text of a flight file, and does not change the rest.
 *
 * Comments are kept: comments inside a replaced event are moved above it, and comments inside a removed event take its
 * place. Events may be tables (`[[scenario]]`) or items of a list (`scenario = [ … ]`). JSON has no comments, so a JSON
 * text is rewritten as a whole.
 */
import { invariant, isPlainObject, type PlainObject } from "@escapement/core";
import { readFlightText } from "./flight-text.ts";
import type { PlaceNode, Span } from "./places.ts";
import { tomlPlaces } from "./toml-places.ts";
import { tomlValue } from "./toml-text.ts";

const LIST = "scenario";

/** Returns a file name for a text that has no file. The first character of the text shows whether it is JSON. */
export function flightFileName(text: string): string {
  return /^\s*\{/.test(text) ? "flight.json" : "flight.toml";
}

/** Formats an event as a table of a flight file. */
export function eventToml(event: PlainObject): string {
  const entries = Object.entries(event).filter(([, value]) => value !== undefined && value !== null);
  return [`[[${LIST}]]`, ...entries.map(([key, value]) => `${key} = ${tomlValue(value)}`), ""].join("\n");
}

/** Returns the text with events added at the end of its scenario. */
export function addEvents(text: string, events: readonly PlainObject[]): string {
  if (events.length === 0) return text;
  if (isJson(text)) return editJson(text, (own) => [...own, ...events]);
  const list = tomlPlaces(text).children.get(LIST);
  if (list === undefined || !isInline(text, list)) {
    const before = text.trimEnd();
    return [...(before === "" ? [] : [before, ""]), ...events.map(eventToml)].join("\n");
  }
  const items = events.map(tomlValue).join(", ");
  const last = [...list.children.values()].at(-1);
  if (last !== undefined) return splice(text, { start: last.value.end, end: last.value.end }, `, ${items}`);
  // An empty list removes the events of the flights that this flight extends. Keep that effect.
  return addToReplace(splice(text, list.value, `[${items}]`));
}

/** Returns the text with one of its own events replaced. Events are counted from 0. */
export function replaceEvent(text: string, index: number, event: PlainObject): string {
  if (isJson(text)) return editJson(text, (own) => own.map((each, i) => (i === index ? event : each)));
  const { list, item } = eventPlace(text, index);
  if (isInline(text, list)) return splice(text, item.value, tomlValue(event));
  const block = blockOf(text, item);
  return splice(text, block, commentsIn(text, item, block) + eventToml(event));
}

/** Returns the text without one of its own events. Events are counted from 0. */
export function removeEvent(text: string, index: number): string {
  if (isJson(text)) return editJson(text, (own) => own.filter((_, i) => i !== index));
  const { list, item } = eventPlace(text, index);
  if (!isInline(text, list)) {
    const block = blockOf(text, item);
    return splice(text, block, commentsIn(text, item, block)).replace(/\n{3,}$/, "\n");
  }
  // An empty list would also remove the events of the flights that this flight extends.
  if (list.children.size === 1)
    return splice(text, wholeLines(text, { start: list.key!.start, end: list.value.end }), "");
  const after = /^\s*,\s*/.exec(text.slice(item.value.end))?.[0].length ?? 0;
  const before = after > 0 ? 0 : (/,\s*$/.exec(text.slice(0, item.value.start))?.[0].length ?? 0);
  return splice(text, { start: item.value.start - before, end: item.value.end + after }, "");
}

/** Returns the events that the text itself lists, without those of the flights that it extends. */
export function listEvents(text: string): PlainObject[] {
  const events = readFlightText(text, flightFileName(text)).object[LIST];
  return Array.isArray(events) ? (events as PlainObject[]) : [];
}

function isJson(text: string): boolean {
  return flightFileName(text).endsWith(".json");
}

function editJson(text: string, edit: (own: readonly PlainObject[]) => readonly PlainObject[]): string {
  const { [LIST]: events, ...rest } = readFlightText(text, "flight.json").object;
  const own = Array.isArray(events) ? events.filter(isPlainObject) : [];
  const edited = edit(own);
  return `${JSON.stringify(edited.length === 0 ? rest : { ...rest, [LIST]: edited }, undefined, 2)}\n`;
}

function eventPlace(text: string, index: number): { readonly list: PlaceNode; readonly item: PlaceNode } {
  const list = tomlPlaces(text).children.get(LIST);
  const item = list?.children.get(index);
  invariant(list !== undefined && item !== undefined, `the text lists no event ${index}`);
  return { list, item };
}

/** Returns true if the events are items of a list, and false if they are tables under headings. */
function isInline(text: string, list: PlaceNode): boolean {
  return text[list.value.start] === "[";
}

/** Returns the lines of an event's table, including the tables in it. */
function blockOf(text: string, item: PlaceNode): Span {
  const end = Math.max(...spansOf(item).map((span) => span.end));
  return wholeLines(text, { start: item.key!.start, end });
}

function spansOf({ key, value, children }: PlaceNode): Span[] {
  const own = key === undefined ? [value] : [key, value];
  return [...own, ...[...children.values()].flatMap(spansOf)];
}

/** Returns the comments in an event's lines, one per line. */
function commentsIn(text: string, item: PlaceNode, { start, end }: Span): string {
  const spans = spansOf(item);
  const comments: string[] = [];
  for (let at = text.indexOf("#", start); at >= 0 && at < end; at = text.indexOf("#", at + 1)) {
    if (spans.some((span) => span.start <= at && at < span.end)) continue;
    const line = text.indexOf("\n", at);
    const to = line < 0 ? text.length : line;
    comments.push(text.slice(at, to).trimEnd());
    at = to - 1;
  }
  return comments.map((comment) => `${comment}\n`).join("");
}

/** Returns all lines that a span touches, including the last line break. */
function wholeLines(text: string, { start, end }: Span): Span {
  const last = text.indexOf("\n", end);
  return { start: text.lastIndexOf("\n", start - 1) + 1, end: last < 0 ? text.length : last + 1 };
}

function splice(text: string, { start, end }: Span, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

/** Adds `scenario` to `replace`, the list of keys that are not merged with those of the extended flights. */
function addToReplace(text: string): string {
  const { replace } = readFlightText(text, "flight.toml").object;
  const keys: readonly unknown[] = replace === undefined ? [] : Array.isArray(replace) ? replace : [replace];
  if (keys.includes(LIST)) return text;
  const places = tomlPlaces(text).children;
  const value = tomlValue([...keys, LIST]);
  const known = places.get("replace");
  if (known !== undefined) return splice(text, known.value, value);
  const { start } = wholeLines(text, places.get(LIST)!.key!);
  return splice(text, { start, end: start }, `replace = ${value}\n`);
}
