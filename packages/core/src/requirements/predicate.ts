/** Predicates: comparisons and events, with their margins at each sample of a block. */
import { COMPARATORS, isEquality, isSame, makeFact, marginInto, marginsInto, risesWithLeft } from "./comparison.ts";
import type { Comparator } from "./tree.ts";

export interface PredicateInfo {
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

/** A value at each sample of a block. */
export interface Column {
  readonly values: Float64Array;
  /** Its least and its greatest value in the block; NaN if a value is unknown. */
  readonly extremes: Float64Array;
}

/** Indices of `extremes`. */
export const LEAST = 0;
export const GREATEST = 1;
type Side = typeof LEAST | typeof GREATEST;

/** Indices of `run`. The time is infinite if there is no sample before the block or its margin is unknown. */
export const RUN_MARGIN = 0;
export const RUN_SINCE_US = 1;
export const RUN_LEFT = 2;

/** Writes the extremes of a column. A zero is −0 as the least value and +0 as the greatest, whatever its sign. */
export function findExtremes({ values, extremes }: Column, count: number): void {
  let least = Infinity;
  let greatest = -Infinity;
  let isKnown = true;
  // Comparisons take half the time of Math.min and Math.max.
  for (let k = 0; k < count; k += 1) {
    const value = values[k]!;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
    if (value !== value) isKnown = false;
  }
  extremes[LEAST] = least;
  if (least === 0) extremes[LEAST] = -0;
  extremes[GREATEST] = greatest + 0;
  if (!isKnown) extremes.fill(NaN);
}

export abstract class Predicate {
  readonly info: PredicateInfo;
  readonly index: number;
  /**
   * The margin at the sample before the block, the time since which it has been the same, and the left-hand value at
   * that time.
   */
  readonly run = Float64Array.of(0, Infinity, 0);
  /** Left-hand value at each sample of the block. */
  abstract readonly lefts: Float64Array;
  /** Margin at each sample of the block; valid after `computeMargins`. */
  readonly margins: Float64Array;
  private isComputed = false;

  constructor(info: PredicateInfo, index: number, size: number) {
    this.info = info;
    this.index = index;
    this.margins = new Float64Array(size);
  }

  /** Computes the margins of the block. Most blocks do not need them, because bounds of the margins are enough. */
  computeMargins(count: number): void {
    if (this.isComputed) return;
    this.fill(0, count);
    this.isComputed = true;
  }

  /**
   * Writes a lower or an upper bound of the margins in the block; NaN if there is none. The bound is written, not
   * returned, because V8 allocates a returned number.
   */
  abstract boundInto(out: Float64Array, at: number, side: Side): void;

  /** Ends the block: stores the time since which the margin of its last sample has been the same. */
  endBlock(timesUs: Float64Array, count: number): void {
    this.updateRun(timesUs, count);
    this.isComputed = false;
  }

  /** Computes the margins of the samples from `first` up to but not including `end`. */
  protected abstract fill(first: number, end: number): void;
  protected abstract updateRun(timesUs: Float64Array, count: number): void;
}

interface ComparisonOptions {
  readonly left: Column;
  readonly right: Column;
  readonly comparator: Comparator;
  /** Whether NaN means an unknown value. In flights it does not: a comparison with NaN is false, except `!=`. */
  readonly hasUnknown: boolean;
}

export class Comparison extends Predicate {
  readonly lefts: Float64Array;
  private readonly left: Column;
  private readonly right: Column;
  private readonly code: number;
  private readonly isFact: boolean;
  private readonly hasUnknown: boolean;

  constructor(info: PredicateInfo, index: number, { left, right, comparator, hasUnknown }: ComparisonOptions) {
    super(info, index, left.values.length);
    this.lefts = left.values;
    this.left = left;
    this.right = right;
    this.code = COMPARATORS.indexOf(comparator);
    this.isFact = info.isFact;
    this.hasUnknown = hasUnknown;
  }

  boundInto(out: Float64Array, at: number, side: Side): void {
    const { code, isFact } = this;
    const left = this.left.extremes;
    const right = this.right.extremes;
    if (isEquality(code) && !this.isConstant()) {
      out[at] = side === LEAST ? -Infinity : Infinity;
      return;
    }
    // The margin of >= and > rises with the left value and falls with the right one; <= and < are the opposite.
    const leftSide = risesWithLeft(code) ? side : 1 - side;
    marginInto(out, at, code, left, leftSide, right, 1 - leftSide);
    if (isFact && out[at] === out[at]) makeFact(out, at);
  }

  protected fill(first: number, end: number): void {
    const { margins, lefts, code, isFact, hasUnknown } = this;
    const rights = this.right.values;
    marginsInto(margins, first, end, code, lefts, rights);
    if (isFact) for (let k = first; k < end; k += 1) makeFact(margins, k);
    if (!hasUnknown) return;
    for (let k = first; k < end; k += 1) if (lefts[k] !== lefts[k] || rights[k] !== rights[k]) margins[k] = NaN;
  }

  protected updateRun(timesUs: Float64Array, count: number): void {
    const { run, lefts, margins } = this;
    const last = count - 1;
    this.fill(last, count);
    let first = this.isConstant() ? 0 : last;
    while (first > 0) {
      this.fill(first - 1, first);
      if (!isSame(margins[first - 1]!, margins[last]!)) break;
      first -= 1;
    }
    if (first === 0 && run[RUN_SINCE_US] !== Infinity && isSame(run[RUN_MARGIN]!, margins[last]!)) return;
    const isKnown = margins[last] === margins[last];
    run[RUN_MARGIN] = isKnown ? margins[last]! : 0;
    run[RUN_SINCE_US] = isKnown ? timesUs[first]! : Infinity;
    run[RUN_LEFT] = isKnown ? lefts[first]! : 0;
  }

  /** Whether both values are the same at all samples of the block, up to the signs of zeros. */
  private isConstant(): boolean {
    const left = this.left.extremes;
    const right = this.right.extremes;
    return left[LEAST] === left[GREATEST] && right[LEAST] === right[GREATEST];
  }
}

/** An event. It lasts one microsecond, so the margins at the samples say nothing about the rest of the block. */
export class EventPredicate extends Predicate {
  readonly lefts: Float64Array;
  private readonly fired: Uint8Array;

  constructor(info: PredicateInfo, index: number, fired: Uint8Array) {
    super(info, index, fired.length);
    this.lefts = new Float64Array(fired.length);
    this.fired = fired;
  }

  boundInto(out: Float64Array, at: number, side: Side): void {
    out[at] = side === LEAST ? -Infinity : Infinity;
  }

  protected fill(first: number, end: number): void {
    for (let k = first; k < end; k += 1) {
      this.margins[k] = this.fired[k] === 1 ? Infinity : -Infinity;
      this.lefts[k] = this.fired[k]!;
    }
  }

  /** An event ends one microsecond after its sample. */
  protected updateRun(timesUs: Float64Array, count: number): void {
    const { run, fired } = this;
    let last = count - 1;
    while (last >= 0 && fired[last] === 0) last -= 1;
    if (last < 0 && run[RUN_SINCE_US] !== Infinity) return;
    run[RUN_MARGIN] = -Infinity;
    run[RUN_SINCE_US] = last < 0 ? timesUs[0]! : timesUs[last]! + 1;
  }
}
