/**
 * A Runge–Kutta method as data: its Butcher tableau, and what follows from it.
 *
 * A method file holds a tableau, its order and where it was published; the arithmetic of a step is written once, in
 * runge-kutta.ts. Vectors are written in the usual letters: nodes c, stages a, weights b.
 *
 *   k_i = f(t + c_i h, x + h Σ a_ij k_j),   x₁ = x + h Σ b_i k_i,   error ≈ h Σ e_i k_i  with  e = b − b̂
 */
import { invariant } from "../errors/index.ts";

/** The coefficients of a Runge–Kutta method. */
export interface Tableau {
  /** Order of the solution that is carried on. */
  readonly order: number;
  readonly c: readonly number[];
  /** Row i has i entries; the first is empty. */
  readonly a: readonly (readonly number[])[];
  readonly b: readonly number[];
  /** Weights of the error estimate, of order h^order. Absent: the method cannot control its step. */
  readonly e?: readonly number[];
  /**
   * What the dense output adds to the cubic Hermite polynomial: θ²(1−θ)² h Σ d_i k_i. Absent: nothing.
   */
  readonly d?: readonly number[];
}

/** First same as last: the last stage is the slope at the end of the step, and so the first of the next one. */
export function isFirstSameAsLast({ a, b, c }: Tableau): boolean {
  const last = a[a.length - 1]!;
  return (
    a.length > 1 && c[c.length - 1] === 1 && (b[last.length] ?? 0) === 0 && last.every((value, j) => value === b[j])
  );
}

/** What every tableau fulfils, whatever its method: shapes, row sums and consistency. */
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
    invariant(weights.length === c.length, `tableau ${name}: d and e have one entry a stage`);
    invariant(Math.abs(sum(weights)) < 1e-13, `tableau ${name}: d and e add up to 0`);
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** One row of a tableau as a step works with it: without its zero coefficients. */
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
