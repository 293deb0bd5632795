/**
 * Reduces a log to fewer rows without a visible difference.
 *
 * Rows are grouped into buckets. Each column keeps the lowest and the highest value of every bucket, in their original
 * order, so that a spike of one row survives in a flight of any length. Columns whose values belong together (position)
 * or are codes (mode) keep two sampled rows per bucket instead.
 */

/** A column at full length. If `sample` is set, it keeps sampled rows instead of extremes. */
export interface FullColumn {
  readonly name: string;
  /** Unit as shown on the page; absent for coded values and for the time column. */
  readonly unit?: string;
  readonly values: Float64Array;
  readonly sample?: boolean;
}

interface DownsampledColumn {
  readonly name: string;
  readonly unit: string;
  readonly values: Float32Array;
}

export interface Downsampled {
  readonly columns: readonly DownsampledColumn[];
  readonly rows: number;
  readonly rowsPerBucket: number;
}

/**
 * Reduces columns to at most `maxRows` rows, or one bucket (two rows) more. `longest` is the number of rows of the
 * longest flight in a comparison; it gives all flights the same bucket size, so that identical beginnings stay
 * identical.
 */
export function downsample(columns: Iterable<FullColumn>, maxRows: number, longest = 0): Downsampled {
  const all = [...columns];
  const rows = all[0]?.values.length ?? 0;
  const downsampling = new Downsampling(rows, maxRows, longest);
  downsampling.add(all);
  return downsampling.result();
}

/** Approximate number of rows that are reduced at a time. */
const ROWS_AT_A_TIME = 4096;

/** Reduces columns that are added piece by piece. Every piece but the last must have `rowsPerPiece` rows. */
export class Downsampling {
  readonly rowsPerBucket: number;
  readonly rowsPerPiece: number;
  private readonly totalRows: number;
  private readonly rows: number;
  private readonly columns = new Map<string, DownsampledColumn>();
  private addedRows = 0;

  constructor(totalRows: number, maxRows: number, longest = 0) {
    const length = Math.max(totalRows, longest);
    this.totalRows = totalRows;
    this.rowsPerBucket = length <= maxRows ? 1 : Math.ceil((2 * length) / maxRows);
    this.rowsPerPiece = this.rowsPerBucket * Math.ceil(ROWS_AT_A_TIME / this.rowsPerBucket);
    this.rows = this.rowsPerBucket === 1 ? totalRows : 2 * Math.ceil(totalRows / this.rowsPerBucket);
  }

  add(columns: Iterable<FullColumn>): void {
    const start = this.rowsPerBucket === 1 ? this.addedRows : (2 * this.addedRows) / this.rowsPerBucket;
    let added = 0;
    for (const column of columns) {
      added = column.values.length;
      const out = this.columnOf(column).values;
      if (this.rowsPerBucket === 1) out.set(column.values, start);
      else reduceInto(out, start, column, this.rowsPerBucket, this.addedRows + added === this.totalRows);
    }
    this.addedRows += added;
  }

  result(): Downsampled {
    const { rows, rowsPerBucket } = this;
    return { columns: [...this.columns.values()], rows, rowsPerBucket };
  }

  private columnOf({ name, unit = "" }: FullColumn): DownsampledColumn {
    const known = this.columns.get(name);
    if (known !== undefined) return known;
    const column = { name, unit, values: new Float32Array(this.rows) };
    this.columns.set(name, column);
    return column;
  }
}

/** Reduces a column to two rows per bucket. `isLast`: the column ends here, and its last row is kept. */
function reduceInto(
  out: Float32Array,
  first: number,
  { values, sample }: FullColumn,
  rowsPerBucket: number,
  isLast: boolean,
): void {
  const buckets = Math.ceil(values.length / rowsPerBucket);
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    const at = first + 2 * bucket;
    const start = bucket * rowsPerBucket;
    const end = Math.min(values.length, start + rowsPerBucket);
    if (sample === true) {
      out[at] = values[start]!;
      out[at + 1] = values[isLast && bucket === buckets - 1 ? end - 1 : (start + end) >> 1]!;
      continue;
    }
    const [low, high] = extremes(values, start, end);
    out[at] = values[Math.min(low, high)]!;
    out[at + 1] = values[Math.max(low, high)]!;
  }
}

/** Returns the indices of the lowest and the highest value of a span; NaN is chosen only if there is nothing else. */
function extremes(values: Float64Array, start: number, end: number): [number, number] {
  let [low, high] = [start, start];
  for (let i = start + 1; i < end; i += 1) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    if (!(value >= values[low]!)) low = i;
    if (!(value <= values[high]!)) high = i;
  }
  return [low, high];
}
