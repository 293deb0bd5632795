/**
 * A tableau as a step works with it: zero coefficients left out, the rest one behind the other.
 *
 * Rows are in the order in which a step needs them: one a stage, then the end, the error and the dense output. Their
 * weights, which are the coefficients times the step size, lie in one array, so that code can be made for them.
 */
import { isFirstSameAsLast, type Tableau } from "./tableau.ts";

export interface PackedRow {
  readonly coefficients: readonly number[];
  /** Stages whose slopes they multiply. */
  readonly stages: readonly number[];
  /** Place of the first weight. */
  readonly first: number;
}

export interface PackedTableau {
  /** Row s leads to stage s; the first is empty. */
  readonly stages: readonly PackedRow[];
  readonly end: PackedRow;
  readonly error: PackedRow;
  readonly dense: PackedRow;
  readonly weightCount: number;
  /** The last stage stands at the end state. */
  readonly fsal: boolean;
}

export function packTableau(tableau: Tableau): PackedTableau {
  let weightCount = 0;
  const pack = (row: readonly number[]): PackedRow => {
    const stages = row.flatMap((value, j) => (value === 0 ? [] : [j]));
    const first = weightCount;
    weightCount += stages.length;
    return { coefficients: stages.map((j) => row[j]!), stages, first };
  };
  const stages = tableau.a.map(pack);
  const [end, error, dense] = [tableau.b, tableau.e ?? [], tableau.d ?? []].map(pack) as [
    PackedRow,
    PackedRow,
    PackedRow,
  ];
  return { stages, end, error, dense, weightCount, fsal: isFirstSameAsLast(tableau) };
}
