/**
 * The two drivers of the loop: one synchronous, one asynchronous.
 *
 * Drivers, not the loop, answer pauses and close sinks. They close sinks after an error too, so that the data written
 * so far stays readable.
 */
import { InvariantError, SimError } from "../errors/index.ts";
import { engineErrors } from "./errors.ts";
import { flightLoop, type FlightEnd, type LoopOptions, type Pause, rejectUnderWay } from "./loop.ts";
import type { Flight } from "./flight.ts";

export interface DriveOptions extends LoopOptions {
  /** Called and awaited at every `yield` and `mark`. */
  readonly onPause?: (pause: Pause) => void | Promise<void>;
  /** Resolves when an answer may have arrived. Required if the autopilot runs outside this process. */
  readonly untilAnswer?: () => Promise<void>;
}

/** Flies synchronously. A flight that may have to wait is rejected before its first boundary. */
export function flyNow(flight: Flight, options: LoopOptions = {}): FlightEnd {
  const { autopilot, sinks = [] } = flight.parts;
  if (autopilot?.waiting !== undefined || sinks.some((sink) => sink.neverFull !== true)) {
    throw engineErrors.needsAsync({
      what: autopilot?.waiting !== undefined ? "the autopilot runs outside this process" : "a sink may fill up",
      fix: "use flyAsync, or sinks that keep everything in memory",
    });
  }
  rejectUnderWay(flight);
  try {
    const loop = flightLoop(flight, options);
    for (;;) {
      const step = loop.next();
      if (step.done === true) return step.value;
    }
  } finally {
    // In-memory sinks close immediately. If one fails, the unhandled rejection ends the process with a message.
    for (const sink of sinks) void sink.close();
  }
}

/** Flies asynchronously: for autopilots outside this process, streaming sinks, and web pages. */
export async function flyAsync(flight: Flight, options: DriveOptions = {}): Promise<FlightEnd> {
  const { autopilot, sinks = [] } = flight.parts;
  if (autopilot?.waiting !== undefined && options.untilAnswer === undefined) {
    throw engineErrors.noAnswerer({
      what: "the autopilot runs outside this process, but flyAsync has no option untilAnswer",
      fix: "pass a function untilAnswer whose promise resolves when an answer may have arrived",
    });
  }
  rejectUnderWay(flight);
  let end: FlightEnd;
  try {
    end = await drive(flight, options);
  } catch (error) {
    throw withCloseFailure(error, await closeAll(sinks));
  }
  const failure = await closeAll(sinks);
  if (failure !== undefined) throw failure;
  return end;
}

async function drive(flight: Flight, options: DriveOptions): Promise<FlightEnd> {
  const { onPause, untilAnswer } = options;
  const sinks = flight.parts.sinks ?? [];
  const loop = flightLoop(flight, options);
  for (;;) {
    const step = loop.next();
    if (step.done === true) return step.value;
    if (step.value === "answer") await untilAnswer?.();
    else if (step.value === "drain") await Promise.all(sinks.map((sink) => sink.drain()));
    else await onPause?.(step.value);
  }
}

/** Closes every sink, even if one fails, and returns the first failure. */
async function closeAll(sinks: readonly { close(): Promise<void> }[]): Promise<unknown> {
  const results = await Promise.allSettled(sinks.map((sink) => sink.close()));
  return results.find((result) => result.status === "rejected")?.reason;
}

/**
 * Returns the error to rethrow. If a sink also failed to close, the text of a `SimError` or an `InvariantError`
 * mentions both failures; any other error is returned unchanged.
 */
function withCloseFailure(error: unknown, failure: unknown): unknown {
  if (failure === undefined) return error;
  const closing = `closing a sink failed too: ${String(failure)}`;
  if (error instanceof InvariantError) return new InvariantError(`${error.message}\n${closing}`, { cause: error });
  if (!(error instanceof SimError)) return error;
  const { code, what, where, fix } = error;
  return new SimError(code, { what: `${what}; ${closing}`, where, fix, cause: error });
}
