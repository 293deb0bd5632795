/**
 * The cells of a column until their row group is written.
 *
 * They are kept in typed arrays. Objects would live until the group is written, and V8 collects objects of that age so
 * late that writing a long table would take several times as much memory.
 */
import type { Cell, CellType } from "./columns.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** UTF-8 has at most three bytes per UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

export class CellBuffer {
  length = 0;
  private readonly isText: boolean;
  private nulls = 0;
  private readonly isNull: Uint8Array;
  private readonly numbers: Float64Array;
  /** Text of all cells. The text of cell i ends at `ends[i]`. */
  private text = new Uint8Array(1024);
  private readonly ends: Uint32Array;

  /** `size` is the maximum number of cells. */
  constructor(type: CellType, size: number) {
    this.isText = type === "string";
    this.isNull = new Uint8Array(size);
    this.numbers = new Float64Array(this.isText ? 0 : size);
    this.ends = new Uint32Array(this.isText ? size : 0);
  }

  push(cell: Cell): void {
    const i = this.length;
    this.isNull[i] = cell === null ? 1 : 0;
    if (cell === null) this.nulls += 1;
    if (this.isText) this.ends[i] = this.addText(cell as string | null);
    else this.numbers[i] = cell as number;
    this.length += 1;
  }

  /** Returns the cells. The result is valid until the next `push`. */
  cells(): Cell[] | Float64Array {
    if (!this.isText && this.nulls === 0) return this.numbers.subarray(0, this.length);
    return Array.from({ length: this.length }, (_, i) => {
      if (this.isNull[i] === 1) return null;
      return this.isText ? decoder.decode(this.text.subarray(this.endOf(i - 1), this.endOf(i))) : this.numbers[i]!;
    });
  }

  clear(): void {
    this.length = 0;
    this.nulls = 0;
  }

  /** Adds a text and returns the offset of its end. */
  private addText(cell: string | null): number {
    const start = this.endOf(this.length - 1);
    if (cell === null) return start;
    const needed = start + MAX_BYTES_PER_UNIT * cell.length;
    if (needed > this.text.length) {
      const longer = new Uint8Array(Math.max(needed, 2 * this.text.length));
      longer.set(this.text);
      this.text = longer;
    }
    return start + encoder.encodeInto(cell, this.text.subarray(start)).written;
  }

  private endOf(i: number): number {
    return i < 0 ? 0 : this.ends[i]!;
  }
}
