/** Changes the end of the timeline in the text of a flight file, and does not change the rest. */
import { isPlainObject } from "@escapement/core";
import { flightFileName } from "./event-text.ts";
import { readFlightText } from "./flight-text.ts";
import { tomlPlaces } from "./toml-places.ts";

/** Returns the text with another end of the timeline. */
export function setTimelineEnd(text: string, endS: number): string {
  if (flightFileName(text).endsWith(".json")) {
    const flight = readFlightText(text, "flight.json").object;
    const timeline = isPlainObject(flight["timeline"]) ? flight["timeline"] : {};
    return `${JSON.stringify({ ...flight, timeline: { ...timeline, endS } }, undefined, 2)}\n`;
  }
  const timeline = tomlPlaces(text).children.get("timeline");
  const end = timeline?.children.get("endS");
  if (end !== undefined) return text.slice(0, end.value.start) + String(endS) + text.slice(end.value.end);
  if (timeline === undefined) return `${text.trimEnd()}\n\n[timeline]\nendS = ${endS}\n`;
  // Insert the key before the first key of the table, which may be inline, dotted or under a heading.
  const first = [...timeline.children.values()][0]?.key;
  if (first === undefined) {
    const from = timeline.value.start;
    if (text[from] === "{") return text.slice(0, from) + `{ endS = ${endS} }` + text.slice(timeline.value.end);
    const lineEnd = text.indexOf("\n", from);
    const at = lineEnd < 0 ? text.length : lineEnd;
    return `${text.slice(0, at)}\nendS = ${endS}${text.slice(at)}`;
  }
  const lineStart = text.lastIndexOf("\n", first.start - 1) + 1;
  const before = text.slice(lineStart, first.start);
  const isInline = before.includes("{");
  const prefix = /^\s*timeline\s*\.\s*$/.test(before) ? "timeline." : "";
  const at = isInline ? first.start : lineStart;
  return `${text.slice(0, at)}${prefix}endS = ${endS}${isInline ? ", " : "\n"}${text.slice(at)}`;
}
