// Tests the accuracy and the edge cases of asin, acos, atan and atan2 against exact values from integer arithmetic, the
// stdlib functions and ECMAScript.

import stdlibAcos from "@stdlib/math-base-special-acos";
import stdlibAsin from "@stdlib/math-base-special-asin";
import stdlibAtan2 from "@stdlib/math-base-special-atan2";
import { describe, expect, it } from "vitest";
import { exactAcos, exactAsin, exactAtan, exactAtan2 } from "../../../../tests/support/high-precision.ts";
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
import { acos, asin, atan, atan2, atan2InPlace } from "./inverse-trig.ts";

const around = (...centres: number[]): number[] =>
  centres.flatMap((c) => [-2, -1, 0, 1, 2].map((step) => c * (1 + step * Number.EPSILON)));

const unit: readonly number[][] = [
  ...uniform(11, { from: -1, to: 1, count: 70_000 }),
  ...signedLogarithmic(12, { from: 1e-9, to: 1, count: 20_000 }),
  ...signedLogarithmic(13, { from: 1e-307, to: 1e-9, count: 300 }),
  ...logarithmic(14, { from: 1e-16, to: 0.1, count: 10_000 }).map((x) => 1 - x),
  ...around(0.5, -0.5, 0.975),
  1 - Number.EPSILON / 2,
].map((x) => [x]);

const plane: readonly number[][] = (() => {
  const random = seededRandom(15);
  const ys = [
    ...uniform(16, { from: -1, to: 1, count: 60_000 }),
    ...signedLogarithmic(17, { from: 1e-6, to: 1e6, count: 35_000 }),
    ...signedLogarithmic(18, { from: 1e-300, to: 1e300, count: 4000 }),
    ...signedLogarithmic(19, { from: 1e-320, to: 1e-300, count: 2000 }),
  ];
  return ys.map((y, i) => {
    if (i < 60_000) return [y, 2 * random() - 1];
    // The ratios x/y lie between 1e-6 and 1e6 for the second group of ys, and between 1e-250 and 1e250 for the
    // others.
    const maxExponent = i < 95_000 ? 6 : 250;
    const x = y * Math.pow(10, maxExponent * (2 * random() - 1)) * (random() < 0.5 ? -1 : 1);
    return [y, Number.isFinite(x) && x !== 0 ? x : 1];
  });
})();

const line: readonly number[][] = [
  ...uniform(20, { from: -5, to: 5, count: 60_000 }),
  ...signedLogarithmic(21, { from: 1e-9, to: 1e9, count: 40_000 }),
  ...signedLogarithmic(22, { from: 1e-300, to: 1e300, count: 500 }),
  ...around(0.4, 0.72, 1.388, 4.236, 1, 2, 0.5),
].map((x) => [x]);

const functions = [
  { name: "asin", ours: asin, exact: exactAsin, stdlib: stdlibAsin, inputs: unit, stated: 0.8 },
  { name: "acos", ours: acos, exact: exactAcos, stdlib: stdlibAcos, inputs: unit, stated: 0.8 },
  { name: "atan", ours: atan, exact: exactAtan, stdlib: (x: number) => stdlibAtan2(x, 1), inputs: line, stated: 0.9 },
  { name: "atan2", ours: atan2, exact: exactAtan2, stdlib: stdlibAtan2, inputs: plane, stated: 0.9 },
];

describe.each(functions)("$name", ({ ours, exact, stdlib, inputs, stated }) => {
  it(`[L9] stays within ${stated} ulp of the exact value on many inputs`, () => {
    const worst = worstError(ours, exact, inputs);
    expect(worst.count * EVERY).toBeGreaterThanOrEqual(100_000);
    expect(worst.ulp, `at ${worst.at.join(", ")}`).toBeLessThan(stated);
  });

  it("agrees with stdlib within three ulp", () => {
    for (const [x, y] of inputs) {
      const got = ours(x, y);
      if (ulpDistance(got, stdlib(x, y)) > 3) expect.fail(`at ${x}, ${y}: ${got}, not ${stdlib(x, y)}`);
    }
  });
});

describe("edges", () => {
  it("asin and acos are NaN outside [−1, 1] and exact at its ends", () => {
    for (const x of [1.0000000000000002, -1.0000000000000002, 2, Infinity, -Infinity, NaN]) {
      expect(asin(x)).toBeNaN();
      expect(acos(x)).toBeNaN();
    }
    expect([asin(1), asin(-1), acos(1), acos(-1), acos(0)]).toEqual([
      Math.PI / 2,
      -Math.PI / 2,
      0,
      Math.PI,
      Math.PI / 2,
    ]);
    expect(Object.is(asin(-0), -0) && Object.is(atan(-0), -0) && Object.is(acos(1), 0)).toBe(true);
    for (const f of [asin, atan])
      expect([f(5e-324), f(-2.225073858507201e-308)]).toEqual([5e-324, -2.225073858507201e-308]);
  });

  it("atan tends to ±π/2", () => {
    expect([atan(Infinity), atan(-Infinity), atan(1e300)]).toEqual([Math.PI / 2, -Math.PI / 2, Math.PI / 2]);
    expect(atan(NaN)).toBeNaN();
  });

  it("atan2 follows ECMAScript for every pair of edge values", () => {
    for (const y of EDGES) {
      for (const x of EDGES) {
        const distance = ulpDistance(atan2(y, x), Math.atan2(y, x));
        expect(distance, `atan2(${y}, ${x}) = ${atan2(y, x)}, not ${Math.atan2(y, x)}`).toBeLessThanOrEqual(2);
      }
    }
  });

  it("atan2 in place gives the same bits", () => {
    for (const y of [...EDGES, 0.3, -7]) {
      for (const x of [...EDGES, 0.4, -2]) {
        const point = Float64Array.of(y, x);
        atan2InPlace(point);
        expect(point[0]).toBe(atan2(y, x));
      }
    }
    for (const [y, x] of plane) {
      const point = Float64Array.of(y, x);
      atan2InPlace(point);
      if (!Object.is(point[0], atan2(y, x))) expect.fail(`at ${y}, ${x}`);
    }
  });

  it("asin and atan are odd to the bit, and acos + asin is π/2 within rounding", () => {
    for (const [x] of unit.slice(0, 20_000)) {
      if (asin(-x) !== -asin(x) || atan(-x) !== -atan(x)) expect.fail(`at ${x}`);
      if (Math.abs(acos(x) + asin(x) - Math.PI / 2) > 5e-16) expect.fail(`at ${x}`);
    }
  });
});
