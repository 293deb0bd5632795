/**
 * A piecewise constant margin as a queue of segments, which one node of a monitor writes and the next one reads.
 *
 * A segment holds from its start to the start of the next one. Segments up to `finalUs` are certain; those after it may
 * still change. The queue is a ring that doubles when it is full, so nothing is allocated per sample. Each value has
 * its origin: the predicate and the sample that decided it.
 */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import type { SampleBlock } from "./sample-block.ts";

/** Fields of a segment. */
export const START = 0;
export const VALUE = 1;
/** Index of the predicate that decided; −1 if none did. */
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

/** No predicate has this index. */
const NO_PREDICATE = -2;

/**
 * Whether a[i] < b[k], with −0 below +0. The numbers are not passed, because V8 allocates them for a call that it does
 * not inline.
 */
export function isLess(a: Float64Array, i: number, b: Float64Array, k: number): boolean {
  const x = a[i]!;
  const y = b[k]!;
  return x < y || (x === 0 && y === 0 && 1 / x < 1 / y);
}

/** Whether two values are the same; +0 and −0 differ. */
export function isSame(a: number, b: number): boolean {
  return a === b && (a !== 0 || 1 / a === 1 / b);
}

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

/** The index of a predicate, and the factor and divisor of its margins. */
export interface PredicateSign {
  readonly predicate: number;
  readonly sign: number;
  readonly scale: number;
}

export class Segments implements Saveable {
  data = new Float64Array(INITIAL_CAPACITY * FIELDS);
  count = 0;
  /** The time up to which segments are certain, in a cell, because V8 allocates a returned number. */
  readonly finalUs = Float64Array.of(-Infinity);
  private head = 0;
  private mask = INITIAL_CAPACITY - 1;
  /** Value, predicate and instant of the segment that was emitted last. */
  private readonly last = Float64Array.of(0, NO_PREDICATE, 0);

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

  /** Adds a copy of a segment, unless the same sample decided the one that was emitted last. */
  emit(from: Float64Array, at: number): void {
    const { last } = this;
    if (this.isRepeated(from, at) && last[2] === from[at + INSTANT]) return;
    last[0] = from[at + VALUE]!;
    last[1] = from[at + PREDICATE]!;
    last[2] = from[at + INSTANT]!;
    this.put(from, at);
  }

  /**
   * Adds a segment at each sample of a block whose value differs from the one before, from the second sample on. The
   * first one must have been emitted, unless it repeats the last segment. One call per block takes half the time of a
   * call per sample.
   */
  emitChanges(
    { timesUs, count }: Pick<SampleBlock, "timesUs" | "count">,
    margins: Float64Array,
    lefts: Float64Array,
    { predicate, sign, scale }: PredicateSign,
  ): void {
    const { last } = this;
    for (let k = 1; k < count; k += 1) {
      const margin = sign * margins[k]!;
      const value = margin / scale;
      if (isSame(value, last[0]!)) continue;
      if (this.count > this.mask) this.grow();
      const { data } = this;
      const at = this.at(this.count);
      this.count += 1;
      data[at + START] = timesUs[k]!;
      data[at + VALUE] = value;
      data[at + PREDICATE] = predicate;
      data[at + INSTANT] = timesUs[k]!;
      data[at + LEFT] = lefts[k]!;
      data[at + MARGIN] = margin;
      data[at + END] = 0;
      last[0] = value;
      last[2] = timesUs[k]!;
    }
  }

  /** Whether a segment has the value and the predicate of the one that was emitted last. */
  isRepeated(from: Float64Array, at: number): boolean {
    return this.last[1] === from[at + PREDICATE] && isSame(this.last[0]!, from[at + VALUE]!);
  }

  /** Lets the next segment be emitted even if it repeats the last one. */
  allowRepeat(): void {
    this.last[1] = NO_PREDICATE;
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
