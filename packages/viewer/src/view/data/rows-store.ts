/**
 * The rows of a flight: columns at every log tick, as float32, with exact times.
 *
 * Rows are kept in chunks, column by column, so that a growing flight copies nothing. A branch refers to the chunks of
 * its parent for the rows before the fork. The chunks stay alive with the branch if the parent is removed. A column
 * that is constant in a chunk, as most faults and settings are, takes one number there. A column can be absent, because
 * it was never sent or was dropped to save memory; it has no values until it is filled.
 */
import type { Column } from "@escapement/core";
import type { RowBatch } from "../protocol.ts";

const CHUNK_ROWS = 1024;

interface Chunk {
  readonly timesUs: Float64Array;
  /** The values of each column: a number if all are equal, undefined if the column is absent. */
  readonly columns: (Float32Array | number | undefined)[];
}

/** Rows that quantities are computed from. */
export interface Rows {
  readonly columns: readonly Column[];
  readonly count: number;
  readonly lastUs: number;
  /** Changes if values of existing rows change. */
  readonly version: number;
  place(signal: string, component?: number): number;
  timeUs(row: number): number;
  value(column: number, row: number): number;
  rowAt(tUs: number): number;
}

/** The rows that a branch shares with its parent. */
interface Prefix {
  readonly rows: RowsStore;
  readonly count: number;
}

/** Returns the indices of columns by signal and component. */
export function placesOf(columns: readonly Column[]): ReadonlyMap<string, number> {
  return new Map(columns.map(({ name, signal = name, component = 0 }, i) => [`${signal}[${component}]`, i]));
}

export class RowsStore implements Rows {
  readonly columns: readonly Column[];
  private readonly chunks: Chunk[] = [];
  private readonly prefix: Prefix | undefined;
  private readonly places: ReadonlyMap<string, number>;
  /** The columns that arriving rows contain, in this order. */
  private readonly sent: readonly number[];
  private readonly present: Set<number>;
  private ownCount = 0;
  /** Absent columns that were filled. */
  private readonly filled: (Float32Array | undefined)[] = [];
  private fills = 0;
  /**
   * Number of arrays in the chunks, and memory of the filled columns. They are updated with every change, because every
   * batch of rows needs them.
   */
  private arrays = 0;
  private filledBytes = 0;

  /**
   * With `shared`, the rows before `sharedUs` are the parent's. `sent` lists the columns of arriving rows; by default
   * all columns.
   */
  constructor(
    columns: readonly Column[],
    shared?: { readonly parent: RowsStore; readonly sharedUs: number },
    sent: readonly number[] = [...columns.keys()],
  ) {
    this.columns = columns;
    this.places = placesOf(columns);
    this.sent = sent;
    this.present = new Set(sent);
    if (shared === undefined) return;
    const count = shared.parent.rowAt(shared.sharedUs - 1) + 1;
    this.prefix = count === 0 ? undefined : { rows: shared.parent, count };
  }

  /** Number of rows, including shared ones. */
  get count(): number {
    return this.sharedCount + this.ownCount;
  }

  /** Number of rows that belong to the parent. */
  get sharedCount(): number {
    return this.prefix?.count ?? 0;
  }

  get version(): number {
    return this.fills;
  }

  /** Memory of the rows that do not belong to the parent, in bytes. */
  get ownBytes(): number {
    return this.filledBytes + CHUNK_ROWS * (8 * this.chunks.length + 4 * this.arrays);
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
    const rows = this.holderOf(row);
    const at = row - rows.sharedCount;
    return rows.chunks[Math.floor(at / CHUNK_ROWS)]!.timesUs[at % CHUNK_ROWS]!;
  }

  /** Returns a value; NaN if the flight has no such column or row. */
  value(column: number, row: number): number {
    if (column < 0 || row < 0 || row >= this.count) return Number.NaN;
    const filled = this.filled[column];
    if (filled !== undefined) return filled[row] ?? Number.NaN;
    const rows = this.holderOf(row);
    const at = row - rows.sharedCount;
    const held = rows.chunks[Math.floor(at / CHUNK_ROWS)]!.columns[column];
    return typeof held === "number" ? held : (held?.[at % CHUNK_ROWS] ?? Number.NaN);
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

  /**
   * Adds rows. `fromRow` is the index of the first added row among the flight's own rows. Existing rows from this index
   * on are replaced.
   */
  add(fromRow: number, { timesUs, values }: RowBatch): void {
    this.ownCount = Math.min(this.ownCount, fromRow);
    const rows = timesUs.length;
    let done = 0;
    while (done < rows) {
      const at = this.ownCount % CHUNK_ROWS;
      const chunk = this.chunkFor(this.ownCount);
      const length = Math.min(rows - done, CHUNK_ROWS - at);
      chunk.timesUs.set(timesUs.subarray(done, done + length), at);
      this.sent.forEach((column, i) => {
        if (!this.present.has(column)) return;
        const start = i * rows + done;
        const isConstant = canStayNumber(chunk.columns[column], at, values, start, start + length);
        const added = values.subarray(start, start + length);
        this.setColumn(chunk, column, isConstant ? values[start]! : withValues(chunk.columns[column], at, added));
      });
      this.ownCount += length;
      done += length;
    }
  }

  /** Returns false if some row lacks the column. */
  has(column: number): boolean {
    return this.filled[column] !== undefined || this.isInChunks(column);
  }

  /** Frees the memory of a column in the rows that do not belong to the parent. */
  drop(column: number): void {
    if (!this.present.has(column) && this.filled[column] === undefined) return;
    this.present.delete(column);
    this.setFilled(column, undefined);
    for (const chunk of this.chunks) this.setColumn(chunk, column, undefined);
  }

  /** Gives an absent column its values, from the first row on, including the parent's rows. */
  fill(column: number, values: Float32Array): void {
    this.setFilled(column, values);
    this.fills += 1;
  }

  private setColumn({ columns }: Chunk, column: number, held: Chunk["columns"][number]): void {
    this.arrays += Number(held instanceof Float32Array) - Number(columns[column] instanceof Float32Array);
    columns[column] = held;
  }

  private setFilled(column: number, values: Float32Array | undefined): void {
    this.filledBytes += (values?.byteLength ?? 0) - (this.filled[column]?.byteLength ?? 0);
    this.filled[column] = values;
  }

  private isInChunks(column: number): boolean {
    return this.present.has(column) && this.prefix?.rows.isInChunks(column) !== false;
  }

  private chunkFor(ownRow: number): Chunk {
    const index = Math.floor(ownRow / CHUNK_ROWS);
    return (this.chunks[index] ??= {
      timesUs: new Float64Array(CHUNK_ROWS),
      columns: Array.from(this.columns, () => undefined),
    });
  }

  /** Returns the store that holds a row. */
  private holderOf(row: number): RowsStore {
    return this.prefix !== undefined && row < this.prefix.count ? this.prefix.rows.holderOf(row) : this;
  }
}

/**
 * Returns true if a column of a chunk can still be held as one number when the values in [from, to) are written to it,
 * starting at row `at`.
 */
function canStayNumber(
  held: Float32Array | number | undefined,
  at: number,
  values: Float32Array,
  from: number,
  to: number,
): boolean {
  if (at > 0 && typeof held !== "number") return false;
  const constant = at === 0 ? values[from]! : held;
  for (let i = from; i < to; i += 1) if (!Object.is(values[i], constant)) return false;
  return true;
}

/** Writes values to a column of a chunk, starting at a row, and returns the column. */
function withValues(held: Float32Array | number | undefined, at: number, values: Float32Array): Float32Array {
  const array = held instanceof Float32Array ? held : new Float32Array(CHUNK_ROWS).fill(held ?? Number.NaN, 0, at);
  array.set(values, at);
  return array;
}
