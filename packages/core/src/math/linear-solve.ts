// Small dense systems of linear equations: Gaussian elimination with partial pivoting, and the solution of least norm
// of an under-determined system.

/** Solves M·x = b for a square M; undefined if M is singular to within rounding. */
function solveLinear(matrix: readonly (readonly number[])[], b: readonly number[]): number[] | undefined {
  const size = matrix.length;
  const m = matrix.map((row, i) => [...row, b[i]]);
  const scale = Math.max(...m.map((row) => Math.max(...row.slice(0, size).map(Math.abs))));
  for (let k = 0; k < size; k += 1) {
    let pivot = k;
    for (let i = k + 1; i < size; i += 1) if (Math.abs(m[i][k]) > Math.abs(m[pivot][k])) pivot = i;
    [m[k], m[pivot]] = [m[pivot], m[k]];
    if (!(Math.abs(m[k][k]) > 1e-12 * scale)) return undefined;
    for (let i = 0; i < size; i += 1) {
      if (i === k) continue;
      const factor = m[i][k] / m[k][k];
      if (factor !== 0) for (let c = k; c <= size; c += 1) m[i][c] -= factor * m[k][c];
    }
  }
  return m.map((row, k) => row[size] / row[k]);
}

/** Returns the x of least norm with A·x = b, as Aᵀ(AAᵀ)⁻¹b; undefined if the rows of A are linearly dependent. */
export function solveLeastNorm(rows: readonly (readonly number[])[], b: readonly number[]): number[] | undefined {
  const gram = rows.map((row) => rows.map((other) => dot(row, other)));
  const weights = solveLinear(gram, b);
  return weights && rows[0].map((_, i) => rows.reduce((sum, row, k) => sum + row[i] * weights[k], 0));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}
