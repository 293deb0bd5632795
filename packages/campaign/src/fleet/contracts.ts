/**
 * A fleet flies numbered flights somewhere and returns their rows: in any order, each at least once.
 *
 * At least once is enough, because a flight that is flown twice gives the same row twice.
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
   * Ends the fleet. Flights that have not returned are dropped. With `finish`, lanes first repeat their first flight;
   * the call throws if a row differs.
   */
  close(how: "finish" | "now"): Promise<void>;
}

/** A fleet of this machine. */
export interface LocalFleet extends Fleet {
  /** Median of the wall times of the latest flights; 0 before the first. */
  readonly flightMs: number;
}

/** What a fleet reports. */
export interface FleetEvents {
  /** `checkpoints`: those of the flight from which others can branch, if the fleet has them. */
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
