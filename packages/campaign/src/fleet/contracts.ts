/**
 * A fleet flies numbered flights and returns their rows, in any order. It may return a row more than once, because a
 * flight that is flown twice gives the same row twice.
 */
import type { SimError } from "@escapement/core";
import type { Row } from "@escapement/formats";
import type { FlightOrder } from "../fly/one.ts";
import type { Checkpoints } from "../fly/particle.ts";

export interface Fleet {
  /** Number of flights that are flown at the same time; it changes when workers join or leave. */
  readonly lanes: number;
  /** Number of flights that the caller should hand out at any time, so that no lane waits for work. */
  readonly depth: number;
  /** Accepts flights to fly. The caller hands out at most `depth` at a time. */
  give(orders: readonly FlightOrder[]): void;
  /**
   * Ends the fleet. Flights without a row are dropped. With `finish`, each thread that has flown enough flights first
   * repeats its first flight; the call throws if that row differs.
   */
  close(how: "finish" | "now"): Promise<void>;
}

/** A fleet of this machine. */
export interface LocalFleet extends Fleet {
  /** Median of the wall times of the latest flights; 0 before the first. */
  readonly flightMs: number;
}

/** Calls by which a fleet reports. */
export interface FleetEvents {
  /** @param checkpoints checkpoints of the flight from which other flights can branch, if the fleet has them */
  onRow(row: Row, checkpoints?: Checkpoints): void;
  /** The fleet cannot go on, e.g. because no thread starts. */
  onFailure(error: SimError): void;
  /** A message for the user that does not affect any row, e.g. that a thread was replaced. */
  onNote(text: string): void;
}

/** Limits of time and memory. They affect whether a flight gets a row, but not what the row contains. */
export interface FleetLimits {
  /** Processor time that a flight may always take, even if the median is shorter. */
  readonly flightMs: number;
  /** A flight may take this many times the median of the flights so far. */
  readonly medians: number;
  /** Time limit for a thread to become ready to fly. */
  readonly startMs: number;
  /** Maximum heap size of a thread. */
  readonly heapMb: number;
}

export const DEFAULT_LIMITS: FleetLimits = { flightMs: 30_000, medians: 50, startMs: 120_000, heapMb: 1024 };
