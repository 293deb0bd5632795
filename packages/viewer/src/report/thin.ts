/**
 * Fewer rows than a log has, with nothing lost that an eye would see.
 *
 * Rows are put into buckets; of each bucket a line keeps its lowest and its highest value in the order in which they
 * came, so a spike of one row survives whatever the length of the flight. Values that belong together or are names
 * (position, mode) keep one row of the bucket instead.
 */

/** A column at full length. `sample`: one row stands for its neighbours; otherwise the extremes do. */
export interface FullColumn {
  readonly name: string;
  readonly values: Float64Array;
  readonly sample?: boolean;
}

export interface ThinColumn {
  readonly name: string;
  readonly values: Float32Array;
}

export interface Thinned {
  readonly columns: readonly ThinColumn[];
  readonly rows: number;
  readonly rowsPerBucket: number;
}

export function thinned(columns: Iterable<FullColumn>, mostRows: number): Thinned {
  const result: ThinColumn[] = [];
  let [rows, rowsPerBucket] = [0, 1];
  // One column at full length at a time: an hour of flight has a million rows.
  for (const column of columns) {
    const { length } = column.values;
    rowsPerBucket = length <= mostRows ? 1 : Math.ceil((2 * length) / mostRows);
    const values = rowsPerBucket === 1 ? Float32Array.from(column.values) : thin(column, rowsPerBucket);
    rows = values.length;
    result.push({ name: column.name, values });
  }
  return { columns: result, rows, rowsPerBucket };
}

/** Two rows a bucket. */
function thin({ values, sample }: FullColumn, rowsPerBucket: number): Float32Array {
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

/** Where the lowest and the highest value of a span are; NaN (nothing there) counts only if there is nothing else. */
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
