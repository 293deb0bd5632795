// Eigenvalues of small real matrices, and participation factors: how much each state takes part in each mode.
//
// The matrix is balanced and reduced to Hessenberg form; shifted QR sweeps in complex arithmetic then find the
// eigenvalues. This needs only arithmetic and square roots, so every runtime gets the same bits.

export interface Complex {
  readonly re: number;
  readonly im: number;
}

type Matrix = readonly (readonly number[])[];

/** A complex matrix or vector as two real ones. */
interface ComplexRows {
  readonly re: number[][];
  readonly im: number[][];
}

const MAX_SWEEPS_PER_EIGENVALUE = 100;

/**
 * Returns the eigenvalues, by decreasing real part; conjugate pairs are adjacent, the positive imaginary part first.
 *
 * A state on which no derivative depends (a column of zeros, such as position in uniform air) gives an eigenvalue of
 * exactly 0. Such states are removed first, because rounding would turn the zeros of a chain of integrators into small
 * non-zero values.
 */
export function eigenvalues(matrix: Matrix): Complex[] {
  const { rest, removed } = withoutIntegrators(matrix);
  const values = [...Array.from({ length: removed }, () => ({ re: 0, im: 0 })), ...iterate(hessenberg(balance(rest)))];
  return pairUp(values, scaleOf(matrix));
}

function withoutIntegrators(matrix: Matrix): { rest: number[][]; removed: number } {
  let keep = matrix.map((_, i) => i);
  for (;;) {
    const remaining = keep.filter((column) => keep.some((row) => matrix[row][column] !== 0));
    if (remaining.length === keep.length) break;
    keep = remaining;
  }
  return { rest: keep.map((i) => keep.map((j) => matrix[i][j])), removed: matrix.length - keep.length };
}

/** Scales rows and columns by powers of two, which is exact, until both have similar norms. */
function balance(matrix: number[][]): number[][] {
  const m = matrix.map((row) => [...row]);
  const size = m.length;
  for (let changed = true; changed;) {
    changed = false;
    for (let i = 0; i < size; i += 1) {
      let row = 0;
      let column = 0;
      for (let j = 0; j < size; j += 1) {
        if (j === i) continue;
        row += Math.abs(m[i][j]);
        column += Math.abs(m[j][i]);
      }
      if (row === 0 || column === 0) continue;
      let factor = 1;
      while (column * factor * factor < row / 4) factor *= 2;
      while (column * factor * factor > row * 4) factor /= 2;
      if (factor === 1) continue;
      changed = true;
      for (let j = 0; j < size; j += 1) m[i][j] /= factor;
      for (let j = 0; j < size; j += 1) m[j][i] *= factor;
    }
  }
  return m;
}

/**
 * Returns the upper Hessenberg form by eliminations with pivoting: the same eigenvalues, zeros below the first
 * subdiagonal.
 */
function hessenberg(matrix: number[][]): number[][] {
  const m = matrix;
  const size = m.length;
  for (let k = 1; k < size - 1; k += 1) {
    let pivot = k;
    for (let i = k + 1; i < size; i += 1) if (Math.abs(m[i][k - 1]) > Math.abs(m[pivot][k - 1])) pivot = i;
    if (m[pivot][k - 1] === 0) continue;
    if (pivot !== k) {
      [m[k], m[pivot]] = [m[pivot], m[k]];
      for (const row of m) [row[k], row[pivot]] = [row[pivot], row[k]];
    }
    for (let i = k + 1; i < size; i += 1) {
      const factor = m[i][k - 1] / m[k][k - 1];
      if (factor === 0) continue;
      m[i][k - 1] = 0;
      for (let j = k; j < size; j += 1) m[i][j] -= factor * m[k][j];
      for (const row of m) row[k] += factor * row[i];
    }
  }
  return m;
}

/** Finds the eigenvalues by shifted QR sweeps with deflation from the bottom. */
function iterate(matrix: number[][]): Complex[] {
  const h: ComplexRows = { re: matrix, im: matrix.map((row) => row.map(() => 0)) };
  const values: Complex[] = [];
  let last = matrix.length - 1;
  let sweeps = 0;
  while (last >= 0) {
    const first = blockStart(h, last);
    if (first === last || sweeps > MAX_SWEEPS_PER_EIGENVALUE) {
      values.push({ re: h.re[last][last], im: h.im[last][last] });
      last -= 1;
      sweeps = 0;
      continue;
    }
    sweeps += 1;
    // Every twelfth sweep uses an exceptional shift, because the ordinary shift can cycle.
    const shift = sweeps % 12 === 0 ? { re: Math.abs(h.re[last][last - 1]), im: 0 } : wilkinsonShift(h, last);
    qrSweep(h, first, last, shift);
  }
  return values;
}

/**
 * Returns the first row of the unreduced block that ends at row `last`. Searches upward for the first negligible
 * subdiagonal entry, and sets it to zero.
 */
function blockStart({ re, im }: ComplexRows, last: number): number {
  for (let k = last; k > 0; k -= 1) {
    const size = Math.abs(re[k][k - 1]) + Math.abs(im[k][k - 1]);
    const near = abs1(re[k][k], im[k][k]) + abs1(re[k - 1][k - 1], im[k - 1][k - 1]);
    if (size <= Number.EPSILON * near) {
      re[k][k - 1] = 0;
      im[k][k - 1] = 0;
      return k;
    }
  }
  return 0;
}

/** Returns the eigenvalue of the last 2×2 block that is closer to the block's last diagonal entry. */
function wilkinsonShift({ re, im }: ComplexRows, last: number): Complex {
  const a = { re: re[last - 1][last - 1], im: im[last - 1][last - 1] };
  const d = { re: re[last][last], im: im[last][last] };
  const bc = multiply(
    { re: re[last - 1][last], im: im[last - 1][last] },
    { re: re[last][last - 1], im: im[last][last - 1] },
  );
  const half = { re: (a.re - d.re) / 2, im: (a.im - d.im) / 2 };
  const square = multiply(half, half);
  const root = complexRoot({ re: square.re + bc.re, im: square.im + bc.im });
  const sign = half.re * root.re + half.im * root.im >= 0 ? 1 : -1;
  const denominator = { re: half.re + sign * root.re, im: half.im + sign * root.im };
  if (denominator.re === 0 && denominator.im === 0) return d;
  const step = divide(bc, denominator);
  return { re: d.re - step.re, im: d.im - step.im };
}

/** Computes H ← RQ + s with QR = H − s, by rotations of adjacent rows and columns. */
function qrSweep({ re, im }: ComplexRows, first: number, last: number, shift: Complex): void {
  for (let k = first; k <= last; k += 1) {
    re[k][k] -= shift.re;
    im[k][k] -= shift.im;
  }
  const rotations: { c: number; s: Complex }[] = [];
  for (let k = first; k < last; k += 1) {
    const x = { re: re[k][k], im: im[k][k] };
    const y = { re: re[k + 1][k], im: im[k + 1][k] };
    const rotation = rotationFor(x, y);
    rotations.push(rotation);
    const { c, s } = rotation;
    for (let j = k; j <= last; j += 1) {
      const upper = { re: re[k][j], im: im[k][j] };
      const lower = { re: re[k + 1][j], im: im[k + 1][j] };
      re[k][j] = c * upper.re + (s.re * lower.re - s.im * lower.im);
      im[k][j] = c * upper.im + (s.re * lower.im + s.im * lower.re);
      re[k + 1][j] = c * lower.re - (s.re * upper.re + s.im * upper.im);
      im[k + 1][j] = c * lower.im - (s.re * upper.im - s.im * upper.re);
    }
  }
  rotations.forEach(({ c, s }, at) => {
    const k = first + at;
    for (let i = first; i <= Math.min(k + 2, last); i += 1) {
      const left = { re: re[i][k], im: im[i][k] };
      const right = { re: re[i][k + 1], im: im[i][k + 1] };
      re[i][k] = c * left.re + (s.re * right.re + s.im * right.im);
      im[i][k] = c * left.im + (s.re * right.im - s.im * right.re);
      re[i][k + 1] = c * right.re - (s.re * left.re - s.im * left.im);
      im[i][k + 1] = c * right.im - (s.re * left.im + s.im * left.re);
    }
  });
  for (let k = first; k <= last; k += 1) {
    re[k][k] += shift.re;
    im[k][k] += shift.im;
  }
}

/** Returns c ≥ 0 and s with (c, s; −s̄, c)·(x, y)ᵀ = (r, 0)ᵀ. */
function rotationFor(x: Complex, y: Complex): { c: number; s: Complex } {
  const xNorm = norm(x);
  const yNorm = norm(y);
  const length = Math.sqrt(xNorm * xNorm + yNorm * yNorm);
  if (length === 0) return { c: 1, s: { re: 0, im: 0 } };
  if (xNorm === 0) return { c: 0, s: { re: y.re / yNorm, im: -y.im / yNorm } };
  const phase = multiply({ re: x.re / xNorm, im: x.im / xNorm }, { re: y.re, im: -y.im });
  return { c: xNorm / length, s: { re: phase.re / length, im: phase.im / length } };
}

/**
 * Sorts the eigenvalues, and removes rounding errors: from zero and real eigenvalues, and from the differences between
 * the two of a conjugate pair.
 */
function pairUp(found: readonly Complex[], scale: number): Complex[] {
  const values = found.map((value) => (norm(value) <= Number.EPSILON * scale ? { re: 0, im: 0 } : value));
  const real = values.filter(({ im }) => Math.abs(im) <= 1e-10 * scale).map(({ re }) => ({ re, im: 0 }));
  const upper = values.filter(({ im }) => im > 1e-10 * scale);
  const pairs = upper.flatMap(({ re, im }) => [
    { re, im },
    { re, im: -im },
  ]);
  return [...real, ...pairs].sort((a, b) => b.re - a.re || Math.abs(a.im) - Math.abs(b.im) || b.im - a.im);
}

function scaleOf(matrix: Matrix): number {
  return Math.max(1e-300, ...matrix.map((row) => row.reduce((sum, value) => sum + Math.abs(value), 0)));
}

/**
 * Returns the participation of each state in the mode of an eigenvalue: |left · right| per state, as a fraction of
 * their sum. It does not depend on the units of the states. Right and left eigenvectors come from inverse iteration.
 */
export function participation(matrix: Matrix, value: Complex): number[] {
  const right = eigenvector(matrix, value);
  const left = eigenvector(
    matrix[0].map((_, j) => matrix.map((row) => row[j])),
    value,
  );
  const shares = matrix.map((_, i) => norm(multiply(left[i], right[i])));
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => (sum === 0 ? 0 : share / sum));
}

function eigenvector(matrix: Matrix, value: Complex): Complex[] {
  const size = matrix.length;
  // A shift slightly off the eigenvalue keeps the system solvable.
  const shift = { re: value.re + 1e-9 * scaleOf(matrix), im: value.im };
  let v: Complex[] = Array.from({ length: size }, (_, i) => ({ re: 1 + i / size, im: 0 }));
  for (let step = 0; step < 4; step += 1) {
    v = solveComplex(matrix, shift, v);
    const largest = Math.max(...v.map(norm));
    v = v.map(({ re, im }) => ({ re: re / largest, im: im / largest }));
  }
  return v;
}

/** Solves (M − s)·x = b by elimination with partial pivoting. */
function solveComplex(matrix: Matrix, shift: Complex, b: readonly Complex[]): Complex[] {
  const size = matrix.length;
  const m: Complex[][] = matrix.map((row, i) => [
    ...row.map((value, j) => (i === j ? { re: value - shift.re, im: -shift.im } : { re: value, im: 0 })),
    b[i],
  ]);
  for (let k = 0; k < size; k += 1) {
    let pivot = k;
    for (let i = k + 1; i < size; i += 1) if (norm(m[i][k]) > norm(m[pivot][k])) pivot = i;
    [m[k], m[pivot]] = [m[pivot], m[k]];
    if (norm(m[k][k]) === 0) m[k][k] = { re: 1e-100, im: 0 };
    for (let i = k + 1; i < size; i += 1) {
      const factor = divide(m[i][k], m[k][k]);
      if (factor.re === 0 && factor.im === 0) continue;
      for (let j = k; j <= size; j += 1) m[i][j] = subtract(m[i][j], multiply(factor, m[k][j]));
    }
  }
  const x: Complex[] = [];
  for (let k = size - 1; k >= 0; k -= 1) {
    let sum = m[k][size];
    for (let j = k + 1; j < size; j += 1) sum = subtract(sum, multiply(m[k][j], x[j]));
    x[k] = divide(sum, m[k][k]);
  }
  return x;
}

function multiply(a: Complex, b: Complex): Complex {
  return { re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re };
}

function divide(a: Complex, b: Complex): Complex {
  const square = b.re * b.re + b.im * b.im;
  return { re: (a.re * b.re + a.im * b.im) / square, im: (a.im * b.re - a.re * b.im) / square };
}

function subtract(a: Complex, b: Complex): Complex {
  return { re: a.re - b.re, im: a.im - b.im };
}

function norm({ re, im }: Complex): number {
  return Math.sqrt(re * re + im * im);
}

function abs1(re: number, im: number): number {
  return Math.abs(re) + Math.abs(im);
}

/** Returns the square root with a real part that is not negative. */
function complexRoot(z: Complex): Complex {
  const length = norm(z);
  const re = Math.sqrt((length + Math.abs(z.re)) / 2);
  if (re === 0) return { re: 0, im: 0 };
  const im = z.im / (2 * re);
  return z.re >= 0 ? { re, im } : { re: Math.abs(im), im: z.im >= 0 ? re : -re };
}
