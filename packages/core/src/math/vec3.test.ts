// Vectors: algebraic identities, offsets, and lengths at the ends of the range.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  vec3AddInto,
  vec3AddScaledInto,
  vec3CrossInto,
  vec3Dot,
  vec3Norm,
  vec3NormaliseInto,
  vec3ScaleInto,
  vec3SubtractInto,
} from "./vec3.ts";

const component = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => n / 1e3),
  fc.double({ min: -1e3, max: 1e3, noNaN: true }),
);
const vector = fc.tuple(component, component, component).map((v) => Float64Array.from(v));

describe("vec3", () => {
  it("adds, subtracts and scales, even in place and inside a flat state", () => {
    const state = Float64Array.of(9, 1, 2, 3, 4, 5, 6, 9);
    vec3AddInto(state, state, state, 1, 1, 4);
    expect([...state]).toEqual([9, 5, 7, 9, 4, 5, 6, 9]);
    vec3SubtractInto(state, state, state, 1, 1, 4);
    expect([...state]).toEqual([9, 1, 2, 3, 4, 5, 6, 9]);
    vec3ScaleInto(state, state, 2, 4, 1);
    expect([...state]).toEqual([9, 1, 2, 3, 2, 4, 6, 9]);
    vec3AddScaledInto(state, state, state, -0.5, 1, 1, 4);
    expect([...state]).toEqual([9, 0, 0, 0, 2, 4, 6, 9]);
  });

  it("has a right-handed cross product: forward × right = down", () => {
    const out = new Float64Array(3);
    vec3CrossInto(out, Float64Array.of(1, 0, 0), Float64Array.of(0, 1, 0));
    expect([...out]).toEqual([0, 0, 1]);
    const a = Float64Array.of(1, 2, 3);
    vec3CrossInto(a, a, Float64Array.of(4, 5, 6));
    expect([...a]).toEqual([-3, 6, -3]);
  });

  it("has a cross product at right angles, for which Lagrange's identity holds", () => {
    const c = new Float64Array(3);
    fc.assert(
      fc.property(vector, vector, (a, b) => {
        vec3CrossInto(c, a, b);
        const size = vec3Norm(a) * vec3Norm(b) + 1e-300;
        expect(Math.abs(vec3Dot(c, a)) / (size * (vec3Norm(a) + 1))).toBeLessThan(1e-15);
        const lagrange = vec3Dot(c, c) + vec3Dot(a, b) * vec3Dot(a, b);
        expect(Math.abs(lagrange / (size * size) - 1) < 1e-14 || size < 1e-100).toBe(true);
      }),
    );
  });

  it("has the length of vectors whose squares overflow or underflow", () => {
    expect(vec3Norm(Float64Array.of(3e300, 0, 4e300))).toBe(5e300);
    expect(vec3Norm(Float64Array.of(3e-300, 4e-300, 0))).toBeCloseTo(5e-300, 314);
    expect(vec3Norm(Float64Array.of(0, -5e-324, 0))).toBe(5e-324);
    expect(vec3Norm(Float64Array.of(0, 0, 0))).toBe(0);
    expect(vec3Norm(Float64Array.of(1, -Infinity, 0))).toBe(Infinity);
    expect(vec3Norm(Float64Array.of(1, NaN, 0))).toBeNaN();
  });

  it("normalises to length 1, and leaves the zero vector unchanged", () => {
    const out = new Float64Array(3);
    fc.assert(
      fc.property(vector, (v) => {
        const norm = vec3NormaliseInto(out, v);
        expect(norm).toBe(vec3Norm(v));
        expect(Math.abs(vec3Norm(out) - 1) < 4e-16 || norm === 0).toBe(true);
      }),
    );
    expect(vec3NormaliseInto(out, Float64Array.of(5e-324, 0, -5e-324))).toBe(5e-324);
    expect(vec3Norm(out)).toBeCloseTo(1, 15);
    expect(vec3NormaliseInto(out, new Float64Array(3))).toBe(0);
    expect([...out]).toEqual([0, 0, 0]);
  });
});
