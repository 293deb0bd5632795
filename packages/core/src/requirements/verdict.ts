/**
 * The verdict on one requirement of one flight.
 *
 * A margin is an interval: its ends are equal once everything that the requirement needs was flown. Zero has two values:
 * +0 is kept with nothing to spare, −0 is violated by nothing. So a margin decides every requirement, and no requirement
 * is decided by rounding.
 */

/**
 * `undecided`: the flight ended too early to tell. `untested`: what the requirement refers to never happened, so nothing
 * was checked.
 */
export type VerdictWord = "holds" | "violated" | "undecided" | "untested";

/** A requirement of severity `warning` is reported, but does not change the exit code. */
export type Severity = "error" | "warning";

/** The predicate and the instant that decide the margin. */
export interface Binding {
  /** Canonical text of the predicate, e.g. `altitude > 2 m`. */
  readonly predicate: string;
  /** Time of the look that decides. */
  readonly tUs: number;
  /** Margin of this predicate, in its own unit; infinite for a fact, which is true or false. */
  readonly margin: number;
  /** Unit of the margin and the value; empty for facts and dimensionless quantities. */
  readonly unit: string;
  /** Left-hand side of the comparison at that look. */
  readonly value: number;
}

/** What a flight's monitors found about one requirement. */
export interface Verdict {
  /** The text if the requirement has no name of its own. */
  readonly name: string;
  /** The requirement in canonical form. */
  readonly text: string;
  readonly severity: Severity;
  /** Whether `untested` counts as violated. */
  readonly mustOccur: boolean;
  readonly verdict: VerdictWord;
  /** The margin lies between these; in `unit`, or in scales of the quantities if their units differ. */
  readonly low: number;
  readonly high: number;
  /** Undefined if the predicates have different units. */
  readonly unit: string | undefined;
  /** The margin divided by the scales of the quantities, for searches. */
  readonly scaledLow: number;
  readonly scaledHigh: number;
  /** Absent if no predicate decided, e.g. if the requirement is untested. */
  readonly binding: Binding | undefined;
  /** Longest time between two looks at the flight. Values that come and go in between are not seen. */
  readonly longestLookGapUs: number;
  /** Of a log: why it leaves the requirement undecided, or which of the values it takes from elsewhere. */
  readonly note?: string;
}

/** Whether a margin counts as kept: greater than zero, or +0. */
export function isKept(margin: number): boolean {
  return margin > 0 || Object.is(margin, 0);
}

/** The word for a margin between these bounds. */
export function verdictWord(low: number, high: number): Exclude<VerdictWord, "untested"> {
  if (isKept(low)) return "holds";
  return isKept(high) ? "undecided" : "violated";
}

/** Whether a verdict makes the flight fail: violated, or untested although the event must occur. */
export function isFailure({
  verdict,
  severity,
  mustOccur,
}: Pick<Verdict, "verdict" | "severity" | "mustOccur">): boolean {
  return severity === "error" && (verdict === "violated" || (verdict === "untested" && mustOccur));
}
