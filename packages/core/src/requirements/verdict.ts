/**
 * The verdict on one requirement of one flight.
 *
 * A margin is an interval. Its ends are equal once the flight covers every instant that the requirement needs. The sign
 * of zero matters: +0 means that the requirement holds exactly at its limit, −0 that it is violated exactly at its
 * limit. So the sign of the margin always determines the verdict.
 */
import { isSatisfied } from "./comparison.ts";

/**
 * `undecided`: the flight ended too early to tell. `untested`: the event or condition that the requirement refers to
 * never occurred, so nothing was checked.
 */
export type VerdictWord = "holds" | "violated" | "undecided" | "untested";

/** A requirement of severity `warning` is reported, but does not change the exit code. */
export type Severity = "error" | "warning";

/** The predicate and the instant that decide the margin. */
export interface Binding {
  /** Canonical text of the predicate, e.g. `altitude > 2 m`. */
  readonly predicate: string;
  /** Time of the sample that decides. */
  readonly tUs: number;
  /** Margin of this predicate, in its own unit; infinite for a boolean predicate. */
  readonly margin: number;
  /** Unit of the margin and the value; empty for boolean and dimensionless quantities. */
  readonly unit: string;
  /** Left-hand side of the comparison at that sample. */
  readonly value: number;
}

/** The result of monitoring one requirement. */
export interface Verdict {
  /** The text if the requirement has no name. */
  readonly name: string;
  /** The requirement in canonical form. */
  readonly text: string;
  readonly severity: Severity;
  /** Whether `untested` counts as violated. */
  readonly mustOccur: boolean;
  readonly verdict: VerdictWord;
  /** The margin lies between these, in `unit`; if units differ, each quantity is divided by its scale. */
  readonly low: number;
  readonly high: number;
  /** Undefined if the predicates have different units. */
  readonly unit: string | undefined;
  /** The bounds of the margin without units, for searches: each quantity is divided by its scale. */
  readonly scaledLow: number;
  readonly scaledHigh: number;
  /** Absent if no predicate decided, e.g. if the requirement is untested. */
  readonly binding: Binding | undefined;
  /**
   * The window in which the requirement was decided, in flight time; absent if it is the whole flight, or not one span.
   */
  readonly windowUs?: readonly [from: number, to: number];
  /** Longest time between two samples of the flight. Changes that reverse between two samples are not detected. */
  readonly longestSampleGapUs: number;
  /** For a log: why the requirement is undecided, or which signals were replaced by others. */
  readonly note?: string;
}

/** Returns the word for a margin between these bounds. */
export function verdictWord(low: number, high: number): Exclude<VerdictWord, "untested"> {
  if (isSatisfied(low)) return "holds";
  return isSatisfied(high) ? "undecided" : "violated";
}

/**
 * Whether a verdict makes the flight fail: its severity is `error`, and it is violated, or untested although the event
 * must occur.
 */
export function isFailure({
  verdict,
  severity,
  mustOccur,
}: Pick<Verdict, "verdict" | "severity" | "mustOccur">): boolean {
  return severity === "error" && (verdict === "violated" || (verdict === "untested" && mustOccur));
}
