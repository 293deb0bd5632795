// Quaternions: the golden attitudes of the physics specification, and properties of any attitude: norms, inverses, the
// rotation matrix, equality of q and −q, round trips.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  quatAngleBetween,
  quatBetweenInto,
  quatDifferenceInto,
  quatExpInto,
  quatFromAxisAngleInto,
  quatFromEulerInto,
  quatLogInto,
  quatToEulerInto,
  quatYaw,
} from "./attitude.ts";
import {
  quatConjugateInto,
  quatDerivativeInto,
  quatMultiplyInto,
  quatNorm,
  quatNormaliseInto,
  quatRotateInto,
  quatRotateInverseInto,
  quatToMatrixInto,
} from "./quat.ts";
import { vec3Norm, vec3NormaliseInto } from "./vec3.ts";

const DEGREE = Math.PI / 180;
const real = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => n / 1e6);
const vector = fc.tuple(real, real, real).map((v) => Float64Array.from(v));
const direction = vector.filter((v) => vec3Norm(v) > 0.01);
const attitude = fc
  .tuple(real, real, real, real)
  .filter((q) => Math.hypot(...q) > 0.01)
  .map((q) => {
    const out = Float64Array.from(q);
    quatNormaliseInto(out, out);
    return out;
  });

const negated = (q: Float64Array): Float64Array => q.map((x) => -x);
const close = (a: Float64Array, b: ArrayLike<number>, limit: number): void => {
  for (let i = 0; i < a.length; i++) expect(Math.abs(a[i] - b[i])).toBeLessThanOrEqual(limit);
};

/** a·b for a 3×3 matrix a and a matrix or vector b of three rows, stored row by row. */
const product = (a: Float64Array, b: Float64Array): Float64Array => {
  const width = b.length / 3;
  const sum = (i: number, j: number) => a[i] * b[j] + a[i + 1] * b[j + width] + a[i + 2] * b[j + 2 * width];
  return Float64Array.from(b, (_, k) => sum(3 * Math.floor(k / width), k % width));
};
const transposed = (m: Float64Array): Float64Array => m.map((_, k) => m[3 * (k % 3) + Math.floor(k / 3)]);
const determinant = (m: Float64Array): number => {
  const minor = (i: number, j: number) => m[3 + i] * m[6 + j] - m[3 + j] * m[6 + i];
  return m[0] * minor(1, 2) + m[1] * minor(2, 0) + m[2] * minor(0, 1);
};

describe("golden attitudes", () => {
  const q = new Float64Array(4);
  quatFromEulerInto(q, { rollRad: 10 * DEGREE, pitchRad: 20 * DEGREE, yawRad: 30 * DEGREE });

  it("builds the quaternion of (10, 20, 30)°", () => {
    close(q, [0.9515485246437886, 0.038134576474850156, 0.189307857412, 0.23929833774473033], 5e-13);
    close(q, [0.9515485246437886, 0.038134576474850156, 0.1893078574119999, 0.23929833774473033], 3e-16);
  });

  it("builds its matrix with the known first row", () => {
    const m = new Float64Array(9);
    quatToMatrixInto(m, q);
    close(m.subarray(0, 3), [0.8137976813493737, -0.4409696105298825, 0.3785223063697925], 3e-16);
  });

  it("points body x straight up at 90° of pitch", () => {
    const up = new Float64Array(4);
    const out = new Float64Array(3);
    quatFromEulerInto(up, { rollRad: 0, pitchRad: Math.PI / 2, yawRad: 0 });
    quatRotateInto(out, up, Float64Array.of(1, 0, 0));
    close(out, [0, 0, -1], 3e-16);
  });

  it("turns clockwise seen from above with positive yaw: 90° faces east", () => {
    const east = new Float64Array(4);
    const out = new Float64Array(3);
    quatFromEulerInto(east, { rollRad: 0, pitchRad: 0, yawRad: Math.PI / 2 });
    quatRotateInto(out, east, Float64Array.of(1, 0, 0));
    close(out, [0, 1, 0], 3e-16);
    expect(quatYaw(east)).toBeCloseTo(Math.PI / 2, 15);
  });
});

describe("any attitude", () => {
  it("multiplies by Hamilton's rule: i·j = k, and conj(q·p) = conj(p)·conj(q)", () => {
    const out = new Float64Array(4);
    quatMultiplyInto(out, Float64Array.of(0, 1, 0, 0), Float64Array.of(0, 0, 1, 0));
    expect([...out]).toEqual([0, 0, 0, 1]);
    fc.assert(
      fc.property(attitude, attitude, (q, p) => {
        const left = new Float64Array(4);
        quatMultiplyInto(left, q, p);
        expect(Math.abs(quatNorm(left) - 1)).toBeLessThan(1e-15);
        quatConjugateInto(left, left);
        quatConjugateInto(q, q);
        quatConjugateInto(p, p);
        quatMultiplyInto(p, p, q);
        close(left, p, 4e-16);
      }),
    );
  });

  it("rotates like its matrix, keeps lengths, and rotates back", () => {
    const m = new Float64Array(9);
    const out = new Float64Array(3);
    fc.assert(
      fc.property(attitude, vector, (q, v) => {
        quatToMatrixInto(m, q);
        quatRotateInto(out, q, v);
        close(out, product(m, v), 4e-15);
        expect(Math.abs(vec3Norm(out) - vec3Norm(v))).toBeLessThan(4e-15);
        quatRotateInverseInto(out, q, out);
        close(out, v, 6e-15);
      }),
    );
  });

  it("has an orthogonal matrix of determinant 1; multiplying quaternions multiplies their matrices", () => {
    const a = new Float64Array(9);
    const b = new Float64Array(9);
    const c = new Float64Array(9);
    fc.assert(
      fc.property(attitude, attitude, (q, p) => {
        quatToMatrixInto(a, q);
        quatToMatrixInto(b, p);
        const ab = product(a, b);
        quatMultiplyInto(q, q, p);
        quatToMatrixInto(c, q);
        close(ab, c, 4e-15);
        close(product(transposed(ab), ab), [1, 0, 0, 0, 1, 0, 0, 0, 1], 6e-15);
        expect(determinant(ab)).toBeCloseTo(1, 13);
      }),
    );
  });

  it("works at any offset in a flat state", () => {
    const state = new Float64Array(14);
    state.set([0.5, 0.5, -0.5, 0.5], 3);
    state.set([1, 2, 3], 8);
    quatRotateInto(state, state, state, 11, 3, 8);
    const plain = new Float64Array(3);
    quatRotateInto(plain, Float64Array.of(0.5, 0.5, -0.5, 0.5), Float64Array.of(1, 2, 3));
    expect([...state.subarray(11)]).toEqual([...plain]);
    quatRotateInverseInto(state, state, state, 11, 3, 11);
    expect([...state.subarray(11)]).toEqual([1, 2, 3]);
  });

  it("normalises anything but zero, which becomes the identity", () => {
    const out = new Float64Array(4);
    quatNormaliseInto(out, new Float64Array(4));
    expect([...out]).toEqual([1, 0, 0, 0]);
    for (const size of [1, 1e-200, 5e-324, 1e200, 1e308]) {
      quatNormaliseInto(out, Float64Array.of(0, size, 0, -size));
      close(out, [0, Math.SQRT1_2, 0, -Math.SQRT1_2], 2e-16);
    }
  });
});

describe("derivative and exponential map", () => {
  it("the derivative is half of q times the rate, and keeps the norm", () => {
    const rate = new Float64Array(4);
    const out = new Float64Array(4);
    const want = new Float64Array(4);
    fc.assert(
      fc.property(attitude, vector, (q, w) => {
        quatDerivativeInto(out, q, w);
        rate.set(w, 1);
        quatMultiplyInto(want, q, rate);
        close(
          out,
          want.map((x) => x / 2),
          3e-16,
        );
        expect(Math.abs(out.reduce((sum, x, i) => sum + x * q[i], 0))).toBeLessThan(4e-16);
      }),
    );
  });

  it("exp and log are inverse, for both q and −q", () => {
    const q = new Float64Array(4);
    const back = new Float64Array(3);
    fc.assert(
      fc.property(direction, fc.integer({ min: 0, max: 1000 }), (v, part) => {
        vec3NormaliseInto(v, v);
        const angle = part / 1000 < 0.5 ? Math.pow(10, -300 * (0.5 - part / 1000)) : Math.PI * 0.999999 * (part / 1000);
        const rotation = v.map((x) => x * angle);
        quatExpInto(q, rotation);
        expect(Math.abs(quatNorm(q) - 1)).toBeLessThan(6e-16);
        quatLogInto(back, q);
        close(back, rotation, 1e-15 * Math.max(angle, Number.MIN_VALUE) * 2);
        quatLogInto(back, negated(q));
        close(back, rotation, 1e-15 * Math.max(angle, Number.MIN_VALUE) * 2);
      }),
    );
  });

  it("is exact for tiny rotation vectors", () => {
    const q = new Float64Array(4);
    quatExpInto(q, Float64Array.of(3e-170, -4e-200, 2e-308));
    expect([...q]).toEqual([1, 1.5e-170, -2e-200, 1e-308]);
    quatExpInto(q, Float64Array.of(2e-4, 0, 0));
    close(q, [0.999999995, 0.0000999999998333333, 0, 0], 1e-17);
    quatExpInto(q, new Float64Array(3));
    expect([...q]).toEqual([1, 0, 0, 0]);
  });

  it("is continuous at the switch to the series", () => {
    const below = new Float64Array(4);
    const above = new Float64Array(4);
    quatExpInto(below, Float64Array.of(0, 1.9999999999999e-4, 0));
    quatExpInto(above, Float64Array.of(0, 2.0000000000001e-4, 0));
    expect(above[2] - below[2]).toBeCloseTo(1e-17, 18);
    expect(Math.abs(above[0] - below[0])).toBeLessThan(2e-16);
  });

  it("agrees with axis and angle", () => {
    const a = new Float64Array(4);
    const b = new Float64Array(4);
    fc.assert(
      fc.property(direction, real, (axis, x) => {
        quatFromAxisAngleInto(a, axis, 10 * x);
        const unit = new Float64Array(3);
        vec3NormaliseInto(unit, axis);
        quatExpInto(
          b,
          unit.map((c) => c * 10 * x),
        );
        close(a, b, 1e-14);
      }),
    );
    quatFromAxisAngleInto(a, new Float64Array(3), 1);
    expect([...a]).toEqual([1, 0, 0, 0]);
  });
});

describe("Euler angles", () => {
  const euler = new Float64Array(3);
  const q = new Float64Array(4);
  const back = new Float64Array(4);

  it("round-trip through the quaternion away from gimbal lock", () => {
    fc.assert(
      fc.property(real, real, real, (r, p, y) => {
        const angles = { rollRad: 3.14 * r, pitchRad: 1.5 * p, yawRad: 3.14 * y };
        quatFromEulerInto(q, angles);
        quatToEulerInto(euler, q);
        close(euler, [angles.rollRad, angles.pitchRad, angles.yawRad], 1e-14);
        expect(quatYaw(q)).toBeCloseTo(angles.yawRad, 13);
        quatToEulerInto(euler, negated(q));
        close(euler, [angles.rollRad, angles.pitchRad, angles.yawRad], 1e-14);
      }),
    );
  });

  it("describe the same attitude everywhere, including gimbal lock", () => {
    const pitches = [Math.PI / 2, -Math.PI / 2, Math.PI / 2 - 1e-8, -Math.PI / 2 + 1e-12];
    fc.assert(
      fc.property(real, real, fc.constantFrom(...pitches), (r, y, pitchRad) => {
        quatFromEulerInto(q, { rollRad: 3 * r, pitchRad, yawRad: 3 * y });
        quatToEulerInto(euler, q);
        quatFromEulerInto(back, { rollRad: euler[0], pitchRad: euler[1], yawRad: euler[2] });
        expect(quatAngleBetween(q, back)).toBeLessThan(5e-15);
        if (Math.abs(pitchRad) === Math.PI / 2) expect(Math.abs(euler[0])).toBeLessThan(1e-15);
      }),
    );
  });

  it("keep small angles to the last digits", () => {
    quatFromEulerInto(q, { rollRad: 1e-20, pitchRad: 2e-30, yawRad: 0 });
    quatToEulerInto(euler, q);
    expect(euler[0]).toBeCloseTo(1e-20, 34);
    expect(euler[1]).toBeCloseTo(2e-30, 44);
    expect(euler[2]).toBe(0);
  });
});

describe("angle between attitudes", () => {
  it("resolves angles far below 1e-12 rad, which acos cannot", () => {
    const turn = new Float64Array(4);
    const p = new Float64Array(4);
    for (const angle of [1e-6, 1e-9, 1e-12, 1e-14]) {
      const q = Float64Array.of(0.5, 0.5, -0.5, 0.5);
      quatExpInto(turn, Float64Array.of(0, angle, 0));
      quatMultiplyInto(p, q, turn);
      expect(Math.abs(quatAngleBetween(q, p) - angle)).toBeLessThan(4e-16);
      expect(Math.abs(quatAngleBetween(q, negated(p)) - angle)).toBeLessThan(4e-16);
    }
  });

  it("is the size of the shortest rotation, symmetric, and at most π", () => {
    const difference = new Float64Array(4);
    const rotation = new Float64Array(3);
    fc.assert(
      fc.property(attitude, attitude, (q, p) => {
        const angle = quatAngleBetween(q, p);
        expect(angle).toBe(quatAngleBetween(p, q));
        expect(angle).toBeCloseTo(quatAngleBetween(negated(q), p), 15);
        expect(angle).toBeLessThanOrEqual(Math.PI + 4e-16);
        quatDifferenceInto(difference, q, p);
        expect(difference[0]).toBeGreaterThanOrEqual(0);
        quatLogInto(rotation, difference);
        expect(vec3Norm(rotation)).toBeCloseTo(angle, 14);
        quatMultiplyInto(difference, q, difference);
        expect(quatAngleBetween(difference, p)).toBeLessThan(2e-15);
      }),
    );
    expect(quatAngleBetween(Float64Array.of(1, 0, 0, 0), Float64Array.of(0, 0, 1, 0))).toBeCloseTo(Math.PI, 15);
  });
});

describe("shortest rotation between directions", () => {
  const q = new Float64Array(4);
  const out = new Float64Array(3);

  it("turns the first direction into the second, about an axis normal to both, even if they are opposite", () => {
    fc.assert(
      fc.property(direction, direction, fc.constantFrom(1, 1e-3, 1e-8, 1e-12, 0), (a, b, mix) => {
        vec3NormaliseInto(a, a);
        // mix < 1 moves b towards −a.
        const target = b.map((x, i) => mix * x - (mix === 1 ? 0 : a[i]));
        fc.pre(vec3Norm(target) > 0.01);
        quatBetweenInto(q, a, target);
        quatRotateInto(out, q, a);
        vec3NormaliseInto(target, target);
        close(out, target, 3e-15);
        expect(Math.abs(quatNorm(q) - 1)).toBeLessThan(1e-15);
        const along = q[1] * a[0] + q[2] * a[1] + q[3] * a[2];
        expect(Math.abs(along)).toBeLessThan(mix === 1 || mix === 0 ? 2e-15 : 1e-6);
      }),
    );
  });

  it("is the identity for equal directions of any length", () => {
    quatBetweenInto(q, Float64Array.of(0, 3, 0), Float64Array.of(0, 1e-5, 0));
    expect([...q]).toEqual([1, 0, 0, 0]);
  });
});
