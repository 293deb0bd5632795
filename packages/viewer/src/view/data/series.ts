/**
 * Lines for plots: a quantity of a flight, computed once per row as rows arrive, and downsampled to the plot's width.
 *
 * All lines of a plot share one list of times. If the span holds few rows, these are the times of the rows; otherwise
 * the span is divided into buckets, and each bucket has two points: the lowest and the highest value in it.
 */
import type { TimeSpan } from "../protocol.ts";
import { type GrowingColumn, grow, Pyramid } from "./pyramid.ts";
import type { Read } from "../../shared/quantities.ts";
import { findQuantity, type Quantity, quantitiesOf } from "./quantities.ts";
import type { Rows } from "./rows-store.ts";

/** Number of rows that are computed between two readings of the clock. */
const ROWS_PER_CLOCK_READING = 512;

/** The times of a plot's points. */
export interface PlotTimes {
  readonly timesUs: Float64Array;
  /** Width of a bucket, which has two points; absent if each point is a row. */
  readonly bucketUs?: number;
}

/** Returns the times at which a plot with `points` points shows a span: the times of the rows, or of buckets. */
export function plotTimes(rows: Rows, { fromUs, toUs }: TimeSpan, points: number): PlotTimes {
  const first = Math.max(0, rows.rowAt(fromUs));
  const last = Math.min(rows.count - 1, rows.rowAt(toUs) + 1);
  if (last - first < points) {
    const timesUs = Float64Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => rows.timeUs(first + i));
    return { timesUs };
  }
  const buckets = Math.floor(points / 2);
  // Buckets begin at multiples of their width, so that panning does not regroup the rows.
  const bucketUs = (toUs - fromUs) / buckets;
  const start = Math.floor(fromUs / bucketUs);
  const timesUs = Float64Array.from({ length: 2 * (buckets + 1) }, (_, i) => (start + i / 2) * bucketUs);
  return { timesUs, bucketUs };
}

/** One quantity of one flight. */
export class Series implements GrowingColumn {
  readonly quantity: Quantity;
  private readonly rows: Rows;
  private readonly pyramid = new Pyramid(this);
  values: Float32Array = new Float32Array(64);
  count = 0;
  private version = 0;

  constructor(quantity: Quantity, rows: Rows) {
    this.quantity = quantity;
    this.rows = rows;
  }

  /** Returns the value at a row; NaN if there is no such row. */
  at(row: number): number {
    this.update();
    return this.peek(row);
  }

  /** Returns the value at a row; NaN if there is no such row, or if its value has not been computed yet. */
  peek(row: number): number {
    return row < 0 || row >= this.count ? Number.NaN : this.values[row]!;
  }

  /**
   * Computes the values of rows that have arrived since the last call, until a time of `performance.now()`. Returns
   * false if some rows are left.
   */
  prepare(untilMs: number): boolean {
    this.update(untilMs);
    return this.count === this.rows.count;
  }

  /**
   * Returns the values of the line at a plot's times, shifted by `offsetUs` to align flights. NaN means that the line
   * has no point there.
   */
  valuesAt({ timesUs, bucketUs }: PlotTimes, offsetUs = 0): Float32Array {
    this.update();
    const out = new Float32Array(timesUs.length);
    if (bucketUs === undefined) {
      const lastUs = this.rows.lastUs;
      timesUs.forEach((tUs, i) => {
        const at = tUs + offsetUs;
        out[i] = at > lastUs ? Number.NaN : this.at(this.rows.rowAt(at));
      });
      return out;
    }
    let from = this.rows.rowAt(timesUs[0]! + offsetUs - 1) + 1;
    for (let i = 0; i < timesUs.length; i += 2) {
      const to = this.rows.rowAt(timesUs[i]! + offsetUs + bucketUs - 1) + 1;
      this.pyramid.rangeInto(out, i, from, to);
      from = to;
    }
    return out;
  }

  /** Returns the lowest and highest value in a span; undefined if the span has no value. */
  range({ fromUs, toUs }: TimeSpan): readonly [low: number, high: number] | undefined {
    this.update();
    const out = new Float32Array(2);
    this.pyramid.rangeInto(out, 0, Math.max(0, this.rows.rowAt(fromUs)), this.rows.rowAt(toUs) + 1);
    return Number.isNaN(out[0]!) ? undefined : [out[0]!, out[1]!];
  }

  private update(untilMs = Infinity): void {
    const { rows, quantity } = this;
    const isChanged = this.version !== rows.version;
    if (this.count === rows.count && !isChanged) return;
    if (this.count > rows.count || isChanged) {
      this.count = isChanged ? 0 : rows.count;
      this.pyramid.truncate(this.count);
      this.version = rows.version;
    }
    this.values = grow(this.values, rows.count);
    const place = { rows, row: 0 };
    const read = readerOf(rows, place);
    for (; this.count < rows.count; this.count += 1) {
      if (this.count % ROWS_PER_CLOCK_READING === 0 && untilMs !== Infinity && performance.now() >= untilMs) return;
      place.row = this.count;
      const previous = this.count === 0 ? Number.NaN : this.values[this.count - 1]!;
      this.values[this.count] = quantity.compute(read, previous, place);
    }
  }
}

/**
 * Returns a function that reads signals at a row. It caches their columns, because finding a column is slower than
 * reading a value.
 */
function readerOf(rows: Rows, place: { readonly row: number }): Read {
  const columns = new Map<string, number[]>();
  return (signal, component = 0) => {
    let known = columns.get(signal);
    if (known === undefined) columns.set(signal, (known = []));
    return rows.value((known[component] ??= rows.place(signal, component)), place.row);
  };
}

/** The series of a flight by name of their quantity. Each is made when it is first needed. */
export class FlightSeries {
  readonly quantities: ReadonlyMap<string, Quantity>;
  private readonly rows: Rows;
  private readonly series = new Map<string, Series | undefined>();

  constructor(rows: Rows) {
    this.rows = rows;
    this.quantities = quantitiesOf(rows.columns);
  }

  /** Returns a series; undefined if the flight does not have the quantity. */
  get(name: string): Series | undefined {
    if (!this.series.has(name)) {
      const quantity = findQuantity(this.quantities, name);
      this.series.set(name, quantity === undefined ? undefined : new Series(quantity, this.rows));
    }
    return this.series.get(name);
  }
}

/** Series of flights, made when they are first needed and kept as long as their rows. */
const known = new WeakMap<Rows, FlightSeries>();

export function seriesOf(rows: Rows): FlightSeries {
  let series = known.get(rows);
  if (series === undefined) {
    series = new FlightSeries(rows);
    known.set(rows, series);
  }
  return series;
}
