/** Turns rows into columns, a few thousand at a time, for formats that store columns. The first column is the time. */
import type { Readable } from "@escapement/core";

export class RowBuffer {
  readonly capacity: number;
  readonly columns: readonly Float64Array[];
  rows = 0;

  constructor(width: number, capacity: number) {
    this.capacity = capacity;
    this.columns = Array.from({ length: width + 1 }, () => new Float64Array(capacity));
  }

  get isFull(): boolean {
    return this.rows === this.capacity;
  }

  push(tUs: number, row: Readable): void {
    const { columns, rows } = this;
    columns[0]![rows] = tUs;
    for (let i = 1; i < columns.length; i += 1) columns[i]![rows] = row[i - 1]!;
    this.rows = rows + 1;
  }

  clear(): void {
    this.rows = 0;
  }
}
