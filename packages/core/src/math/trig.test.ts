// Tests the accuracy and the edge cases of sin, cos and tan against exact values from integer arithmetic, the stdlib
// functions and published values.

import stdlibCos from "@stdlib/math-base-special-cos";
import stdlibSin from "@stdlib/math-base-special-sin";
import stdlibTan from "@stdlib/math-base-special-tan";
import { describe, expect, it } from "vitest";
import { exactCos, exactSin, exactTan } from "../../../../tests/support/high-precision.ts";
import {
  EVERY,
  EDGES,
  signedLogarithmic,
  ulpDistance,
  uniform,
  worstError,
} from "../../../../tests/support/math-inputs.ts";
import { cos, sin, sinCosInPlace, sinCosInto, tan } from "./trig.ts";

/** Doubles next to multiples of π/2, for which almost all bits of the reduction cancel. */
function nearMultiples(): number[] {
  const found: number[] = [];
  for (let n = 1; found.length < 6000; n = Math.ceil(n * 1.02)) {
    const x = n * (Math.PI / 2);
    for (const step of [-2, -1, 0, 1, 2]) found.push(x * (1 + step * Number.EPSILON), -x * (1 + step * Number.EPSILON));
    if (n > 1e15) break;
  }
  return found;
}

const inputs: readonly number[][] = [
  ...uniform(1, { from: -10, to: 10, count: 50_000 }),
  ...uniform(2, { from: -0.8, to: 0.8, count: 20_000 }),
  ...signedLogarithmic(3, { from: 1e-9, to: 2e6, count: 20_000 }),
  ...signedLogarithmic(4, { from: 1e-308, to: 1e-9, count: 500 }),
  ...signedLogarithmic(5, { from: 1e6, to: 1.7e308, count: 10_000 }),
  ...nearMultiples(),
  ...EDGES.filter((x) => Number.isFinite(x) && x !== 0),
].map((x) => [x]);

const functions = [
  { name: "sin", ours: sin, exact: exactSin, stdlib: stdlibSin, stated: 0.8 },
  { name: "cos", ours: cos, exact: exactCos, stdlib: stdlibCos, stated: 0.8 },
  { name: "tan", ours: tan, exact: exactTan, stdlib: stdlibTan, stated: 0.9 },
];

describe.each(functions)("$name", ({ ours, exact, stdlib, stated }) => {
  it(`[L9] stays within ${stated} ulp of the exact value on many inputs`, () => {
    const worst = worstError(ours, exact, inputs);
    expect(worst.count * EVERY).toBeGreaterThanOrEqual(100_000);
    expect(worst.ulp, `at ${worst.at[0]}`).toBeLessThan(stated);
  });

  it("agrees with stdlib within two ulp", () => {
    for (const [x] of inputs)
      if (ulpDistance(ours(x), stdlib(x)) > 2) expect.fail(`at ${x}: ${ours(x)}, not ${stdlib(x)}`);
  });

  it("gives NaN for infinities and NaN", () => {
    for (const x of [Infinity, -Infinity, NaN]) expect(ours(x)).toBeNaN();
  });

  it("is odd or even to the bit", () => {
    const sign = ours === cos ? 1 : -1;
    for (const [x] of inputs.slice(0, 80_000)) if (ours(-x) !== sign * ours(x)) expect.fail(`at ${x}`);
  });
});

describe("sin, cos, tan", () => {
  it("keep zeros and subnormals", () => {
    for (const f of [sin, tan]) {
      expect(f(-0)).toBe(-0);
      expect(f(0)).toBe(0);
      expect(f(5e-324)).toBe(5e-324);
      expect(f(-2.225073858507201e-308)).toBe(-2.225073858507201e-308);
    }
    expect(cos(0)).toBe(1);
    expect(cos(-0)).toBe(1);
    expect(cos(5e-324)).toBe(1);
  });

  it("reduce the published hard cases exactly (Muller, Elementary Functions)", () => {
    expect(sin(1e22)).toBe(-0.8522008497671888);
    // The double closest to any multiple of π/2: 6381956970095103·2^797 leaves 4.69e-19.
    const hardest = 6381956970095103 * Math.pow(2, 797);
    expect(cos(hardest)).toBe(-4.6871659242546277e-19);
    expect(sin(hardest)).toBe(1);
  });

  it("sinCosInto gives the same bits as sin and cos, at any index of an array", () => {
    const out = new Float64Array(4);
    for (const [x] of inputs.slice(0, 5000).concat(EDGES.map((edge) => [edge]))) {
      sinCosInto(out, x, 2);
      expect(Object.is(out[2], sin(x)) && Object.is(out[3], cos(x)), `at ${x}`).toBe(true);
    }
    out[1] = 0.5;
    sinCosInPlace(out, 1);
    expect([out[1], out[2]]).toEqual([sin(0.5), cos(0.5)]);
    sinCosInto(out, -0);
    expect(out[0]).toBe(-0);
    expect(out[1]).toBe(1);
  });
});
