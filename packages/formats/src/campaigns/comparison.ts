/** A comparison of two runs of a campaign, or of the two sides of its pairs, flight by flight. */
import type { VerdictWord } from "./row.ts";

/** A flight whose verdict differs between the two runs. */
export interface Flip {
  readonly k: number;
  readonly before: VerdictWord;
  readonly after: VerdictWord;
}

/** Mean of the differences, after minus before. The bounds are null if the plan has no interval. */
export interface PairedDifference {
  readonly flights: number;
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
}

export interface RequirementComparison {
  readonly name: string;
  readonly unit: string;
  /** Number of flights in which the requirement holds before and is violated after, and the reverse. */
  readonly broken: number;
  readonly fixed: number;
  /** McNemar's p-value; null if the flights of the plan are not independent. */
  readonly p: number | null;
  /** The first flights whose verdict changed in any way. */
  readonly flips: readonly Flip[];
  readonly margin: PairedDifference | null;
}

interface MeasureComparison {
  readonly name: string;
  readonly unit: string;
  readonly difference: PairedDifference;
}

export interface CampaignComparison {
  /** Flights that both runs have. */
  readonly flights: number;
  readonly onlyBefore: number;
  readonly onlyAfter: number;
  /** Flights with a different fingerprint. */
  readonly changed: number;
  readonly confidence: number;
  readonly requirements: readonly RequirementComparison[];
  readonly measures: readonly MeasureComparison[];
}
