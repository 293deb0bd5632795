/**
 * Messages between the parent and the child process of a flight with the PX4 library. They are plain data.
 *
 * The parent sends one `fly` or `replay` and at most one `stop`. During a flight the child sends its stages, then
 * progress at least every half second, and at the end `done`, or `failed` with the part of the flight that was flown. A
 * replay sends no progress, and ends with `replayed` or `failed`.
 */
import { SimError } from "@escapement/core";
import type {
  FlightResult,
  Recording,
  ReplayFlightOptions,
  ReplayResult,
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
  /** True if code may be generated for the vehicle. */
  readonly codegen: boolean;
  /**
   * True if the flight is recorded. Recording a flight and sending the recording to the parent take time and memory.
   */
  readonly record: boolean;
  /** Measures to compute, as texts. */
  readonly measures: readonly NamedMeasure[];
  readonly sinks?: SinkModule;
}

/** A measure by its name and text, e.g. `max tilt`. */
export interface NamedMeasure {
  readonly name: string;
  readonly text: string;
}

/** Options of a replay, without the registry, because the child has only the built-in parts. */
export type ReplayOptions = Omit<ReplayFlightOptions, "registry">;

export interface ReplayMessage {
  readonly kind: "replay";
  readonly recording: Recording;
  readonly options: ReplayOptions;
}

interface StopMessage {
  readonly kind: "stop";
}

export type ToChild = FlyMessage | ReplayMessage | StopMessage;

/** The library may deadlock in the stage `creating`. */
export type ChildStage = "loading" | "creating" | "flying";

export type FromChild =
  | { readonly kind: "stage"; readonly stage: ChildStage }
  | { readonly kind: "progress"; readonly tUs: number }
  | { readonly kind: "done"; readonly flight: SentFlight }
  | { readonly kind: "replayed"; readonly result: ReplayResult }
  | { readonly kind: "failed"; readonly error: PlainError; readonly flight?: SentFlight };

/** The result of a flight as the child sends it, without the resolved flight, which the parent has. */
export interface SentFlight extends Omit<FlightResult, "resolved"> {
  readonly recording?: Recording;
  /** Wall-clock seconds from the first boundary to the last. */
  readonly wallS: number;
}

/** The result of a flight in a child process. */
export interface ChildFlight extends FlightResult {
  readonly recording?: Recording;
  /** Wall-clock seconds from the first boundary to the last, without the start of the process and of the library. */
  readonly wallS: number;
  /** Warnings and errors that PX4 printed, once each. */
  readonly warnings: readonly string[];
}

/** The result of a recorded flight in a child process. */
export interface RecordedChildFlight extends ChildFlight {
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

/** Rebuilds the original error; a typed error stays typed. */
export function reviveError({ code, what, where, fix, stack }: PlainError): Error {
  if (code !== undefined)
    return new SimError(code, { what, fix: fix ?? "", ...(where === undefined ? {} : { where }) });
  const error = new Error(what);
  if (stack !== undefined) error.stack = stack;
  return error;
}
