/**
 * Messages between a coordinator and a thread that flies. No buffer is transferred, because detached buffers slow
 * flights down.
 */
import { SimError, type Where } from "@escapement/core";
import type { Row } from "@escapement/formats";
import type { FlightOrder } from "../fly/one.ts";
import type { Checkpoints } from "../fly/particle.ts";
import type { Campaign } from "../spec/campaign.ts";

/** Data that a thread needs before its first flight. */
export interface ThreadData {
  readonly campaign: Campaign;
  /** Absolute paths of the modules of `--with`. */
  readonly modules: readonly string[];
}

export type ToThread = { readonly kind: "fly"; readonly order: FlightOrder } | { readonly kind: "finish" };

export type FromThread =
  | { readonly kind: "ready" }
  | { readonly kind: "row"; readonly row: Row; readonly checkpoints?: Checkpoints }
  /** The thread cannot fly (e.g. a module does not load), or a repeated flight gave a different row. */
  | { readonly kind: "failed"; readonly error: PlainError }
  | { readonly kind: "finished" };

/** An error as plain data, because messages do not preserve classes. */
interface PlainError {
  readonly code: string;
  readonly what: string;
  readonly where: Where;
  readonly fix: string;
}

export function plainError({ code, what, where, fix }: SimError): PlainError {
  return { code, what, where, fix };
}

export function errorFromPlain({ code, ...parts }: PlainError): SimError {
  return new SimError(code, parts);
}
