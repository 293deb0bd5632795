/**
 * Messages between the parent and the child of a flight with the PX4 library: plain data.
 *
 * The parent sends one `fly` and at most one `stop`. The child sends its stages, then progress at least every half
 * second, and at the end `done`, or `failed` with the part of the flight that was flown.
 */
import { SimError } from "@escapement/core";
import type {
  FlightEnd,
  FlightEvent,
  FlightExtremes,
  RecordedFlight,
  Recording,
  ResolvedFlight,
  Where,
} from "@escapement/core";

/**
 * A module that opens sinks in the child, because the rows are produced there. It exports `openSinks(data, resolved)`.
 */
export interface SinkModule {
  /** URL of the module. */
  readonly url: string;
  /** Plain data passed to the module: paths, formats. */
  readonly data: unknown;
}

export interface FlyMessage {
  readonly kind: "fly";
  readonly resolved: ResolvedFlight;
  /** Whether code may be generated for the vehicle. */
  readonly codegen: boolean;
  readonly sinks?: SinkModule;
}

interface StopMessage {
  readonly kind: "stop";
}

export type ToChild = FlyMessage | StopMessage;

/** The library may deadlock in the stage `creating`. */
export type ChildStage = "loading" | "creating" | "flying";

export type FromChild =
  | { readonly kind: "stage"; readonly stage: ChildStage }
  | { readonly kind: "progress"; readonly tUs: number }
  | { readonly kind: "done"; readonly flight: ChildFlight }
  | { readonly kind: "failed"; readonly error: PlainError; readonly flight?: ChildFlight };

/** The result of a flight in the form that crosses the process boundary: everything except the functions. */
export interface ChildFlight {
  readonly outcome: RecordedFlight["outcome"];
  readonly reason: string;
  readonly fingerprint: string;
  readonly end: FlightEnd;
  readonly events: readonly FlightEvent[];
  readonly extremes: FlightExtremes;
  readonly recording: Recording;
  /** Warnings and errors that PX4 printed. The parent adds them. */
  readonly warnings?: readonly string[];
}

interface PlainError {
  readonly code?: string;
  readonly what: string;
  readonly where?: Where;
  readonly fix?: string;
  readonly stack?: string;
}

export function plainError(error: unknown): PlainError {
  if (error instanceof SimError) return { code: error.code, what: error.what, where: error.where, fix: error.fix };
  const known = error instanceof Error ? error : new Error(String(error));
  return { what: known.message, ...(known.stack === undefined ? {} : { stack: known.stack }) };
}

/** Rebuilds the original error; a typed error stays typed. */
export function revivedError({ code, what, where, fix, stack }: PlainError): Error {
  if (code !== undefined)
    return new SimError(code, { what, fix: fix ?? "", ...(where === undefined ? {} : { where }) });
  const error = new Error(what);
  if (stack !== undefined) error.stack = stack;
  return error;
}
