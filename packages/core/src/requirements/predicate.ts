/** Predicates: comparisons and events, with their margins at each sample of a block. */
import { FACT, isKept, marginOf } from "./comparison.ts";
import { isSame } from "./segments.ts";

export interface PredicateText {
  readonly text: string;
  /** Coherent unit of its margin; empty if it has no margin, and for plain numbers. */
  readonly unit: string;
  readonly isFact: boolean;
  /**
   * A difference of practical importance, in that unit. Margins in different units are divided by it to compare them.
   */
  readonly scale: number;
  readonly isEvent: boolean;
}

/** A predicate and its columns. */
export interface Predicate extends PredicateText {
  readonly index: number;
  /** Margin at each sample of the block. */
  readonly margins: Float64Array;
  /** Left-hand value at each sample of the block. */
  readonly lefts: Float64Array;
  /** Least and greatest margin of the block; not numbers if a margin is not known. */
  readonly extremes: Float64Array;
  /** The margin at the sample before the block, the time since which it was the same, and the left-hand value then. */
  readonly run: Float64Array;
}

/** Indices of `extremes`. */
export const LEAST = 0;
export const GREATEST = 1;

/** Indices of `run`. The time is infinite if there is no sample before the block or its margin is not known. */
export const RUN_MARGIN = 0;
export const RUN_SINCE_US = 1;
export const RUN_LEFT = 2;

/** Writes the margins of a comparison and their extremes. */
export function compareColumns(
  { margins, lefts, extremes }: Predicate,
  code: number,
  rights: Float64Array,
  count: number,
  hasUnknown: boolean,
): void {
  const isFact = code >= FACT;
  const comparator = code % FACT;
  let least = Infinity;
  let greatest = -Infinity;
  for (let k = 0; k < count; k += 1) {
    const left = lefts[k]!;
    const right = rights[k]!;
    let margin = marginOf(comparator, left, right);
    if (hasUnknown && (left !== left || right !== right)) margin = NaN;
    else if (margin !== margin) margin = -Infinity;
    else if (isFact) margin = isKept(margin) ? Infinity : -Infinity;
    margins[k] = margin;
    least = Math.min(least, margin);
    greatest = Math.max(greatest, margin);
  }
  extremes[LEAST] = least;
  extremes[GREATEST] = greatest;
}

/** Keeps since when a predicate has had the margin of the last sample, before the next block begins. */
export function keepRun(predicate: Predicate, timesUs: Float64Array, count: number): void {
  if (predicate.isEvent) keepEventRun(predicate, timesUs, count);
  else keepComparisonRun(predicate, timesUs, count);
}

function keepComparisonRun({ run, margins, lefts }: Predicate, timesUs: Float64Array, count: number): void {
  const margin = margins[count - 1]!;
  let first = count - 1;
  while (first > 0 && isSame(margins[first - 1]!, margin)) first -= 1;
  if (first === 0 && run[RUN_SINCE_US] !== Infinity && isSame(run[RUN_MARGIN]!, margin)) return;
  const isKnown = margin === margin;
  run[RUN_MARGIN] = isKnown ? margin : 0;
  run[RUN_SINCE_US] = isKnown ? timesUs[first]! : Infinity;
  run[RUN_LEFT] = isKnown ? lefts[first]! : 0;
}

/** An event ends one microsecond after its sample. */
function keepEventRun({ run, margins }: Predicate, timesUs: Float64Array, count: number): void {
  let last = count - 1;
  while (last >= 0 && margins[last]! < 0) last -= 1;
  if (last < 0 && run[RUN_SINCE_US] !== Infinity) return;
  run[RUN_MARGIN] = -Infinity;
  run[RUN_SINCE_US] = last < 0 ? timesUs[0]! : timesUs[last]! + 1;
}
