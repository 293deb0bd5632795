/**
 * Rows of float64 with their times, for recordings of unknown length. They are stored in blocks, so that no row is
 * copied again when more memory is needed, and nothing is allocated per row.
 */
import type { Stream } from "./recording.ts";

/** Values per block: large enough that blocks are rarely allocated, small enough that the last one wastes little. */
const BLOCK_VALUES = 32_768;

export class RowBlocks {
  /** Values per row, without the time. */
  readonly size: number;
  private readonly rowsPerBlock: number;
  private readonly blocks: Float64Array[] = [];
  private rows = 0;
  /** The selected row: its block, the 32-bit words of that block, and the index of the row's time in the block. */
  private block: Float64Array = new Float64Array(0);
  private words: Int32Array = new Int32Array(0);
  private at = 0;

  constructor(size: number) {
    this.size = size;
    this.rowsPerBlock = Math.max(1, Math.floor(BLOCK_VALUES / (1 + size)));
  }

  /** Adds a row: the time in the first cell of `tUs`, and the values. */
  push(tUs: Float64Array, values: Float64Array): void {
    this.select(this.rows);
    this.rows += 1;
    this.block[this.at] = tUs[0]!;
    this.block.set(values, this.at + 1);
  }

  /** Returns true if the last row has exactly the bits of these values, given as 32-bit words. */
  endsWith(words: Int32Array): boolean {
    if (this.rows === 0) return false;
    return areEqual(this.words, 2 * (this.at + 1), words, 0, words.length);
  }

  /** Drops rows at and after a time. */
  truncate(tUs: number): void {
    while (this.rows > 0) {
      this.select(this.rows - 1);
      if (this.block[this.at]! < tUs) return;
      this.rows -= 1;
    }
  }

  /** Returns some of the values of every row. */
  stream(name: string, first: number, size: number): Stream {
    return this.collect(name, first, size, false);
  }

  /** Returns some of the values of every row, without the rows in which none of their bits changed. */
  changes(name: string, first: number, size: number): Stream {
    return this.collect(name, first, size, true);
  }

  private collect(name: string, first: number, size: number, onlyChanges: boolean): Stream {
    const { blocks, rows, rowsPerBlock } = this;
    const timesUs = new Float64Array(rows);
    const values = new Float64Array(rows * size);
    let count = 0;
    let lastWords: Int32Array = new Int32Array(0);
    let lastStart = 0;
    for (let index = 0; index * rowsPerBlock < rows; index += 1) {
      const block = blocks[index]!;
      const words = new Int32Array(block.buffer);
      const rowsHere = Math.min(rowsPerBlock, rows - index * rowsPerBlock);
      for (let row = 0; row < rowsHere; row += 1) {
        const at = row * (1 + this.size);
        const start = at + 1 + first;
        if (onlyChanges && count > 0 && areEqual(lastWords, 2 * lastStart, words, 2 * start, 2 * size)) continue;
        lastWords = words;
        lastStart = start;
        timesUs[count] = block[at]!;
        for (let i = 0; i < size; i += 1) values[count * size + i] = block[start + i]!;
        count += 1;
      }
    }
    return { name, size, timesUs: timesUs.slice(0, count), values: values.slice(0, count * size) };
  }

  /** Sets `block`, `words` and `at` for a row. */
  private select(row: number): void {
    const index = Math.floor(row / this.rowsPerBlock);
    this.at = (row - index * this.rowsPerBlock) * (1 + this.size);
    const block = (this.blocks[index] ??= new Float64Array(this.rowsPerBlock * (1 + this.size)));
    if (block === this.block) return;
    this.block = block;
    this.words = new Int32Array(block.buffer);
  }
}

function areEqual(a: Int32Array, aStart: number, b: Int32Array, bStart: number, count: number): boolean {
  for (let i = 0; i < count; i += 1) if (a[aStart + i] !== b[bStart + i]) return false;
  return true;
}
