/**
 * The two drivers of the loop: one that runs through, one that awaits.
 *
 * Drivers, not the loop, answer pauses, close sinks (also after an error, so that what was written is readable) and,
 * at the edge of the process, pace a flight to the wall clock.
 */
import { InvariantError, SimError } from "../errors/index.ts";
import { engineErrors } from "./errors.ts";
import { fly, type FlightEnd, type FlyOptions, type Pause, refuseUnderWay } from "./fly.ts";
import type { Flight } from "./flight.ts";

export interface DriveOptions extends FlyOptions {
  /** Called at breaths and marks; what it returns is awaited. */
  readonly onPause?: (pause: Pause) => void | Promise<void>;
  /** Resolves when something outside may have answered. A flight whose autopilot waits cannot do without. */
  readonly untilAnswer?: () => Promise<void>;
}

/** Flies in one go. Refuses, before the first boundary, flights that may have to wait for someone. */
export function flyNow(flight: Flight, options: FlyOptions = {}): FlightEnd {
  const { autopilot, sinks = [] } = flight.parts;
  if (autopilot?.waiting !== undefined || sinks.some((sink) => sink.neverFull !== true)) {
    throw engineErrors.needsAsync({
      what: autopilot?.waiting !== undefined ? "the autopilot answers from outside" : "a sink may fill up",
      fix: "use flyAsync, or sinks that keep everything in memory",
    });
  }
  refuseUnderWay(flight);
  try {
    const loop = fly(flight, options);
    for (;;) {
      const step = loop.next();
      if (step.done === true) return step.value;
    }
  } finally {
    // Sinks in memory close at once; one that fails to is an unhandled rejection, which no process survives silently.
    for (const sink of sinks) void sink.close();
  }
}

/** Flies and awaits: bridges, streaming sinks, pages. */
export async function flyAsync(flight: Flight, options: DriveOptions = {}): Promise<FlightEnd> {
  const { autopilot, sinks = [] } = flight.parts;
  if (autopilot?.waiting !== undefined && options.untilAnswer === undefined) {
    throw engineErrors.noAnswerer({
      what: "the autopilot answers from outside, and nobody was named who knows when it has",
      fix: "give flyAsync an untilAnswer that resolves when an answer may have come",
    });
  }
  refuseUnderWay(flight);
  let end: FlightEnd;
  try {
    end = await drive(flight, options);
  } catch (error) {
    throw withFailure(error, await closeAll(sinks));
  }
  const failure = await closeAll(sinks);
  if (failure !== undefined) throw failure;
  return end;
}

async function drive(flight: Flight, options: DriveOptions): Promise<FlightEnd> {
  const { onPause, untilAnswer } = options;
  const sinks = flight.parts.sinks ?? [];
  const loop = fly(flight, options);
  for (;;) {
    const step = loop.next();
    if (step.done === true) return step.value;
    if (step.value === "answer") await untilAnswer?.();
    else if (step.value === "room") await Promise.all(sinks.map((sink) => sink.drain()));
    else await onPause?.(step.value);
  }
}

/** Closes every sink and gives the first failure: one bad sink must not leave the others open. */
async function closeAll(sinks: readonly { close(): Promise<void> }[]): Promise<unknown> {
  const results = await Promise.allSettled(sinks.map((sink) => sink.close()));
  return results.find((result) => result.status === "rejected")?.reason;
}

/** What ended the flight stays what is thrown; a sink that then failed to close is told with it where the words are ours. */
function withFailure(error: unknown, failure: unknown): unknown {
  if (failure === undefined) return error;
  const told = `closing a sink failed too: ${String(failure)}`;
  if (error instanceof InvariantError) return new InvariantError(`${error.message}\n${told}`, { cause: error });
  if (!(error instanceof SimError)) return error;
  const { code, what, where, fix } = error;
  return new SimError(code, { what: `${what}; ${told}`, where, fix, cause: error });
}
