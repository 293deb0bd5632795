/** Tests headings: wrapping, directions, and turns within the limits of rate and acceleration. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { directionInPlace, Heading, wrapPi } from "./heading.ts";

const PI = Math.PI;

function direction(north: number, east: number): number {
  const vector = Float64Array.of(north, east);
  directionInPlace(vector);
  return vector[0]!;
}

describe("heading", () => {
  it("wraps any angle into [−π, π)", () => {
    fc.assert(
      fc.property(fc.double({ min: -1e4, max: 1e4, noNaN: true }), (angle) => {
        const wrapped = wrapPi(angle);
        expect(wrapped).toBeGreaterThanOrEqual(-PI - 1e-9);
        expect(wrapped).toBeLessThan(PI + 1e-9);
        expect(Math.cos(wrapped - angle)).toBeCloseTo(1, 9);
      }),
    );
    expect(wrapPi(PI)).toBe(-PI);
  });

  it("computes directions like atan2, and NaN for a vector without a direction", () => {
    fc.assert(
      fc.property(fc.double({ min: -PI + 0.01, max: PI - 0.01, noNaN: true }), (angle) => {
        expect(direction(3 * Math.cos(angle), 3 * Math.sin(angle))).toBeCloseTo(angle, 9);
      }),
    );
    expect(direction(0, 0)).toBeNaN();
    // In PX4's formula an east component of exactly zero has no sign, so due south becomes north.
    expect(direction(-5, 0)).toBe(0);
  });

  it("makes the shorter turn within its rate and acceleration limits, and reaches its target", () => {
    const heading = new Heading();
    heading.configure(1, 0.35);
    heading.reset(3, 0);
    heading.stepS[0] = 0.004;
    heading.targetRad[0] = -3;
    let turned = 0;
    let before = heading.rateRadps;
    for (let i = 0; i < 2500; i += 1) {
      heading.update();
      expect(Math.abs(heading.rateRadps)).toBeLessThanOrEqual(1 + 1e-9);
      expect(Math.abs(heading.rateRadps - before)).toBeLessThanOrEqual(0.35 * 0.004 + 1e-9);
      before = heading.rateRadps;
      turned += heading.rateRadps * 0.004;
    }
    expect(turned).toBeCloseTo(2 * PI - 6, 2);
    expect(heading.yawRad).toBeCloseTo(-3, 3);
  });
});
