/**
 * What plans, searches, fleets and reports share: which flight has number k, and the row that is kept of it.
 *
 * A plan is pure: flight k follows from the campaign and k alone, so any worker can fly any flight at any time, and a
 * flight that is flown twice gives the same row twice.
 */
import type { OutcomeKind } from "@escapement/core";

/** A value of a varied key, as it is written into the flight. */
export type VariedValue = number | string | boolean;

/** Turns a unit coordinate in [0, 1) into a value of a varied key. */
export interface Distribution {
  readonly kind: string;
  /** Number of different values; undefined if the values are continuous. */
  readonly size: number | undefined;
  valueAt(u: number): VariedValue;
}

/** Defines flight k. */
export interface Plan {
  readonly kind: string;
  /** Number of flights. */
  readonly count: number;
  /** Number of coordinates of a point: one per varied key, in their order. */
  readonly dimension: number;
  /**
   * Number of independent replicates whose means may be compared, if points of one replicate depend on each other.
   * Flight k belongs to replicate k mod `replicates`. Undefined if all flights are independent.
   */
  readonly replicates?: number;
  /** Writes the unit coordinates of flight k into `out`. */
  pointInto(k: number, out: Float64Array): void;
  /** Seed of flight k; undefined if it keeps the seed of the base flight. */
  seedOf(k: number): number | undefined;
  /** For `pairs`: flight k flies the base flight (0) or the other one (1). */
  sideOf?(k: number): 0 | 1;
  /** For `importance`: density of the plan's distribution relative to the sampled one, at flight k. */
  weightOf?(k: number): number;
}

/**
 * A plan with feedback. It asks for generations, and gets the rows of a whole generation before it asks for the next, so
 * the flights do not depend on how many workers fly them. Its state follows from the rows: to resume, tell them again.
 */
export interface Search extends Omit<Plan, "count"> {
  /** Most flights that it will ask for. */
  readonly most: number;
  /** Numbers of the next generation, in ascending order; undefined if the search is over. */
  ask(): readonly number[] | undefined;
  /** Takes the rows of the generation that was asked for last, in the order of its numbers. */
  tell(rows: readonly Row[]): void;
}

/** How a requirement came out. */
export type VerdictWord = "holds" | "violated" | "undecided" | "untested";

/** Verdict of one requirement in one flight. */
export interface RowVerdict {
  readonly verdict: VerdictWord;
  /** Bounds of the margin; equal if the flight decided it. Infinite for facts. */
  readonly lo: number;
  readonly hi: number;
  /** Binding instant. */
  readonly tUs: number;
  /** Index of the binding predicate. */
  readonly predicate: number;
}

/**
 * What is kept of a flight. It contains no date and no host: the same bytes on every machine. JSON has neither infinity
 * nor −0, so the journal writes infinite margins as `"inf"` and `"-inf"`.
 */
export interface Row {
  readonly k: number;
  /** First 16 hex digits of the resolved flight's hash. */
  readonly hash: string;
  readonly fingerprint: string;
  readonly outcome: OutcomeKind | "refused" | "poisoned";
  readonly reason: string;
  readonly endUs: number;
  /** Values of the varied keys as flown, after rounding. */
  readonly varied: readonly VariedValue[];
  readonly verdicts: readonly RowVerdict[];
  /** Null if a measure has no value in this flight. */
  readonly measures: readonly (number | null)[];
}
