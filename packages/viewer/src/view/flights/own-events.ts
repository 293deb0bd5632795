/** Events that the text of a flight lists itself, and their offsets in it. */
import { eventText, type FlightEvent, type PlainObject } from "@escapement/core";
import type { Store } from "../store/store.ts";
import type { ViewFlight } from "../store/view-flight.ts";

/** Returns the index of the event in the flight's own text that caused this one; undefined if there is none. */
export function ownIndexOf(flight: ViewFlight, { cause }: FlightEvent): number | undefined {
  const { firstOwnEvent = 0, ownEvents = [], canBranch = false } = flight.head.peek() ?? {};
  const index = (cause?.index ?? -1) - firstOwnEvent;
  return canBranch && index >= 0 && index < ownEvents.length ? index : undefined;
}

/** Returns the event in the text that caused this one, if it has a time that can be changed. */
export function movableOf(
  flight: ViewFlight,
  event: FlightEvent,
): { readonly index: number; readonly spec: PlainObject } | undefined {
  const index = ownIndexOf(flight, event);
  const spec = index === undefined ? undefined : flight.head.peek()?.ownEvents[index];
  if (index === undefined || spec === undefined || (!("at" in spec) && !("atS" in spec))) return undefined;
  // The end of a gust or fault has the same cause as its start. It cannot be moved alone, because it moves with the
  // start.
  const first = flight.events.peek().find(({ cause }) => cause?.index === event.cause?.index);
  return first === event ? { index, spec } : undefined;
}

/** Returns an event of the active flight with a different time. */
function movedEvent({ state }: Store, event: FlightEvent, toUs: number) {
  const flight = state.active.peek();
  const found = flight === undefined ? undefined : movableOf(flight, event);
  if (found === undefined) return undefined;
  const { atS: _atS, ...rest } = found.spec;
  const at = `${Math.max(0, Math.round(toUs)) / 1e6} s`;
  return { index: found.index, at, spec: { ...rest, at } };
}

/** Makes a branch in which the event happens at a different time. */
export async function moveEvent(store: Store, event: FlightEvent, toUs: number): Promise<void> {
  const moved = movedEvent(store, event, toUs);
  if (moved === undefined) return;
  const { index, at, spec } = moved;
  await store.branch({ kind: "replace", index, event: spec }, `${eventText(event)} at ${at}`);
}

/** Previews the future in which the event happens at a different time. */
export function previewMove(store: Store, event: FlightEvent, toUs: number): void {
  const moved = movedEvent(store, event, toUs);
  if (moved === undefined) return;
  // The two futures diverge at the earlier of the two times.
  store.preview([moved.spec], Math.max(0, Math.min(event.tUs, Math.round(toUs))), moved.index);
}

/** Returns the offset of an event in the text: the offset of its heading, or of the list that contains it. */
export function offsetOf(text: string, index: number): number | undefined {
  const headings = [...text.matchAll(/^[ \t]*\[\[\s*scenario\s*\]\]/gm)];
  return headings[index]?.index ?? /^[ \t]*scenario\s*=/m.exec(text)?.index;
}

/** Returns the index of the event at an offset in the text; undefined before the first. */
export function indexAt(text: string, offset: number): number | undefined {
  const before = [...text.matchAll(/^[ \t]*\[\[\s*scenario\s*\]\]/gm)].filter(({ index }) => index <= offset);
  return before.length === 0 ? undefined : before.length - 1;
}
