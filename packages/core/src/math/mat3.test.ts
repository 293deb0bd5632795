// Matrices: the golden inertia tensor of the physics specification, inverses, and the test for positive definiteness.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SimError } from "../errors/index.ts";
import {
  mat3Determinant,
  mat3InverseInto,
  mat3IsSymmetricPositiveDefinite,
  mat3MultiplyInto,
  mat3MultiplyVectorInto,
  mat3TransposeInto,
} from "./mat3.ts";
import { vec3CrossInto } from "./vec3.ts";

const INERTIA = Float64Array.of(0.02, 0.001, 0, 0.001, 0.03, 0, 0, 0, 0.04);
const entry = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => n / 1e5);
const matrix = fc.array(entry, { minLength: 9, maxLength: 9 }).map((m) => Float64Array.from(m));

describe("mat3", () => {
  it("gives the torque-free acceleration of a full inertia tensor", () => {
    const rateBody = Float64Array.of(1, 2, 3);
    const momentum = new Float64Array(3);
    const gyroscopic = new Float64Array(3);
    const inverse = new Float64Array(9);
    mat3MultiplyVectorInto(momentum, INERTIA, rateBody);
    vec3CrossInto(gyroscopic, rateBody, momentum);
    [0.057, -0.054, 0.017].forEach((want, i) => expect(gyroscopic[i]).toBeCloseTo(want, 15));
    mat3InverseInto(inverse, INERTIA);
    mat3MultiplyVectorInto(gyroscopic, inverse, gyroscopic);
    [2.9449081803005006, -1.8981636060100167, 0.425].forEach((want, i) => expect(gyroscopic[i]).toBeCloseTo(want, 14));
  });

  it("multiplies, transposes and inverts, also in place", () => {
    const product = new Float64Array(9);
    const inverse = new Float64Array(9);
    fc.assert(
      fc.property(matrix, matrix, (a, b) => {
        // (a·b)ᵀ = bᵀ·aᵀ
        mat3MultiplyInto(product, a, b);
        mat3TransposeInto(product, product);
        mat3TransposeInto(a, a);
        mat3TransposeInto(b, b);
        const other = Float64Array.from(b);
        mat3MultiplyInto(other, other, a);
        for (let i = 0; i < 9; i++) expect(Math.abs(product[i] - other[i])).toBeLessThan(1e-12);
        expect(Math.abs(mat3Determinant(product) - mat3Determinant(a) * mat3Determinant(b))).toBeLessThan(1e-5);
        fc.pre(Math.abs(mat3Determinant(a)) > 1e-2);
        inverse.set(a);
        mat3InverseInto(inverse, inverse);
        mat3MultiplyInto(product, inverse, a);
        for (let i = 0; i < 9; i++) expect(Math.abs(product[i] - (i % 4 === 0 ? 1 : 0))).toBeLessThan(1e-8);
      }),
    );
  });

  it("multiplies known matrices row by column", () => {
    const out = new Float64Array(9);
    mat3MultiplyInto(out, Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), Float64Array.of(9, 8, 7, 6, 5, 4, 3, 2, 1));
    expect([...out]).toEqual([30, 24, 18, 84, 69, 54, 138, 114, 90]);
    expect(mat3Determinant(Float64Array.of(2, 0, 1, 1, 3, 0, 0, 1, 4))).toBe(25);
  });

  it("refuses to invert a singular matrix, with a typed error", () => {
    const out = new Float64Array(9);
    for (const m of [
      new Float64Array(9),
      Float64Array.of(1, 2, 3, 2, 4, 6, 0, 0, 1),
      Float64Array.of(1, 0, 0, 0, NaN, 0, 0, 0, 1),
    ]) {
      expect(() => mat3InverseInto(out, m)).toThrow(SimError);
      expect(() => mat3InverseInto(out, m)).toThrow(/MATH-002/);
    }
  });

  it("knows positive definite tensors", () => {
    expect(mat3IsSymmetricPositiveDefinite(INERTIA)).toBe(true);
    expect(mat3IsSymmetricPositiveDefinite(Float64Array.of(1, 2, 0, 2, 1, 0, 0, 0, 1))).toBe(false);
    expect(mat3IsSymmetricPositiveDefinite(Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, -1))).toBe(false);
    expect(mat3IsSymmetricPositiveDefinite(Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0, 1))).toBe(false);
    expect(mat3IsSymmetricPositiveDefinite(Float64Array.of(1, 1e-11, 0, 0, 1, 0, 0, 0, 1))).toBe(false);
    expect(mat3IsSymmetricPositiveDefinite(Float64Array.of(1, 1e-13, 0, 0, 1, 0, 0, 0, 1))).toBe(true);
    expect(mat3IsSymmetricPositiveDefinite(Float64Array.of(Infinity, 0, 0, 0, 1, 0, 0, 0, 1))).toBe(false);
    expect(mat3IsSymmetricPositiveDefinite(Float64Array.of(1, 0, 0, 0, NaN, 0, 0, 0, 1))).toBe(false);
  });

  it("accepts mᵀ·m of any regular matrix, and its negative never", () => {
    const square = new Float64Array(9);
    const transposed = new Float64Array(9);
    fc.assert(
      fc.property(matrix, (m) => {
        fc.pre(Math.abs(mat3Determinant(m)) > 1e-2);
        mat3TransposeInto(transposed, m);
        mat3MultiplyInto(square, transposed, m);
        expect(mat3IsSymmetricPositiveDefinite(square, 1e-10)).toBe(true);
        expect(
          mat3IsSymmetricPositiveDefinite(
            square.map((x) => -x),
            1e-10,
          ),
        ).toBe(false);
      }),
    );
  });
});
