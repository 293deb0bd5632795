/**
 * Values of a flight between two log rows, for drawing.
 *
 * Numbers are interpolated linearly, attitudes along the shorter arc; codes and flags keep the value of the row before.
 * Across a fork nothing is interpolated: there the flights may jump.
 */
import type { RowsStore } from "./rows-store.ts";

/** A place between two rows. */
export interface RowPlace {
  /** The row at or before the time; −1 before the first. */
  readonly row: number;
  /** Fraction of the way to the next row, from 0 up to 1. */
  readonly share: number;
}

export function placeAt(rows: RowsStore, tUs: number): RowPlace {
  const row = rows.rowAt(tUs);
  if (row < 0 || row + 1 >= rows.count || row + 1 === rows.sharedCount) return { row, share: 0 };
  const [from, to] = [rows.timeUs(row), rows.timeUs(row + 1)];
  return { row, share: to > from ? (tUs - from) / (to - from) : 0 };
}

/** One value at a place; NaN before the first row or without such a column. */
export function valueAt(rows: RowsStore, column: number, { row, share }: RowPlace): number {
  const value = rows.value(column, row);
  if (share === 0 || column < 0 || CODES.includes(rows.columns[column]!.unit)) return value;
  const next = rows.value(column, row + 1);
  return Number.isNaN(next) ? value : value + share * (next - value);
}

/** A signal with all its components at a place, into `out`. Missing components are NaN. */
export function signalAt(rows: RowsStore, signal: string, place: RowPlace, out: Float64Array): Float64Array {
  for (let i = 0; i < out.length; i += 1) out[i] = valueAt(rows, rows.place(signal, i), place);
  return out;
}

/** The attitude at a place as a unit quaternion w, x, y, z, into `out`. */
export function attitudeAt(rows: RowsStore, signal: string, { row, share }: RowPlace, out: Float64Array): Float64Array {
  let dot = 0;
  for (let i = 0; i < 4; i += 1) {
    const column = rows.place(signal, i);
    out[i] = rows.value(column, row);
    if (share > 0) dot += out[i]! * rows.value(column, row + 1);
  }
  if (share === 0 || Number.isNaN(dot)) return out;
  const sign = dot < 0 ? -1 : 1;
  let norm = 0;
  for (let i = 0; i < 4; i += 1) {
    const next = sign * rows.value(rows.place(signal, i), row + 1);
    out[i] = out[i]! + share * (next - out[i]!);
    norm += out[i]! * out[i]!;
  }
  const scale = 1 / Math.sqrt(norm);
  for (let i = 0; i < 4; i += 1) out[i]! *= scale;
  return out;
}

/** Codes, flags and bits have no values in between. */
const CODES = ["enum", "mask", "flag"];
