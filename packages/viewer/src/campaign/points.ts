/**
 * The points of a campaign page, one per drawn flight, stored in columns of small integers.
 *
 * A screen resolves a few thousand steps, so two bytes per number are enough: its position between the smallest and the
 * largest value of its column. A column with few distinct values stores them exactly, as indices into a list.
 */

/** A column with two bytes per point: linear from `min` to `max`, with codes for infinite and missing values. */
interface ScaledColumn {
  readonly kind: "scaled";
  readonly min: number;
  readonly max: number;
}

/** A column with one byte per point: the index into `values`. */
interface IndexedColumn {
  readonly kind: "indexed";
  readonly values: readonly (number | string | boolean)[];
}

/** A column of whole numbers below 2³². */
interface CountColumn {
  readonly kind: "count";
}

export type ColumnCoding = ScaledColumn | IndexedColumn | CountColumn;

const SIZES: Readonly<Record<ColumnCoding["kind"], number>> = { scaled: 2, indexed: 1, count: 4 };
/** Largest step of a scaled column; larger numbers are codes. */
const MAX_STEPS = 65_532;
const MINUS_INFINITY = 65_533;
const PLUS_INFINITY = 65_534;
const MISSING = 65_535;
const MISSING_INDEX = 255;
/** Largest number of distinct values of an indexed column. */
export const MAX_INDEXED = 254;

export type PointValue = number | string | boolean | undefined;

export function bytesPerPoint(columns: readonly ColumnCoding[]): number {
  return columns.reduce((sum, { kind }) => sum + SIZES[kind], 0);
}

/** Encodes columns one after the other. */
export function encodeColumns(
  columns: readonly ColumnCoding[],
  values: readonly (readonly PointValue[])[],
): Uint8Array {
  const points = values[0]?.length ?? 0;
  const view = new DataView(new ArrayBuffer(points * bytesPerPoint(columns)));
  let offset = 0;
  columns.forEach((column, i) => {
    for (const value of values[i]!) {
      if (column.kind === "indexed") view.setUint8(offset, indexOf(column, value));
      else if (column.kind === "scaled") view.setUint16(offset, stepOf(column, value), true);
      else view.setUint32(offset, value as number, true);
      offset += SIZES[column.kind];
    }
  });
  return new Uint8Array(view.buffer);
}

function indexOf({ values }: IndexedColumn, value: PointValue): number {
  const index = value === undefined ? -1 : values.indexOf(value);
  return index < 0 ? MISSING_INDEX : index;
}

function stepOf({ min, max }: ScaledColumn, value: PointValue): number {
  if (typeof value !== "number" || Number.isNaN(value)) return MISSING;
  if (value === Infinity) return PLUS_INFINITY;
  if (value === -Infinity) return MINUS_INFINITY;
  return max > min ? Math.round((MAX_STEPS * (value - min)) / (max - min)) : 0;
}

/** One column of decoded points. */
export interface DecodedColumn {
  /** The words of a column; `numbers` are then indices into them. Undefined for a column of numbers. */
  readonly words: readonly string[] | undefined;
  /** NaN if a point has no value. */
  readonly numbers: Float64Array;
  /** Smallest difference that the column can represent; 0 if its values are exact. */
  readonly resolution: number;
}

export function decodeColumns(columns: readonly ColumnCoding[], bytes: Uint8Array): DecodedColumn[] {
  const points = Math.floor(bytes.length / Math.max(1, bytesPerPoint(columns)));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 0;
  return columns.map((coding) => {
    const words = wordsOf(coding);
    const numbers = new Float64Array(points);
    for (let i = 0; i < points; i += 1) {
      numbers[i] = numberAt(coding, view, offset, words !== undefined);
      offset += SIZES[coding.kind];
    }
    const resolution = coding.kind === "scaled" ? (coding.max - coding.min) / MAX_STEPS : 0;
    return { words, numbers, resolution };
  });
}

function wordsOf(coding: ColumnCoding): readonly string[] | undefined {
  if (coding.kind !== "indexed" || coding.values.every((value) => typeof value === "number")) return undefined;
  return coding.values.map(String);
}

function numberAt(coding: ColumnCoding, view: DataView, offset: number, hasWords: boolean): number {
  if (coding.kind === "count") return view.getUint32(offset, true);
  if (coding.kind === "indexed") {
    const index = view.getUint8(offset);
    if (index === MISSING_INDEX) return NaN;
    return hasWords ? index : (coding.values[index] as number);
  }
  const step = view.getUint16(offset, true);
  if (step === MISSING) return NaN;
  if (step === PLUS_INFINITY) return Infinity;
  if (step === MINUS_INFINITY) return -Infinity;
  return coding.min + (step / MAX_STEPS) * (coding.max - coding.min);
}
