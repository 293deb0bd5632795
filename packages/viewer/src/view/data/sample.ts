/**
 * Interpolates values of a flight between two log rows, for drawing.
 *
 * Numbers are interpolated linearly, attitudes along the shorter arc; codes and flags keep the value of the previous
 * row. Nothing is interpolated across a fork, because values may jump there.
 */
import type { RowsStore } from "./rows-store.ts";

/** A position between two rows. */
export interface RowPlace {
  /** The row at or before the time; −1 before the first. */
  readonly row: number;
  /** Fraction of the way to the next row, from 0 to 1. */
  readonly fraction: number;
}

export function placeAt(rows: RowsStore, tUs: number): RowPlace {
  const row = rows.rowAt(tUs);
  if (row < 0 || row + 1 >= rows.count || row + 1 === rows.sharedCount) return { row, fraction: 0 };
  const [from, to] = [rows.timeUs(row), rows.timeUs(row + 1)];
  return { row, fraction: to > from ? (tUs - from) / (to - from) : 0 };
}

/** Returns one value at a place; NaN before the first row, or if there is no such column. */
export function valueAt(rows: RowsStore, column: number, { row, fraction }: RowPlace): number {
  const value = rows.value(column, row);
  if (fraction === 0 || column < 0 || CODES.includes(rows.columns[column]!.unit)) return value;
  const next = rows.value(column, row + 1);
  return Number.isNaN(next) ? value : value + fraction * (next - value);
}

/** Writes all components of a signal at a place to `out`. Missing components are NaN. */
export function signalAt(rows: RowsStore, signal: string, place: RowPlace, out: Float64Array): Float64Array {
  for (let i = 0; i < out.length; i += 1) out[i] = valueAt(rows, rows.place(signal, i), place);
  return out;
}

/** Writes the attitude at a place to `out`, as a unit quaternion w, x, y, z. */
export function attitudeAt(
  rows: RowsStore,
  signal: string,
  { row, fraction }: RowPlace,
  out: Float64Array,
): Float64Array {
  let dot = 0;
  for (let i = 0; i < 4; i += 1) {
    const column = rows.place(signal, i);
    out[i] = rows.value(column, row);
    if (fraction > 0) dot += out[i]! * rows.value(column, row + 1);
  }
  if (fraction === 0 || Number.isNaN(dot)) return out;
  const sign = dot < 0 ? -1 : 1;
  let norm = 0;
  for (let i = 0; i < 4; i += 1) {
    const next = sign * rows.value(rows.place(signal, i), row + 1);
    out[i] = out[i]! + fraction * (next - out[i]!);
    norm += out[i]! * out[i]!;
  }
  const scale = 1 / Math.sqrt(norm);
  for (let i = 0; i < 4; i += 1) out[i]! *= scale;
  return out;
}

/** Units of codes, masks and flags, which cannot be interpolated. */
const CODES = ["enum", "mask", "flag"];
