/**
 * Aligns flights for a comparison: by time, by an event, by the fork, or by the first motion.
 *
 * The playhead shows the time of the active flight. Every other flight is shown at a time that is shifted so that the
 * chosen instants coincide.
 */
import { eventText, type FlightEvent } from "@escapement/core";
import type { Alignment, ViewState } from "../store/state.ts";
import type { ViewFlight } from "../store/view-flight.ts";

/** The first motion is the instant at which the vehicle is this far from its start. */
const MOVED_M = 0.2;

/**
 * Returns the shift from the playhead's time to the time at which a flight is shown; 0 if this flight or the active one
 * lacks the chosen instant.
 */
export function shiftUsOf(flight: ViewFlight, state: ViewState): number {
  const active = state.active.value;
  if (active === undefined || active === flight) return 0;
  const alignment = state.alignment.value;
  const [own, from] = [instantUs(flight, alignment), instantUs(active, alignment)];
  return own === undefined || from === undefined ? 0 : own - from;
}

/**
 * Returns the kinds of events that all flights have, each with the text of the first such event in the first flight.
 */
export function commonEvents(
  flights: readonly ViewFlight[],
): readonly { readonly kind: FlightEvent["kind"]; readonly text: string }[] {
  const [first, ...others] = flights.map(({ events }) => events.value);
  const found = new Map<FlightEvent["kind"], string>();
  for (const event of first ?? []) {
    const isCommon = others.every((events) => events.some(({ kind }) => kind === event.kind));
    if (isCommon && !found.has(event.kind)) found.set(event.kind, eventText(event));
  }
  return [...found].map(([kind, text]) => ({ kind, text }));
}

function instantUs(flight: ViewFlight, alignment: Alignment): number | undefined {
  switch (alignment.by) {
    case "time":
      return undefined;
    case "fork":
      return flight.fork.value?.forkUs;
    case "event":
      return flight.events.value.find(({ kind }) => kind === alignment.kind)?.tUs;
    case "motion":
      return firstMotionUs(flight);
  }
}

function firstMotionUs(flight: ViewFlight): number | undefined {
  // Subscribes to new rows.
  void flight.rowCount.value;
  const rows = flight.rows.peek();
  const places = [0, 1, 2].map((i) => rows.place("posNed", i));
  if (rows.count === 0 || places.includes(-1)) return undefined;
  const start = places.map((place) => rows.value(place, 0));
  for (let row = 1; row < rows.count; row += 1) {
    const moved = Math.hypot(...places.map((place, i) => rows.value(place, row) - start[i]!));
    if (moved > MOVED_M) return rows.timeUs(row);
  }
  return undefined;
}
