/**
 * Contracts that plans, searches, fleets and reports share: how flight k is defined, and the row that it gives.
 *
 * A plan is pure: flight k depends only on the campaign and on k, so any worker can fly any flight at any time, and a
 * flight that is flown twice gives the same row twice.
 */
import type { Row, VariedValue } from "@escapement/formats";

export type { Row, RowVerdict, VariedValue, VerdictWord } from "@escapement/formats";

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
   * Number of replicates. The points of one replicate depend on each other, but the means of the replicates are
   * independent. Flight k belongs to replicate k mod `replicates`. Undefined if all flights are independent.
   */
  readonly replicates?: number;
  /** Writes the unit coordinates of flight k into `out`. */
  pointInto(k: number, out: Float64Array): void;
  /** Seed of flight k; undefined if it has the seed of the base flight. */
  seedOf(k: number): number | undefined;
  /** For `pairs`: whether flight k is the base flight (0) or the flight with `against` (1). */
  sideOf?(k: number): 0 | 1;
  /** For `importance`: likelihood ratio of flight k, the campaign's density divided by the sampling density. */
  weightOf?(k: number): number;
}

/** A flight that branches from another one: the same flight with different random numbers from a given instant on. */
export interface Branching {
  /** The first flight of the lineage; all its branches have its varied values and its initial seed. */
  readonly root: number;
  /** The flight from which it branches. */
  readonly parent: number;
  /** New seeds along the lineage, in order of time. The last one makes this branch differ from its parent. */
  readonly reseeds: readonly { readonly atUs: number; readonly seed: number }[];
}

/**
 * A plan with feedback. It requests generations, and gets the rows of a whole generation before it requests the next,
 * so the flights do not depend on how many workers fly them. Its state follows from the rows: to resume a search, pass
 * it the same rows again.
 */
export interface Search extends Omit<Plan, "count"> {
  /** Limit on the number of flights that it requests. */
  readonly most: number;
  /** Numbers of the flights of the next generation, in ascending order; undefined if the search is over. */
  ask(): readonly number[] | undefined;
  /** Takes the rows of the generation that was requested last, in the order of its numbers. */
  tell(rows: readonly Row[]): void;
  /** For `splitting`: the flight of which flight k is a branch; undefined if it starts from the beginning. */
  branchOf?(k: number): Branching | undefined;
  /** For `splitting`: flights from which a later generation can branch. */
  alive?(): ReadonlySet<number>;
}
