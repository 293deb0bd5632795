// Tests that wrapPi maps into (−π, π] and returns angles inside this interval unchanged.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wrapPi } from "./angle.ts";

describe("wrapPi", () => {
  it("maps into (−π, π], including the upper end", () => {
    expect(wrapPi(Math.PI)).toBe(Math.PI);
    expect(wrapPi(-Math.PI)).toBe(Math.PI);
    expect(wrapPi(3 * Math.PI)).toBeCloseTo(Math.PI, 14);
    expect(wrapPi(2 * Math.PI)).toBe(0);
    expect(wrapPi(1.5 * Math.PI)).toBe(-Math.PI / 2);
    expect(wrapPi(-1.5 * Math.PI)).toBe(Math.PI / 2);
    expect(wrapPi(7)).toBeCloseTo(7 - 2 * Math.PI, 15);
  });

  it("returns angles inside the interval unchanged, bit for bit", () => {
    for (const x of [0, -0, 1e-300, -1e-20, 3.14, -3.14]) expect(Object.is(wrapPi(x), x)).toBe(true);
  });

  it("stays inside, and differs from the angle by whole turns, for any angle", () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (x) => {
        const y = wrapPi(x);
        expect(y > -Math.PI && y <= Math.PI).toBe(true);
        const turns = (x - y) / (2 * Math.PI);
        expect(Math.abs(turns - Math.round(turns))).toBeLessThan(1e-9);
      }),
    );
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (x) => wrapPi(x) > -Math.PI && wrapPi(x) <= Math.PI,
      ),
    );
  });
});
