/**
 * Stores rows of float64. Its arrays start with one row and double in size, because the width of a row comes from an
 * untrusted file.
 */
import { swapFileOrder } from "../bytes/byte-order.ts";

export class RowStore {
  readonly width: number;
  count = 0;
  private times = new Float64Array(1);
  private cells: Float64Array;

  constructor(width: number) {
    this.width = width;
    this.cells = new Float64Array(width);
  }

  /** Appends a row of raw little-endian bytes. */
  push(tUs: number, bytes: Uint8Array): void {
    const { width } = this;
    if (bytes.length !== 8 * width) throw new RangeError("a message has the wrong length for its channel");
    if (this.count === this.times.length) this.grow();
    this.times[this.count] = tUs;
    const row = new Uint8Array(this.cells.buffer, 8 * width * this.count, 8 * width);
    row.set(bytes);
    swapFileOrder(row);
    this.count += 1;
  }

  get timesUs(): Float64Array {
    return this.times.subarray(0, this.count);
  }

  get values(): Float64Array {
    return this.cells.subarray(0, this.count * this.width);
  }

  private grow(): void {
    const { times, cells } = this;
    this.times = new Float64Array(2 * times.length);
    this.times.set(times);
    this.cells = new Float64Array(2 * cells.length);
    this.cells.set(cells);
  }
}
