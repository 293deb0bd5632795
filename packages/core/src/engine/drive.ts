/**
 * The two drivers of the loop: one that runs through, one that awaits.
 *
 * Drivers, not the loop, answer pauses, close sinks (also after an error, so that what was written is readable) and,
 * at the edge of the process, pace a flight to the wall clock.
 */
import { engineErrors } from "./errors.ts";
import { fly, type FlightEnd, type FlyOptions, type Pause } from "./fly.ts";
import type { Flight } from "./flight.ts";

export interface DriveOptions extends FlyOptions {
  /** Called at breaths and marks; what it returns is awaited. */
  readonly onPause?: (pause: Pause) => void | Promise<void>;
  /** Resolves when something outside may have answered. The default yields to the event loop once. */
  readonly untilAnswer?: () => Promise<void>;
}

/** Flies in one go. Refuses, before the first boundary, flights that may have to wait for someone. */
export function flyNow(flight: Flight, options: FlyOptions = {}): FlightEnd {
  const { autopilot, sinks = [] } = flight.parts;
  if (autopilot?.waiting !== undefined || sinks.some((sink) => !isAlwaysOpen(sink))) {
    throw engineErrors.needsAsync({
      what: autopilot?.waiting !== undefined ? "the autopilot answers from outside" : "a sink may fill up",
      fix: "use flyAsync, or sinks that keep everything in memory",
    });
  }
  const loop = fly(flight, options);
  for (;;) {
    const step = loop.next();
    if (step.done === true) return step.value;
  }
}

/** Flies and awaits: bridges, streaming sinks, pages. */
export async function flyAsync(flight: Flight, options: DriveOptions = {}): Promise<FlightEnd> {
  const { onPause, untilAnswer = nextTurn } = options;
  const sinks = flight.parts.sinks ?? [];
  try {
    const loop = fly(flight, options);
    for (;;) {
      const step = loop.next();
      if (step.done === true) return step.value;
      if (step.value === "answer") await untilAnswer();
      else if (step.value === "room") await Promise.all(sinks.map((sink) => sink.drain()));
      else await onPause?.(step.value);
    }
  } finally {
    await closeAll(sinks);
  }
}

/** A sink that declares `neverFull` keeps everything in memory. */
function isAlwaysOpen(sink: { readonly neverFull?: boolean }): boolean {
  return sink.neverFull === true;
}

/** Closes every sink, then throws the first failure: one bad sink must not leave the others open. */
async function closeAll(sinks: readonly { close(): Promise<void> }[]): Promise<void> {
  const results = await Promise.allSettled(sinks.map((sink) => sink.close()));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
}

function nextTurn(): Promise<void> {
  return Promise.resolve();
}
