/** Compares corner speeds and braking distances with geometry. */
import { describe, expect, it } from "vitest";
import { brakingDistance, computeCornerSpeed, SPEED } from "./speed.ts";

function cornerSpeed(cosAngle: number, acc: number, distance: number): number {
  const corner = Float64Array.of(cosAngle, acc, distance, 0);
  computeCornerSpeed(corner);
  return corner[SPEED]!;
}

describe("speeds", () => {
  it("through a corner follow the circle that touches both legs", () => {
    // At a right angle the radius of the circle equals the distance: v² = a·d.
    expect(cornerSpeed(0, 1.5, 2)).toBeCloseTo(Math.sqrt(3), 12);
    for (const degrees of [30, 60, 120, 150, 170]) {
      const angle = (degrees * Math.PI) / 180;
      expect(cornerSpeed(Math.cos(angle), 1.5, 2)).toBeCloseTo(Math.sqrt(3 * Math.tan(angle / 2)), 9);
    }
  });

  it("are zero at a reversal and above any cruise speed straight ahead, even if rounding moves the cosine out of range", () => {
    expect(cornerSpeed(1 + 1e-16, 1.5, 2)).toBe(0);
    expect(cornerSpeed(-1 - 1e-16, 1.5, 2)).toBeGreaterThan(1000);
    expect(Number.isFinite(cornerSpeed(-1, 1.5, 2))).toBe(true);
  });

  it("have a braking distance that includes a reaction time", () => {
    expect(brakingDistance(6, 3, 0.6)).toBeCloseTo(6 + 3.6, 12);
  });
});
