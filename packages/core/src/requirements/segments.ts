/**
 * A piecewise constant margin as a queue of segments, which one node of a monitor writes and the next one reads.
 *
 * A segment holds from its start to the start of the next one. Segments up to `finalUs` are certain; those after it may
 * still change. The queue is a ring that doubles when it is full, so nothing is allocated per sample. Each value has
 * its origin: the predicate and the sample that decided it.
 */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import { isSame } from "./comparison.ts";
import { RUN_LEFT, RUN_SINCE_US } from "./predicate.ts";
import { LOWER, UPPER } from "./relevance.ts";
import type { SampleBlock } from "./sample-block.ts";

/** Fields of a segment. */
export const START = 0;
export const VALUE = 1;
/** Index of the predicate that decided, or `NO_PREDICATE`. */
export const PREDICATE = 2;
/** Time of the sample that decided. */
export const INSTANT = 3;
/** Left-hand value of the predicate, and its margin in its own unit. */
export const LEFT = 4;
export const MARGIN = 5;
/** Start of the next segment; used only in windows. */
export const END = 6;
export const FIELDS = 7;

const INITIAL_CAPACITY = 64;

/** Stands for the index of a predicate in a segment that no predicate decided. */
export const NO_PREDICATE = -1;
/** The predicate in `last` while no segment has been emitted. */
const NOTHING = -2;

/** Copies a segment. It is unrolled, because a loop takes twice as long. */
export function copySegment(from: Float64Array, at: number, to: Float64Array, toAt: number): void {
  to[toAt] = from[at]!;
  to[toAt + 1] = from[at + 1]!;
  to[toAt + 2] = from[at + 2]!;
  to[toAt + 3] = from[at + 3]!;
  to[toAt + 4] = from[at + 4]!;
  to[toAt + 5] = from[at + 5]!;
  to[toAt + 6] = from[at + 6]!;
}

/** The margins of a comparison at the samples of a block, and the numbers that convert them to segments. */
export interface Margins {
  readonly margins: Float64Array;
  /** Left-hand values of the comparison. */
  readonly lefts: Float64Array;
  /** The time since which the margin of the first sample has been the same, and the left-hand value at that time. */
  readonly run: Float64Array;
  /** Limits of the relevant values. */
  readonly limits: Float64Array;
  readonly predicate: number;
  readonly sign: number;
  readonly scale: number;
  /** The value that replaces an unknown margin. */
  readonly unknown: number;
}

export class Segments implements Saveable {
  data = new Float64Array(INITIAL_CAPACITY * FIELDS);
  count = 0;
  /** The time up to which segments are certain, in a cell, because V8 allocates a returned number. */
  readonly finalUs = Float64Array.of(-Infinity);
  private head = 0;
  private mask = INITIAL_CAPACITY - 1;
  /** Value, predicate and instant of the segment that was emitted last. */
  private readonly last = Float64Array.of(0, NOTHING, 0);

  /** Returns the offset of the i-th segment in `data`. */
  at(i: number): number {
    return ((this.head + i) & this.mask) * FIELDS;
  }

  /** Adds a copy of a segment, and returns its offset. */
  push(from: Float64Array, fromAt: number): number {
    if (this.count > this.mask) this.grow();
    const at = this.at(this.count);
    this.count += 1;
    copySegment(from, fromAt, this.data, at);
    return at;
  }

  /** Adds a copy of a segment, unless the one that was emitted last has the same value, predicate and instant. */
  emit(from: Float64Array, at: number): void {
    const { last } = this;
    if (this.isRepeated(from, at) && last[2] === from[at + INSTANT]) return;
    last[0] = from[at + VALUE]!;
    last[1] = from[at + PREDICATE]!;
    last[2] = from[at + INSTANT]!;
    this.put(from, at);
  }

  /**
   * Adds a segment at each sample of a block, from `first` on, at which the value or the predicate changes. The margin
   * of the first sample has been the same since the time in `run`. One call per block takes half the time of a call
   * per sample.
   */
  emitMargins(
    { timesUs, count }: Pick<SampleBlock, "timesUs" | "count">,
    first: number,
    { margins, lefts, run, limits, predicate, sign, scale, unknown }: Margins,
  ): void {
    const { last } = this;
    const lower = limits[LOWER]!;
    const upper = limits[UPPER]!;
    for (let k = first; k < count; k += 1) {
      const margin = sign * margins[k]!;
      let value = margin / scale;
      let decidedBy = predicate;
      if (value !== value) {
        value = unknown;
        decidedBy = NO_PREDICATE;
      }
      // A zero is not replaced, because its sign matters.
      if (value < lower || (value === lower && value !== 0)) {
        value = lower;
        decidedBy = NO_PREDICATE;
      } else if (value > upper || (value === upper && value !== 0)) {
        value = upper;
        decidedBy = NO_PREDICATE;
      }
      const isFirst = k === first;
      if (decidedBy === last[1] && isSame(value, last[0]!) && !(isFirst && last[2] !== run[RUN_SINCE_US])) continue;
      if (this.count > this.mask) this.grow();
      const { data } = this;
      const at = this.at(this.count);
      this.count += 1;
      data[at + START] = timesUs[k]!;
      data[at + VALUE] = value;
      data[at + PREDICATE] = decidedBy;
      data[at + INSTANT] = isFirst ? run[RUN_SINCE_US]! : timesUs[k]!;
      data[at + LEFT] = isFirst ? run[RUN_LEFT]! : lefts[k]!;
      data[at + MARGIN] = margin;
      data[at + END] = 0;
      last[0] = value;
      last[1] = decidedBy;
      last[2] = data[at + INSTANT]!;
    }
  }

  /**
   * Adds a segment that has a limit as its value and no predicate, unless the segment that was emitted last is the
   * same.
   */
  emitLimit(startUs: Float64Array, limits: Float64Array, limit: number): void {
    const { last } = this;
    if (last[1] === NO_PREDICATE && isSame(last[0]!, limits[limit]!)) return;
    if (this.count > this.mask) this.grow();
    const at = this.at(this.count);
    this.count += 1;
    this.data.fill(0, at, at + FIELDS);
    this.data[at + START] = startUs[0]!;
    this.data[at + VALUE] = limits[limit]!;
    this.data[at + PREDICATE] = NO_PREDICATE;
    this.data[at + INSTANT] = startUs[0]!;
    last[0] = limits[limit]!;
    last[1] = NO_PREDICATE;
    last[2] = startUs[0]!;
  }

  /** Whether a segment has the value and the predicate of the one that was emitted last. */
  isRepeated(from: Float64Array, at: number): boolean {
    return this.last[1] === from[at + PREDICATE] && isSame(this.last[0]!, from[at + VALUE]!);
  }

  /** Adds a copy of a segment, or replaces the last one if it begins at the same time. */
  put(from: Float64Array, fromAt: number): void {
    const end = this.at(this.count - 1);
    if (this.count > 0 && this.data[end + START] === from[fromAt + START]) {
      copySegment(from, fromAt, this.data, end);
    } else this.push(from, fromAt);
  }

  dropFirst(): void {
    this.count -= 1;
    // An empty queue begins again at its start, so that it touches little memory.
    this.head = this.count === 0 ? 0 : (this.head + 1) & this.mask;
  }

  dropLast(): void {
    this.count -= 1;
  }

  save(writer: SnapshotWriter): void {
    writer.number(this.finalUs[0]!);
    writer.numbers(this.last);
    writer.number(this.count);
    for (let i = 0; i < this.count; i += 1) {
      const at = this.at(i);
      writer.numbers(this.data.subarray(at, at + FIELDS));
    }
  }

  load(reader: SnapshotReader): void {
    this.finalUs[0] = reader.number();
    reader.numbersInto(this.last);
    const count = reader.number();
    this.head = 0;
    this.count = 0;
    const segment = new Float64Array(FIELDS);
    for (let i = 0; i < count; i += 1) {
      reader.numbersInto(segment);
      this.push(segment, 0);
    }
  }

  private grow(): void {
    const larger = new Float64Array(2 * this.data.length);
    for (let i = 0; i < this.count; i += 1) copySegment(this.data, this.at(i), larger, i * FIELDS);
    this.data = larger;
    this.head = 0;
    this.mask = 2 * this.mask + 1;
  }
}
