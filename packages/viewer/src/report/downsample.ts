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

interface Downsampled {
  readonly columns: readonly DownsampledColumn[];
  readonly rows: number;
  readonly rowsPerBucket: number;
}

/**
 * Reduces columns to at most about `maxRows` rows. `longest` is the number of rows of the longest flight in a
 * comparison; it gives all flights the same bucket size, so that identical beginnings stay identical.
 */
export function downsample(columns: Iterable<FullColumn>, maxRows: number, longest = 0): Downsampled {
  const result: DownsampledColumn[] = [];
  let [rows, rowsPerBucket] = [0, 1];
  // Process one column at a time, because an hour of flight has a million rows.
  for (const column of columns) {
    const length = Math.max(column.values.length, longest);
    rowsPerBucket = length <= maxRows ? 1 : Math.ceil((2 * length) / maxRows);
    const values = rowsPerBucket === 1 ? Float32Array.from(column.values) : reduceColumn(column, rowsPerBucket);
    rows = values.length;
    result.push({ name: column.name, unit: column.unit ?? "", values });
  }
  return { columns: result, rows, rowsPerBucket };
}

/** Reduces a column to two rows per bucket. */
function reduceColumn({ values, sample }: FullColumn, rowsPerBucket: number): Float32Array {
  const buckets = Math.ceil(values.length / rowsPerBucket);
  const out = new Float32Array(2 * buckets);
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    const start = bucket * rowsPerBucket;
    const end = Math.min(values.length, start + rowsPerBucket);
    if (sample === true) {
      out[2 * bucket] = values[start]!;
      out[2 * bucket + 1] = values[bucket === buckets - 1 ? end - 1 : (start + end) >> 1]!;
      continue;
    }
    const [low, high] = extremes(values, start, end);
    out[2 * bucket] = values[Math.min(low, high)]!;
    out[2 * bucket + 1] = values[Math.max(low, high)]!;
  }
  return out;
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
