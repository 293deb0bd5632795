/** The columns of a data block, by name and by time. */

export class Table {
  readonly rows: number;
  private readonly columns = new Map<string, Float32Array>();

  constructor(head: { readonly rows: number; readonly columns: readonly string[] }, values: Float32Array) {
    this.rows = head.rows;
    head.columns.forEach((name, i) => this.columns.set(name, values.subarray(i * head.rows, (i + 1) * head.rows)));
  }

  has(name: string): boolean {
    return this.columns.has(name);
  }

  column(name: string): Float32Array {
    return this.columns.get(name) ?? new Float32Array(this.rows);
  }

  at(name: string, row: number): number {
    return this.columns.get(name)?.[row] ?? Number.NaN;
  }

  get endS(): number {
    return this.rows === 0 ? 0 : this.column("t")[this.rows - 1]!;
  }

  /** Returns the last row at or before a time; −1 before the first row and after the last. */
  rowAt(t: number): number {
    if (!(t <= this.endS)) return -1;
    return this.rowsUntil(t) - 1;
  }

  /** Returns the lowest and highest value in a time span, ignoring NaN; undefined if there is no value. */
  range(name: string, from: number, to: number): readonly [number, number] | undefined {
    const column = this.column(name);
    let [low, high] = [Infinity, -Infinity];
    for (let row = Math.max(0, this.rowAt(from)); row < this.rows && this.at("t", row) < to; row += 1) {
      const value = column[row]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return low <= high ? [low, high] : undefined;
  }

  /** Resamples a column at the given times, with null for missing values as the plot library expects. */
  on(times: Float32Array, name: string): (number | null)[] {
    const column = this.column(name);
    if (times === this.column("t")) return Array.from(column, orNull);
    return Array.from(times, (t) => orNull(column[this.rowAt(t)]));
  }

  private rowsUntil(t: number): number {
    const times = this.column("t");
    let [low, high] = [0, times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle]! <= t) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function orNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
