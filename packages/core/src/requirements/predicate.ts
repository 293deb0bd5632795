/** Predicates: comparisons and events, with their margins at each sample of a block. */
import { COMPARATORS, factMargin, isEquality, marginOf, marginsInto, risesWithLeft } from "./comparison.ts";
import { isSame } from "./segments.ts";
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
  extremes[LEAST] = isKnown ? (least === 0 ? -0 : least) : NaN;
  extremes[GREATEST] = isKnown ? greatest + 0 : NaN;
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
  protected readonly column: Float64Array;
  private isFilled = false;

  constructor(info: PredicateInfo, index: number, size: number) {
    this.info = info;
    this.index = index;
    this.column = new Float64Array(size);
  }

  /** Returns the margins of the block. They are computed only if they are needed, because most blocks are skipped. */
  margins(count: number): Float64Array {
    if (!this.isFilled) {
      this.fill(count);
      this.isFilled = true;
    }
    return this.column;
  }

  /**
   * Writes a lower or an upper bound of the margins in the block; NaN if there is none. The bound is written, not
   * returned, because V8 allocates a returned number.
   */
  abstract boundInto(out: Float64Array, at: number, side: Side): void;

  /** Ends the block: stores since when the margin of its last sample has been the same. */
  endBlock(timesUs: Float64Array, count: number): void {
    this.updateRun(timesUs, count);
    this.isFilled = false;
  }

  protected abstract fill(count: number): void;
  protected abstract updateRun(timesUs: Float64Array, count: number): void;
}

interface ComparisonOptions {
  readonly left: Column;
  readonly right: Column;
  readonly comparator: Comparator;
  /** Whether NaN means an unknown value. In flights, a comparison with NaN is false. */
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
    const [left, right] = [this.left.extremes, this.right.extremes];
    if (isEquality(code) && !this.isConstant()) {
      out[at] = side === LEAST ? -Infinity : Infinity;
      return;
    }
    // The margin of >= and > rises with the left value and falls with the right one; <= and < are the opposite.
    const leftSide = risesWithLeft(code) ? side : 1 - side;
    const margin = marginOf(code, left[leftSide]!, right[1 - leftSide]!);
    out[at] = isFact && margin === margin ? factMargin(margin) : margin;
  }

  protected fill(count: number): void {
    const { column, lefts, code, isFact, hasUnknown } = this;
    if (isFact || hasUnknown) for (let k = 0; k < count; k += 1) column[k] = this.marginAt(k);
    else marginsInto(column, count, code, lefts, this.right.values);
  }

  protected updateRun(timesUs: Float64Array, count: number): void {
    const { run, lefts } = this;
    const margin = this.marginAt(count - 1);
    let first = this.isConstant() ? 0 : count - 1;
    while (first > 0 && isSame(this.marginAt(first - 1), margin)) first -= 1;
    if (first === 0 && run[RUN_SINCE_US] !== Infinity && isSame(run[RUN_MARGIN]!, margin)) return;
    const isKnown = margin === margin;
    run[RUN_MARGIN] = isKnown ? margin : 0;
    run[RUN_SINCE_US] = isKnown ? timesUs[first]! : Infinity;
    run[RUN_LEFT] = isKnown ? lefts[first]! : 0;
  }

  /** Whether both values are the same at all samples of the block, up to the signs of zeros. */
  private isConstant(): boolean {
    const [left, right] = [this.left.extremes, this.right.extremes];
    return left[LEAST] === left[GREATEST] && right[LEAST] === right[GREATEST];
  }

  private marginAt(k: number): number {
    const left = this.lefts[k]!;
    const right = this.right.values[k]!;
    if (this.hasUnknown && (left !== left || right !== right)) return NaN;
    const margin = marginOf(this.code, left, right);
    if (margin !== margin) return -Infinity;
    return this.isFact ? factMargin(margin) : margin;
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

  protected fill(count: number): void {
    for (let k = 0; k < count; k += 1) {
      this.column[k] = this.fired[k] === 1 ? Infinity : -Infinity;
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
