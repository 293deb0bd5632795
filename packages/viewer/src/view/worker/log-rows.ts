/**
 * All rows of a log, for lines at full resolution and for columns that were not sent to the page.
 *
 * The columns of a ULog have their own times. At the time of a row, a column has its last value at or before it. Rows
 * are mostly read in order, so the search for this value advances along the column.
 */
import type { Column } from "@escapement/core";
import { placesOf, type Rows } from "../data/rows-store.ts";
import { FlightSeries, type PlotTimes, plotTimes } from "../data/series.ts";
import type { TimeSpan } from "../protocol.ts";

/** A column, its times and its values. */
export interface LogColumn {
  readonly column: Column;
  readonly timesUs: Float64Array;
  readonly valueAt: (row: number) => number;
}

export class LogRows implements Rows {
  readonly columns: readonly Column[];
  readonly version = 0;
  readonly timesUs: Float64Array;
  /** The page was sent every row whose index is a multiple of this. */
  readonly stride: number;
  private readonly all: readonly LogColumn[];
  private readonly places: ReadonlyMap<string, number>;
  private readonly held: Int32Array;
  private readonly series: FlightSeries;

  constructor(all: readonly LogColumn[], timesUs: Float64Array, stride: number) {
    this.all = all;
    this.columns = all.map(({ column }) => column);
    this.timesUs = timesUs;
    this.stride = stride;
    this.places = placesOf(this.columns);
    this.held = new Int32Array(all.length).fill(-1);
    this.series = new FlightSeries(this);
  }

  get count(): number {
    return this.timesUs.length;
  }

  get lastUs(): number {
    return this.timesUs.at(-1) ?? -1;
  }

  place(signal: string, component = 0): number {
    return this.places.get(`${signal}[${component}]`) ?? -1;
  }

  timeUs(row: number): number {
    return this.timesUs[row]!;
  }

  /** Returns the last value of a column at or before a row; NaN if there is none. */
  value(column: number, row: number): number {
    const found = this.all[column];
    if (found === undefined || row < 0 || row >= this.count) return Number.NaN;
    const { timesUs: own, valueAt } = found;
    if (own === this.timesUs) return valueAt(row);
    const tUs = this.timesUs[row]!;
    let at = this.held[column]!;
    if (at >= 0 && own[at]! > tUs) at = rowAt(own, tUs);
    while (at + 1 < own.length && own[at + 1]! <= tUs) at += 1;
    this.held[column] = at;
    return at < 0 ? Number.NaN : valueAt(at);
  }

  rowAt(tUs: number): number {
    return rowAt(this.timesUs, tUs);
  }

  /** Returns columns at the rows that were sent, column by column, starting at `fromRow`. */
  sent(columns: readonly number[], fromRow = 0, maxRows = Infinity): Float32Array {
    const rows = Math.max(0, Math.min(Math.ceil(this.count / this.stride) - fromRow, maxRows));
    const values = new Float32Array(columns.length * rows);
    columns.forEach((column, i) => {
      for (let row = 0; row < rows; row += 1) {
        values[i * rows + row] = this.value(column, (fromRow + row) * this.stride);
      }
    });
    return values;
  }

  /** Returns quantities over a span, downsampled to the points of a plot. */
  lines(quantities: readonly string[], span: TimeSpan, points: number): PlotTimes & { readonly lines: Float32Array[] } {
    const times = plotTimes(this, span, points);
    const none = () => new Float32Array(times.timesUs.length).fill(Number.NaN);
    return { ...times, lines: quantities.map((name) => this.series.get(name)?.valuesAt(times) ?? none()) };
  }
}

/** Returns the last row at or before a time; −1 before the first. */
function rowAt(timesUs: Float64Array, tUs: number): number {
  let [low, high] = [0, timesUs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timesUs[middle]! <= tUs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
