/**
 * Finds the lowest and highest value of a growing column over any range of rows, for plots of millions of rows.
 *
 * An entry of level 0 holds the extremes of 16 rows; an entry of each further level covers four entries of the level
 * below. A range is assembled from the largest entries that fit, so the cost of a plot depends on its width in pixels
 * and hardly on the number of rows. A spike of one row is drawn at every zoom. NaN means that there is no value.
 */
const ROWS_PER_ENTRY = 16;
const FANOUT = 4;

interface Level {
  readonly rowsPerEntry: number;
  /** Lowest and highest value of entry i are at `2 i` and `2 i + 1`. */
  extremes: Float32Array;
  count: number;
}

/** A column that grows at its end. */
export interface GrowingColumn {
  readonly values: Float32Array;
  readonly count: number;
}

export class Pyramid {
  private readonly column: GrowingColumn;
  private readonly levels: Level[] = [];

  constructor(column: GrowingColumn) {
    this.column = column;
  }

  /**
   * Writes the lowest and highest value of the rows in [from, to) to `out[at]` and `out[at + 1]`; NaN if there is no
   * value.
   */
  rangeInto(out: Float32Array, at: number, from: number, to: number): void {
    this.update();
    let [low, high] = [Infinity, -Infinity];
    let row = Math.max(0, from);
    const end = Math.min(to, this.column.count);
    while (row < end) {
      const level = this.largestAt(row, end);
      if (level === undefined) {
        const value = this.column.values[row]!;
        if (value < low) low = value;
        if (value > high) high = value;
        row += 1;
        continue;
      }
      const entry = row / level.rowsPerEntry;
      if (level.extremes[2 * entry]! < low) low = level.extremes[2 * entry]!;
      if (level.extremes[2 * entry + 1]! > high) high = level.extremes[2 * entry + 1]!;
      row += level.rowsPerEntry;
    }
    out[at] = low <= high ? low : Number.NaN;
    out[at + 1] = low <= high ? high : Number.NaN;
  }

  /** Discards the entries that cover `row` or later rows, because those rows have changed. */
  truncate(row: number): void {
    for (const level of this.levels) level.count = Math.min(level.count, Math.floor(row / level.rowsPerEntry));
  }

  /** Returns the level with the largest entry that begins at a row and ends at or before `end`. */
  private largestAt(row: number, end: number): Level | undefined {
    let found: Level | undefined;
    for (const level of this.levels) {
      const { rowsPerEntry, count } = level;
      if (row % rowsPerEntry !== 0 || row + rowsPerEntry > end || row / rowsPerEntry >= count) break;
      found = level;
    }
    return found;
  }

  /** Adds entries for rows that have arrived since the last call. Only full entries are kept. */
  private update(): void {
    for (let i = 0; ; i += 1) {
      const rowsPerEntry = ROWS_PER_ENTRY * FANOUT ** i;
      const full = Math.floor(this.column.count / rowsPerEntry);
      if (full === 0) return;
      const level = (this.levels[i] ??= { rowsPerEntry, extremes: new Float32Array(64), count: 0 });
      if (level.count >= full) continue;
      level.extremes = grow(level.extremes, 2 * full);
      const below = this.levels[i - 1];
      for (; level.count < full; level.count += 1) this.fill(level, below);
    }
  }

  private fill({ extremes, count, rowsPerEntry }: Level, below: Level | undefined): void {
    const { values } = this.column;
    let [low, high] = [Infinity, -Infinity];
    const parts = below === undefined ? rowsPerEntry : FANOUT;
    for (let i = 0; i < parts; i += 1) {
      const at = count * parts + i;
      const least = below === undefined ? values[at]! : below.extremes[2 * at]!;
      const most = below === undefined ? values[at]! : below.extremes[2 * at + 1]!;
      if (least < low) low = least;
      if (most > high) high = most;
    }
    extremes[2 * count] = low;
    extremes[2 * count + 1] = high;
  }
}

/** Returns the array if it is long enough, or else a copy that is at least twice as long. */
export function grow(array: Float32Array, length: number): Float32Array {
  if (length <= array.length) return array;
  const larger = new Float32Array(Math.max(length, 2 * array.length));
  larger.set(array);
  return larger;
}
