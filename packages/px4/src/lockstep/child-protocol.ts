/**
 * What parent and child of a flight with the PX4 library say to each other: plain data, in this order.
 *
 * Parent: one `fly`, perhaps a `stop`. Child: its stages, progress at least every half second, then `done`, or `failed`
 * with what was flown until then.
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

/** A module that opens sinks in the child, where the rows are: it exports `openSinks(data, resolved)`. */
export interface SinkModule {
  /** URL of the module. */
  readonly url: string;
  /** Plain data for it: paths, formats. */
  readonly data: unknown;
}

export interface FlyMessage {
  readonly kind: "fly";
  readonly resolved: ResolvedFlight;
  /** Whether code may be made for the vehicle. */
  readonly codegen: boolean;
  readonly sinks?: SinkModule;
}

interface StopMessage {
  readonly kind: "stop";
}

export type ToChild = FlyMessage | StopMessage;

/** `creating` is the stage in which a library may dead-lock. */
export type ChildStage = "loading" | "creating" | "flying";

export type FromChild =
  | { readonly kind: "stage"; readonly stage: ChildStage }
  | { readonly kind: "progress"; readonly tUs: number }
  | { readonly kind: "done"; readonly flight: ChildFlight }
  | { readonly kind: "failed"; readonly error: PlainError; readonly flight?: ChildFlight };

/** What remains of a flown flight when it leaves its process: everything but the functions. */
export interface ChildFlight {
  readonly outcome: RecordedFlight["outcome"];
  readonly reason: string;
  readonly fingerprint: string;
  readonly end: FlightEnd;
  readonly events: readonly FlightEvent[];
  readonly extremes: FlightExtremes;
  readonly recording: Recording;
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

/** The error as it was: a typed one stays typed. */
export function revivedError({ code, what, where, fix, stack }: PlainError): Error {
  if (code !== undefined)
    return new SimError(code, { what, fix: fix ?? "", ...(where === undefined ? {} : { where }) });
  const error = new Error(what);
  if (stack !== undefined) error.stack = stack;
  return error;
}
