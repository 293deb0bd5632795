// Tests the accuracy and the edge cases of exp, expm1, log and pow against exact values from integer arithmetic, the
// stdlib functions and ECMAScript.

import stdlibExp from "@stdlib/math-base-special-exp";
import stdlibLog from "@stdlib/math-base-special-ln";
import stdlibPow from "@stdlib/math-base-special-pow";
import { describe, expect, it } from "vitest";
import { exactExp, exactExpm1, exactLog, exactPow } from "../../../../tests/support/high-precision.ts";
import {
  EVERY,
  EDGES,
  logarithmic,
  seededRandom,
  signedLogarithmic,
  ulpDistance,
  uniform,
  worstError,
} from "../../../../tests/support/math-inputs.ts";
import { exp, expm1 } from "./exp.ts";
import { log } from "./log.ts";
import { pow } from "./pow.ts";

const LARGEST_LOG = 709.782712893384;
const wrap = (xs: number[]): number[][] => xs.map((x) => [x]);

// Inputs with normal results; subnormal results have a separate test because their last place is rounded twice.
const expInputs = wrap([
  ...uniform(31, { from: -708.3, to: LARGEST_LOG, count: 50_000 }),
  ...uniform(32, { from: -2, to: 2, count: 40_000 }),
  ...signedLogarithmic(33, { from: 1e-17, to: 1, count: 12_000 }),
]);
const expm1Inputs = wrap([
  ...uniform(34, { from: -40, to: LARGEST_LOG, count: 25_000 }),
  ...uniform(35, { from: -1, to: 1, count: 60_000 }),
  ...signedLogarithmic(36, { from: 1e-17, to: 1, count: 15_000 }),
  ...signedLogarithmic(37, { from: 1e-307, to: 1e-17, count: 300 }),
]);
const logInputs = wrap([
  ...uniform(38, { from: 0.4, to: 3, count: 50_000 }),
  ...logarithmic(39, { from: 1e-300, to: 1e300, count: 30_000 }),
  ...signedLogarithmic(40, { from: 1e-16, to: 1e-2, count: 20_000 })
    .map((x) => 1 + x)
    .filter((x) => x !== 1),
  ...logarithmic(41, { from: 1e-320, to: 1e-300, count: 2000 }),
  Number.MAX_VALUE,
  5e-324,
]);
const powInputs = [
  ...pairs(42, logarithmic(43, { from: 0.05, to: 20, count: 50_000 }), () => 30),
  // Any base, with an exponent for which the result is a normal double.
  ...pairs(44, logarithmic(45, { from: 1e-300, to: 1e300, count: 30_000 }), (x) => 705 / Math.abs(Math.log(x))),
  ...pairs(
    46,
    signedLogarithmic(47, { from: 1e-15, to: 0.1, count: 20_000 }).map((x) => 1 + x),
    (x) => (x === 1 ? 1 : 705 / Math.abs(Math.log(x))),
  ),
  ...pairs(48, logarithmic(49, { from: 1e-320, to: 1e-308, count: 1000 }), () => 0.95),
];

/** Pairs each x with an exponent of either sign, of at most limit(x) in magnitude. */
function pairs(seed: number, xs: number[], limit: (x: number) => number): number[][] {
  const random = seededRandom(seed);
  return xs.map((x) => [x, (2 * random() - 1) * limit(x)]);
}

const functions = [
  { name: "exp", ours: exp, exact: exactExp, inputs: expInputs, stated: 0.55 },
  { name: "expm1", ours: expm1, exact: exactExpm1, inputs: expm1Inputs, stated: 0.7 },
  { name: "log", ours: log, exact: exactLog, inputs: logInputs, stated: 0.55 },
  { name: "pow", ours: pow, exact: exactPow, inputs: powInputs, stated: 0.55 },
];

describe.each(functions)("$name", ({ ours, exact, inputs, stated }) => {
  it(`[L9] stays within ${stated} ulp of the exact value on many inputs`, () => {
    const worst = worstError(ours, exact, inputs);
    expect(worst.count * EVERY).toBeGreaterThanOrEqual(100_000);
    expect(worst.ulp, `at ${worst.at.join(", ")}`).toBeLessThan(stated);
  });
});

describe("against stdlib", () => {
  it.each([
    { name: "exp", ours: exp, stdlib: stdlibExp, inputs: expInputs },
    { name: "log", ours: log, stdlib: stdlibLog, inputs: logInputs },
    // For exponents from 2^31 and bases near 1, stdlib's pow is off by thousands of ulp. Only the comparison with exact
    // values covers that range.
    { name: "pow", ours: pow, stdlib: stdlibPow, inputs: powInputs.filter(([, y]) => Math.abs(y) < 2147483648) },
  ])("$name agrees within two ulp", ({ ours, stdlib, inputs }) => {
    for (const [x, y] of inputs) {
      const got = ours(x, y);
      if (ulpDistance(got, stdlib(x, y)) > 2) expect.fail(`at ${x}, ${y}: ${got}, not ${stdlib(x, y)}`);
    }
  });
});

describe("subnormal results and the ends of the range", () => {
  it("exp and pow stay within 0.8 ulp if the result is subnormal", () => {
    const deep = wrap(uniform(50, { from: -745.2, to: -708.4, count: 3000 }));
    expect(worstError(exp, exactExp, deep).ulp).toBeLessThan(0.8);
    const random = seededRandom(51);
    const small = Array.from({ length: 3000 }, () => {
      const x = 1.1 + 50 * random();
      return [x, (-745 + 36 * random()) / Math.log(x)];
    });
    expect(worstError(pow, exactPow, small).ulp).toBeLessThan(0.8);
  });

  it("exp overflows and underflows at exactly the right arguments", () => {
    expect(exp(LARGEST_LOG)).toBe(1.7976931348622732e308);
    expect(exp(709.7827128933841)).toBe(Infinity);
    expect(exp(-745.1332191019411)).toBe(5e-324);
    expect(exp(-745.1332191019412)).toBe(0);
    expect([exp(0), exp(-0), exp(Infinity), exp(-Infinity), exp(5e-324)]).toEqual([1, 1, Infinity, 0, 1]);
    expect(exp(NaN)).toBeNaN();
    expect([expm1(Infinity), expm1(-Infinity), expm1(-800), expm1(5e-324)]).toEqual([Infinity, -1, -1, 5e-324]);
    expect(Object.is(expm1(-0), -0)).toBe(true);
    expect(expm1(NaN)).toBeNaN();
  });

  it("log handles its edge cases", () => {
    expect([log(0), log(-0), log(1), log(Infinity)]).toEqual([-Infinity, -Infinity, 0, Infinity]);
    expect(Object.is(log(1), 0)).toBe(true);
    for (const x of [-1, -5e-324, -Infinity, NaN]) expect(log(x)).toBeNaN();
    expect(log(5e-324)).toBe(-744.4400719213812);
    expect(log(Number.MAX_VALUE)).toBe(709.782712893384);
  });
});

describe("pow", () => {
  it("follows ECMAScript for every pair of edge values", () => {
    const values = [
      ...EDGES,
      0.9999999999999999,
      1.0000000000000002,
      1e-300,
      -1e-300,
      2.5,
      -2.5,
      1023,
      1024,
      -1074,
      -1075,
      36893488147419103232,
    ];
    for (const x of values) {
      for (const y of values) {
        const want = Math.pow(x, y);
        const distance = ulpDistance(pow(x, y), want);
        expect(distance, `${x} to ${y} is ${pow(x, y)}, not ${want}`).toBeLessThanOrEqual(2);
      }
    }
  });

  it("returns representable results exactly", () => {
    let power = 5e-324;
    for (let n = -1074; n <= 1023; n++, power *= 2) expect(pow(2, n), `2 to ${n}`).toBe(power);
    for (let x = 1; x <= 300; x++) {
      expect(pow(x, 1)).toBe(x);
      expect(pow(x, 2)).toBe(x * x);
      expect(pow(-x, 3)).toBe(-x * x * x);
      expect(pow(x * x, 0.5)).toBe(x);
    }
  });
});
