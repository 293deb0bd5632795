/** Eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations: only arithmetic and square roots. */

const MAX_SWEEPS = 50;

interface Eigen {
  readonly values: Float64Array;
  /** Column j, elements i · n + j, is the eigenvector of value j. */
  readonly vectors: Float64Array;
}

/** @param matrix n × n, row by row; not changed */
export function symmetricEigen(matrix: Float64Array, n: number): Eigen {
  const a = matrix.slice();
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) vectors[i * n + i] = 1;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep += 1) {
    let [outside, diagonal] = [0, 0];
    for (let p = 0; p < n; p += 1) {
      diagonal += a[p * n + p]! * a[p * n + p]!;
      for (let q = p + 1; q < n; q += 1) outside += a[p * n + q]! * a[p * n + q]!;
    }
    if (outside <= 1e-32 * diagonal) break;
    for (let p = 0; p < n; p += 1) for (let q = p + 1; q < n; q += 1) rotate(a, vectors, n, p, q);
  }
  return { values: Float64Array.from({ length: n }, (_, i) => a[i * n + i]!), vectors };
}

/** Makes element (p, q) zero. */
function rotate(a: Float64Array, vectors: Float64Array, n: number, p: number, q: number): void {
  const apq = a[p * n + q]!;
  if (apq === 0) return;
  const theta = (a[q * n + q]! - a[p * n + p]!) / (2 * apq);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let i = 0; i < n; i += 1) {
    const [ip, iq] = [a[i * n + p]!, a[i * n + q]!];
    a[i * n + p] = c * ip - s * iq;
    a[i * n + q] = s * ip + c * iq;
  }
  for (let i = 0; i < n; i += 1) {
    const [pi, qi] = [a[p * n + i]!, a[q * n + i]!];
    a[p * n + i] = c * pi - s * qi;
    a[q * n + i] = s * pi + c * qi;
    const [vp, vq] = [vectors[i * n + p]!, vectors[i * n + q]!];
    vectors[i * n + p] = c * vp - s * vq;
    vectors[i * n + q] = s * vp + c * vq;
  }
}
