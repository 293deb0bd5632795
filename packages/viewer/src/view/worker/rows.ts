/** Collects log rows as float32 until they are sent, and arranges them by column. */
import type { Readable } from "@escapement/core";
import type { RowBatch } from "../protocol.ts";

const INITIAL_ROWS = 128;

export class RowBuffer {
  private readonly columns: readonly number[];
  private times = new Float64Array(INITIAL_ROWS);
  private values: Float32Array;
  /** Number of unsent rows. */
  count = 0;
  /** Number of rows that `take` has returned so far. */
  sent = 0;

  /** `columns` are the indices of the columns to keep. */
  constructor(columns: readonly number[]) {
    this.columns = columns;
    this.values = new Float32Array(INITIAL_ROWS * columns.length);
  }

  add(tUs: number, row: Readable): void {
    if (this.count === this.times.length) this.grow();
    this.times[this.count] = tUs;
    const start = this.count * this.columns.length;
    for (let i = 0; i < this.columns.length; i += 1) this.values[start + i] = row[this.columns[i]!] ?? Number.NaN;
    this.count += 1;
  }

  /** Removes and returns the unsent rows, column by column. */
  take(): RowBatch {
    const { count, columns } = this;
    const values = new Float32Array(count * columns.length);
    for (let row = 0; row < count; row += 1) {
      for (let i = 0; i < columns.length; i += 1) values[i * count + row] = this.values[row * columns.length + i]!;
    }
    const timesUs = this.times.slice(0, count);
    this.sent += count;
    this.count = 0;
    // A flight that has ended keeps its buffer, so shrink it.
    if (this.times.length > INITIAL_ROWS) {
      this.times = new Float64Array(INITIAL_ROWS);
      this.values = new Float32Array(INITIAL_ROWS * columns.length);
    }
    return { timesUs, values };
  }

  private grow(): void {
    const [times, values] = [this.times, this.values];
    this.times = new Float64Array(2 * times.length);
    this.times.set(times);
    this.values = new Float32Array(2 * values.length);
    this.values.set(values);
  }
}
