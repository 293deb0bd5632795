/**
 * The rows of a flight: every column at every log tick, as float32, with exact times.
 *
 * Rows are kept in chunks, column by column, so that a growing flight copies nothing. For the rows before its fork, a
 * branch refers to the chunks of its parent and keeps them in memory, even if the parent is removed.
 */
import type { Column } from "@escapement/core";
import type { RowBatch } from "../protocol.ts";

const CHUNK_ROWS = 4096;

interface Chunk {
  readonly timesUs: Float64Array;
  /** The value of column c at row i is `values[c * CHUNK_ROWS + i]`. */
  readonly values: Float32Array;
}

/** The rows that a branch shares with its parent. */
interface Prefix {
  readonly rows: RowsStore;
  readonly count: number;
}

export class RowsStore {
  readonly columns: readonly Column[];
  private readonly chunks: Chunk[] = [];
  private readonly prefix: Prefix | undefined;
  private readonly places = new Map<string, number>();
  private ownCount = 0;

  /** If there is a parent, the rows before `sharedUs` are the parent's. */
  constructor(columns: readonly Column[], shared?: { readonly parent: RowsStore; readonly sharedUs: number }) {
    this.columns = columns;
    columns.forEach(({ name, signal = name, component = 0 }, i) => this.places.set(`${signal}[${component}]`, i));
    if (shared === undefined) return;
    const count = shared.parent.rowAt(shared.sharedUs - 1) + 1;
    this.prefix = count === 0 ? undefined : { rows: shared.parent, count };
  }

  /** Number of rows, including shared ones. */
  get count(): number {
    return this.sharedCount + this.ownCount;
  }

  /** Number of rows that are the parent's. */
  get sharedCount(): number {
    return this.prefix?.count ?? 0;
  }

  /** Time of the last row; −1 if there is none. */
  get lastUs(): number {
    return this.count === 0 ? -1 : this.timeUs(this.count - 1);
  }

  /** Index of a column by signal and component; −1 if the flight has no such column. */
  place(signal: string, component = 0): number {
    return this.places.get(`${signal}[${component}]`) ?? -1;
  }

  timeUs(row: number): number {
    const { rows, at } = this.find(row);
    return rows.chunks[Math.floor(at / CHUNK_ROWS)]!.timesUs[at % CHUNK_ROWS]!;
  }

  /** Returns a value; NaN if the flight has no such column or row. */
  value(column: number, row: number): number {
    if (column < 0 || row < 0 || row >= this.count) return Number.NaN;
    const { rows, at } = this.find(row);
    return rows.chunks[Math.floor(at / CHUNK_ROWS)]!.values[column * CHUNK_ROWS + (at % CHUNK_ROWS)]!;
  }

  /** Returns the last row at or before a time; −1 before the first. */
  rowAt(tUs: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.timeUs(middle) <= tUs) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Copies a column into `out`, starting at `fromRow`; stops at the last row. Returns the number of values. */
  copyColumn(column: number, fromRow: number, out: Float32Array): number {
    const count = Math.min(out.length, this.count - fromRow);
    let done = 0;
    while (done < count) {
      const row = fromRow + done;
      const { rows, at, end } = this.find(row);
      const first = at % CHUNK_ROWS;
      const length = Math.min(count - done, CHUNK_ROWS - first, end - row);
      const start = column * CHUNK_ROWS + first;
      out.set(rows.chunks[Math.floor(at / CHUNK_ROWS)]!.values.subarray(start, start + length), done);
      done += length;
    }
    return Math.max(0, count);
  }

  /** Adds rows. `fromRow` is the number of this flight's own rows before the batch; later known rows are replaced. */
  add(fromRow: number, { timesUs, values }: RowBatch): void {
    this.ownCount = Math.min(this.ownCount, fromRow);
    const rows = timesUs.length;
    let done = 0;
    while (done < rows) {
      const at = this.ownCount % CHUNK_ROWS;
      const chunk = this.chunkFor(this.ownCount);
      const length = Math.min(rows - done, CHUNK_ROWS - at);
      chunk.timesUs.set(timesUs.subarray(done, done + length), at);
      for (let c = 0; c < this.columns.length; c += 1) {
        const start = c * rows + done;
        chunk.values.set(values.subarray(start, start + length), c * CHUNK_ROWS + at);
      }
      this.ownCount += length;
      done += length;
    }
  }

  private chunkFor(ownRow: number): Chunk {
    const index = Math.floor(ownRow / CHUNK_ROWS);
    return (this.chunks[index] ??= {
      timesUs: new Float64Array(CHUNK_ROWS),
      values: new Float32Array(CHUNK_ROWS * this.columns.length),
    });
  }

  /** Finds the store that holds a row, the row's index in that store, and the end of the rows that it holds. */
  private find(row: number): { readonly rows: RowsStore; readonly at: number; readonly end: number } {
    let [rows, end] = [this as RowsStore, this.count];
    while (rows.prefix !== undefined && row < rows.prefix.count) {
      end = Math.min(end, rows.prefix.count);
      rows = rows.prefix.rows;
    }
    return { rows, at: row - rows.sharedCount, end };
  }
}
