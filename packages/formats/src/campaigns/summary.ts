/**
 * The summary of a campaign, stored in `summary.json` and shown by the page: statistics of its rows and the conclusions
 * drawn from them. It contains no date, host or path.
 */
import type { CampaignComparison } from "./comparison.ts";
import type { JsonNumber } from "./plain-numbers.ts";
import type { Manifest, ManifestMeasure, ManifestRequirement, VariedValue, VerdictWord } from "./row.ts";

/** A margin with its flight and instant, in the unit of the predicate that decided it. */
export interface FlightMargin {
  readonly k: number;
  readonly margin: JsonNumber;
  readonly unit: string;
  readonly predicate: string;
  /** Null if no instant decided it. */
  readonly atS: number | null;
}

export interface RequirementSummary extends ManifestRequirement {
  /** Number of flights by verdict. A flight that gave no result has no verdict. */
  readonly flights: Readonly<Record<VerdictWord, number>>;
  /** The flight with the smallest margin; null if no flight decided the requirement. */
  readonly least: FlightMargin | null;
}

interface MeasureSummary extends ManifestMeasure {
  /** Flights in which the measure has a value. */
  readonly flights: number;
  readonly min: number | null;
  readonly mean: number | null;
  readonly max: number | null;
}

/** One of the flights that violate a requirement most, or come closest to violating one. */
export interface WorstFlight extends FlightMargin {
  /** Index of the requirement with the smallest scaled margin. */
  readonly requirement: number;
  readonly verdict: VerdictWord;
  /** Indices of the other requirements that it violates. */
  readonly alsoViolates: readonly number[];
  readonly outcome: string;
  readonly reason: string;
  readonly fingerprint: string;
  readonly endS: number;
  readonly varied: readonly VariedValue[];
}

/** A flight without a result: its outcome is `refused`, `failed` or `poisoned`. */
export interface FailedFlight {
  readonly k: number;
  readonly outcome: string;
  readonly reason: string;
  readonly varied: readonly VariedValue[];
}

/** The part of the summary that depends only on the rows. */
export interface RowsSummary {
  readonly flights: number;
  readonly simulatedS: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly requirements: readonly RequirementSummary[];
  readonly measures: readonly MeasureSummary[];
  readonly worst: readonly WorstFlight[];
  /** Number of flights without a result, and the first of them. */
  readonly failedFlights: number;
  readonly failed: readonly FailedFlight[];
}

export type CriterionVerdict = "met" | "not met" | "open";

/** A criterion (a statement about all rows of a campaign) and its verdict. A number that it does not have is null. */
export interface CriterionSummary {
  readonly text: string;
  readonly verdict: CriterionVerdict;
  /** One sentence that explains the verdict. */
  readonly reason: string;
  /** Unit of the numbers below; probabilities are fractions without a unit. */
  readonly unit: string;
  readonly isProbability: boolean;
  readonly estimate: number | null;
  /** Confidence bounds of the estimate. */
  readonly low: number | null;
  readonly high: number | null;
  /** The value that the criterion compares with. */
  readonly limit: number | null;
}

interface SensitivityEffect {
  /** E.g. "S1", "ST", "μ*", "rank correlation". */
  readonly name: string;
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
}

/** How much each varied key contributes to a requirement's margin or to a measure. */
export interface SensitivitySummary {
  /** The requirement or measure. */
  readonly of: string;
  /** E.g. "Sobol indices", "Morris", or "screening" if the plan was not made for sensitivity analysis. */
  readonly method: string;
  readonly keys: readonly { readonly key: string; readonly effects: readonly SensitivityEffect[] }[];
}

/** A simplified version of a flight that violates a requirement. It still violates that requirement. */
export interface ShrunkFlight {
  readonly k: number;
  readonly requirement: string;
  /** Description of the simplified flight. */
  readonly text: string;
  /** Flights that were flown to find it. */
  readonly flights: number;
  /** Path of the flight file, relative to the campaign's folder. */
  readonly file: string;
}

/** Altitude and tilt of a flight over time, downsampled for a small drawing. */
export interface FlightSketch {
  readonly timesS: readonly number[];
  readonly altitudeM: readonly number[];
  readonly tiltDeg: readonly number[];
}

/** One of the worst flights, flown again and recorded. Paths are relative to the campaign's folder. */
export interface KeptFlight {
  readonly k: number;
  readonly recording: string;
  /** The page of the flight. */
  readonly page: string;
  readonly sketch: FlightSketch;
}

/** The probability that a flight violates a requirement, estimated by splitting. */
export interface RareEventSummary {
  /** Index of the requirement. */
  readonly requirement: number;
  readonly probability: number;
  /** Confidence bounds of the probability. */
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
  /** False if the maximum number of flights was reached before every run had ended. */
  readonly isComplete: boolean;
  /** Number of flights in which the requirement is undecided; if there are any, the probability has no bounds. */
  readonly undecided: number;
  readonly runs: readonly {
    readonly probability: number;
    /** Scaled margins, each with the probability of a smaller margin. */
    readonly levels: readonly { readonly margin: number; readonly probability: number }[];
  }[];
}

/** Rows that were reused from another build. */
export interface TakenOverSummary {
  /** Hash of the other build's code. */
  readonly code: string;
  readonly rows: number;
  /** Number of the other build's rows whose flights were flown again and gave the same rows. */
  readonly repeated: number;
}

/** The probability that a requirement holds in a flight, with its interval. */
export interface RequirementProbability {
  readonly value: number;
  /** Confidence bounds. */
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
}

/** Conclusions drawn from the rows. */
export interface Conclusions {
  /** Rows that were reused from another build; absent if there are none. */
  readonly takenOver?: TakenOverSummary;
  /** Number of flights after the one at which a sequential plan stopped; no statistic includes them. */
  readonly beyond: number;
  readonly criteria: readonly CriterionSummary[];
  /** One per requirement; null if the flights were not drawn at random. */
  readonly probabilities: readonly (RequirementProbability | null)[];
  readonly sensitivity: readonly SensitivitySummary[];
  readonly shrunk: readonly ShrunkFlight[];
  /** Comparison of the two sides of a `pairs` plan; undefined for other plans. */
  readonly pairs?: CampaignComparison;
  /** Result of a `splitting` plan; undefined for other plans. */
  readonly rareEvent?: RareEventSummary;
  readonly kept: readonly KeptFlight[];
}

export const SUMMARY_FORMAT = 1;

/** Statistics of a campaign's rows, and the conclusions drawn from them. */
export interface CampaignSummary extends RowsSummary, Conclusions {
  readonly format: typeof SUMMARY_FORMAT;
  readonly campaign: Omit<Manifest, "format" | "requirements" | "measures" | "criteria" | "shard">;
}
