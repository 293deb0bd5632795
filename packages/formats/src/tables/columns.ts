/**
 * Columns of a results table, and their cells as bytes.
 *
 * A cell that has no value is null, never NaN or a special number. Infinity is a value: the margin of a
 * requirement that contains only yes-or-no conditions is infinite.
 */
import { defineErrors } from "@escapement/core";

export type CellType = "int32" | "double" | "string";
export type Cell = number | string | null;

export interface ResultColumn {
  readonly name: string;
  readonly type: CellType;
  /** Empty for text and for numbers without a unit. */
  readonly unit: string;
  readonly about: string;
  /** True if a cell may be null. */
  readonly isOptional: boolean;
}

export const tableErrors = defineErrors("TABLE", {
  badColumn: {
    number: 1,
    title: "a column name is not valid",
    explain: "Every column of a results table has a name, and no two columns have the same name.",
  },
  badCell: {
    number: 2,
    title: "a cell does not fit its column",
    explain:
      "Each column of a results table contains 32-bit integers, float64 numbers or text. NaN is never written: a value that does not exist is null.",
  },
  damaged: {
    number: 3,
    title: "a results table is damaged",
    explain:
      "A checksum or the structure of the file is wrong: bytes changed after it was written, or it was cut short.",
  },
  notResults: {
    number: 4,
    title: "a file is not a results table",
    explain:
      "A results table of a campaign is a Parquet file with Escapement's metadata. This file has no such metadata.",
  },
  wrongVersion: {
    number: 5,
    title: "a results table was written in a different version of the format",
    explain:
      "The layout of results tables is versioned. A reader rejects other versions, because it could misread them.",
  },
});

export function checkColumns(columns: readonly ResultColumn[]): void {
  const seen = new Set<string>();
  for (const { name } of columns) {
    const problem = name === "" ? "has no name" : seen.has(name) ? "is given twice" : undefined;
    if (problem !== undefined)
      throw tableErrors.badColumn({ what: `column "${name}" ${problem}`, fix: "rename the column" });
    seen.add(name);
  }
}

export function checkCell({ name, type, isOptional }: ResultColumn, cell: Cell, row: number): void {
  const fits =
    cell === null
      ? isOptional
      : type === "string"
        ? typeof cell === "string"
        : typeof cell === "number" && (type === "int32" ? (cell | 0) === cell : !Number.isNaN(cell));
  if (fits) return;
  throw tableErrors.badCell({
    what: `row ${row}: column "${name}" (${type}) cannot hold ${JSON.stringify(cell) ?? String(cell)}`,
    fix: isOptional ? "write null if there is no value" : "write a value in every row of this column",
  });
}

const LITTLE_ENDIAN = true;

/**
 * Returns the bytes of cells for a checksum. The bytes of a number are a byte that is 1 if the cell has a value, then
 * the value.
 */
export function cellBytes(type: CellType, cells: readonly Cell[] | Float64Array): Uint8Array {
  if (type === "string") return new TextEncoder().encode(JSON.stringify(cells));
  const view = new DataView(new ArrayBuffer(9 * cells.length));
  for (let i = 0; i < cells.length; i += 1) {
    const cell = cells[i] as number | null;
    if (cell === null) continue;
    view.setUint8(9 * i, 1);
    view.setFloat64(9 * i + 1, cell, LITTLE_ENDIAN);
  }
  return new Uint8Array(view.buffer);
}
