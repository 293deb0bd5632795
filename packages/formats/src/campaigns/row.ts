/**
 * A row: the data that a campaign stores about one flight.
 *
 * A row contains no date, host or path, so it has the same bytes on every machine, and a flight that is flown twice
 * gives the same row twice.
 */
import type { OutcomeKind } from "@escapement/core";

/**
 * `undecided`: the flight ended too early to decide. `untested`: the situation that the requirement refers to never
 * occurred, so nothing was checked.
 */
export type VerdictWord = "holds" | "violated" | "undecided" | "untested";

/** A value of a varied key, as it is written into the flight. */
export type VariedValue = number | string | boolean;

/**
 * `cut`: the flight ended early because all its requirements were decided. `refused`: the varied values do not make a
 * valid flight. `poisoned`: the process or thread that flew the flight died or hung, twice.
 */
export type RowOutcome = OutcomeKind | "cut" | "refused" | "poisoned";

/** Verdict of one requirement in one flight. Name, text and severity of the requirement are in the manifest. */
export interface RowVerdict {
  readonly verdict: VerdictWord;
  /** Bounds of the margin, in the unit of the manifest; infinite for a yes-or-no condition. */
  readonly low: number;
  readonly high: number;
  /** The same bounds divided by the scales of the compared quantities, for searches. */
  readonly scaledLow: number;
  readonly scaledHigh: number;
  /** The predicate and the instant that decided the margin; null if none did. */
  readonly binding: RowBinding | null;
}

export interface RowBinding {
  readonly predicate: string;
  readonly tUs: number;
  /** Margin of the predicate and left-hand side of its comparison, both in `unit`. */
  readonly margin: number;
  readonly value: number;
  readonly unit: string;
}

/** The data that a campaign stores about one flight. */
export interface Row {
  /** Number of the flight in its campaign, from 0. */
  readonly k: number;
  /** First 16 hex digits of the hash of the flight's definition; empty if the outcome is `refused`. */
  readonly hash: string;
  readonly fingerprint: string;
  readonly outcome: RowOutcome;
  readonly reason: string;
  readonly endUs: number;
  /** Values of the varied keys as flown, after rounding, in the order of the manifest. */
  readonly varied: readonly VariedValue[];
  /** Verdicts in the order of the requirements in the manifest; empty if the flight gave no result. */
  readonly verdicts: readonly RowVerdict[];
  /** Measures in the order of the manifest; null if a measure has no value. Empty if the flight gave no result. */
  readonly measures: readonly (number | null)[];
  /** Only in rows of flights with stock PX4, which cannot be flown again bit for bit. */
  readonly isRepeatable?: false;
  /** Weight of the flight in estimates, if the plan does not sample the distribution that the campaign describes. */
  readonly weight?: number;
  /**
   * For a `splitting` plan: the times at which the score exceeded its earlier maximum, with the score. For a branch
   * they begin at the branch point.
   */
  readonly rises?: readonly (readonly [tUs: number, score: number])[];
}

/** A varied key of a campaign. */
export interface ManifestKey {
  /** As written in `vary`, e.g. `wind.w20Mps` or `scenario.engineOut.at`. */
  readonly key: string;
  /** Empty for words, flags and dimensionless numbers. */
  readonly unit: string;
  /** The distribution as written, e.g. `{ uniform: [3, 15] }`. */
  readonly distribution: Readonly<Record<string, unknown>>;
}

export interface ManifestRequirement {
  readonly name: string;
  readonly text: string;
  readonly severity: "error" | "warning";
  /** True if `untested` counts as violated. */
  readonly mustOccur: boolean;
  /** Unit of the margin; null if the predicates have different units. The margin is then a multiple of their scales. */
  readonly unit: string | null;
}

export interface ManifestMeasure {
  readonly name: string;
  readonly unit: string;
  /** Text of a measure that the campaign defines; empty for those of the flight's summary. */
  readonly text: string;
}

export const JOURNAL_FORMAT = 1;

/** The first line of a journal: the campaign of its rows, and the meaning of their values. */
export interface Manifest {
  readonly format: typeof JOURNAL_FORMAT;
  /**
   * `c1:` and 16 hex digits: a hash of everything that determines the flights, without requirements, measures and
   * criteria.
   */
  readonly identity: string;
  /** Hash of the code that determines the bits of a row, 64 hex digits. */
  readonly code: string;
  /** Hash of the requirements and measures, 64 hex digits. */
  readonly judged: string;
  readonly name: string;
  /** Name of the campaign file without folders, for commands that a reader can paste; empty for an object. */
  readonly file: string;
  /** Kind and settings of the plan. */
  readonly plan: Readonly<Record<string, unknown>> & { readonly kind: string };
  /** Number of flights; for searches, the maximum. */
  readonly flights: number;
  readonly seed: number;
  readonly seeds: "per-flight" | "common";
  readonly keys: readonly ManifestKey[];
  readonly requirements: readonly ManifestRequirement[];
  readonly measures: readonly ManifestMeasure[];
  readonly criteria: readonly string[];
  /** False for stock PX4, whose flights cannot be repeated bit for bit. */
  readonly isRepeatable: boolean;
  /** Set in the journal of one part of a campaign: flights k with k mod count = index. */
  readonly shard?: { readonly index: number; readonly count: number };
}
