/**
 * A Runge–Kutta method as data: its Butcher tableau, and properties derived from it.
 *
 * A method file holds a tableau, its order and its source. The arithmetic of a step is written once, in runge-kutta.ts.
 * Vectors have their usual letters: nodes c, stages a, weights b.
 *
 *   k_i = f(t + c_i h, x + h Σ a_ij k_j),   x₁ = x + h Σ b_i k_i,   error ≈ h Σ e_i k_i  with  e = b − b̂
 */
import { invariant } from "../errors/index.ts";

/** The coefficients of a Runge–Kutta method. */
export interface Tableau {
  /** Order of the solution with which integration continues. */
  readonly order: number;
  readonly c: readonly number[];
  /** Row i has i entries, so the first row is empty. */
  readonly a: readonly (readonly number[])[];
  readonly b: readonly number[];
  /** Weights of the error estimate, of order h^order. Absent: the method cannot control its step. */
  readonly e?: readonly number[];
  /** The term that dense output adds to the cubic Hermite polynomial: θ²(1−θ)² h Σ d_i k_i. Absent: none. */
  readonly d?: readonly number[];
}

/** First same as last (FSAL): the last stage is the slope at the end of the step, and the next step starts with it. */
export function isFirstSameAsLast({ a, b, c }: Tableau): boolean {
  const last = a[a.length - 1]!;
  return (
    a.length > 1 && c[c.length - 1] === 1 && (b[last.length] ?? 0) === 0 && last.every((value, j) => value === b[j])
  );
}

/** Checks the properties of every tableau: shapes, row sums and consistency. */
export function checkTableau(name: string, tableau: Tableau): void {
  const { a, b, c, d, e } = tableau;
  invariant(a.length === c.length && b.length === c.length, `tableau ${name}: a, b and c differ in length`);
  a.forEach((row, i) => {
    invariant(row.length === i, `tableau ${name}: row ${i} of a must have ${i} entries`);
    invariant(Math.abs(sum(row) - c[i]!) < 1e-14, `tableau ${name}: row ${i} of a does not add up to c`);
  });
  invariant(Math.abs(sum(b) - 1) < 1e-14, `tableau ${name}: b does not add up to 1`);
  for (const weights of [d, e]) {
    if (weights === undefined) continue;
    invariant(weights.length === c.length, `tableau ${name}: d and e must have one entry per stage`);
    invariant(Math.abs(sum(weights)) < 1e-13, `tableau ${name}: d and e must add up to 0`);
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** One row of a tableau without its zero coefficients. */
export interface PackedRow {
  readonly coefficients: readonly number[];
  /** The stages whose slopes the coefficients multiply. */
  readonly stages: readonly number[];
  /** Index of the row's first weight among the weights of all rows. */
  readonly first: number;
}

export interface PackedTableau {
  /** Row s gives the state of stage s. The first row is empty. */
  readonly stages: readonly PackedRow[];
  readonly end: PackedRow;
  readonly error: PackedRow;
  readonly dense: PackedRow;
  readonly weightCount: number;
  /** Whether the state of the last stage is the end state. */
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
