// 3×3 matrices, row by row in a Float64Array(9): rotations and inertia tensors. `…Into` fills its first argument, which may
// be one of the others.

import { mathErrors } from "./errors.ts";

/** out = a·b. */
export function mat3MultiplyInto(out: Float64Array, a: Float64Array, b: Float64Array): void {
  const b0 = b[0];
  const b1 = b[1];
  const b2 = b[2];
  const b3 = b[3];
  const b4 = b[4];
  const b5 = b[5];
  const b6 = b[6];
  const b7 = b[7];
  const b8 = b[8];
  for (let row = 0; row < 9; row += 3) {
    const x = a[row];
    const y = a[row + 1];
    const z = a[row + 2];
    out[row] = x * b0 + y * b3 + z * b6;
    out[row + 1] = x * b1 + y * b4 + z * b7;
    out[row + 2] = x * b2 + y * b5 + z * b8;
  }
}

/** out = mᵀ. */
export function mat3TransposeInto(out: Float64Array, m: Float64Array): void {
  const m1 = m[1];
  const m2 = m[2];
  const m5 = m[5];
  out[0] = m[0];
  out[1] = m[3];
  out[2] = m[6];
  out[4] = m[4];
  out[5] = m[7];
  out[8] = m[8];
  out[3] = m1;
  out[6] = m2;
  out[7] = m5;
}

/** out = m·v. */
export function mat3MultiplyVectorInto(out: Float64Array, m: Float64Array, v: Float64Array, outAt = 0, vAt = 0): void {
  const x = v[vAt];
  const y = v[vAt + 1];
  const z = v[vAt + 2];
  out[outAt] = m[0] * x + m[1] * y + m[2] * z;
  out[outAt + 1] = m[3] * x + m[4] * y + m[5] * z;
  out[outAt + 2] = m[6] * x + m[7] * y + m[8] * z;
}

export function mat3Determinant(m: Float64Array): number {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) + m[1] * (m[5] * m[6] - m[3] * m[8]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

/** out = m⁻¹, the transposed cofactors over the determinant; a singular matrix is a typed error. */
export function mat3InverseInto(out: Float64Array, m: Float64Array): void {
  const determinant = mat3Determinant(m);
  if (determinant === 0 || !Number.isFinite(determinant)) {
    throw mathErrors.singularMatrix({
      what: `the matrix [${Array.from(m).join(", ")}] has determinant ${determinant} and so no inverse`,
      fix: "Give a matrix whose rows are finite and independent of each other.",
    });
  }
  const a = m[0];
  const b = m[1];
  const c = m[2];
  const d = m[3];
  const e = m[4];
  const f = m[5];
  const g = m[6];
  const h = m[7];
  const i = m[8];
  out[0] = (e * i - f * h) / determinant;
  out[1] = (c * h - b * i) / determinant;
  out[2] = (b * f - c * e) / determinant;
  out[3] = (f * g - d * i) / determinant;
  out[4] = (a * i - c * g) / determinant;
  out[5] = (c * d - a * f) / determinant;
  out[6] = (d * h - e * g) / determinant;
  out[7] = (b * g - a * h) / determinant;
  out[8] = (a * e - b * d) / determinant;
}

/**
 * Whether m is symmetric within a limit (absolute, in the unit of m) and positive definite: its three leading minors are
 * positive (Sylvester). Not finite is not positive.
 */
export function mat3IsSymmetricPositiveDefinite(m: Float64Array, asymmetryLimit = 1e-12): boolean {
  const asymmetry = Math.max(Math.abs(m[1] - m[3]), Math.abs(m[2] - m[6]), Math.abs(m[5] - m[7]));
  const determinant = mat3Determinant(m);
  return (
    asymmetry <= asymmetryLimit &&
    m[0] > 0 &&
    m[0] * m[4] - m[1] * m[3] > 0 &&
    determinant > 0 &&
    determinant < Infinity
  );
}
