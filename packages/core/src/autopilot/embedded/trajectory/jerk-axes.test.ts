/** Tests jerk-limited axes: the textbook profile, and limits that hold from any state. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JerkAxes } from "./jerk-axes.ts";
import { volume } from "../../../../../../tests/support/volume.ts";

const speed = fc.double({ min: -10, max: 10, noNaN: true });

describe("jerk-limited axis", () => {
  it("reaches its target velocity with zero acceleration, in the time of the textbook profile", () => {
    // From rest to 3 m/s with a = 3, j = 4: ramps of 0.75 s and a plateau of v/a − a/j = 0.25 s.
    const axis = new JerkAxes(1);
    axis.maxJerk[0] = 4;
    axis.maxAcc[0] = 3;
    axis.maxVel[0] = 20;
    axis.targetVel[0] = 3;
    axis.plan(0);
    axis.stepS[0] = 1.75;
    axis.advance(0);
    expect(axis.vel[0]).toBeCloseTo(3, 12);
    expect(axis.acc[0]).toBeCloseTo(0, 12);
    expect(axis.pos[0]).toBeCloseTo((3 * 1.75) / 2, 12);
  });

  it("never exceeds its limits, and settles on the target from any state", () => {
    fc.assert(
      fc.property(speed, speed, fc.double({ min: -3, max: 3, noNaN: true }), (target, velocity, acceleration) => {
        const axis = new JerkAxes(1);
        axis.maxJerk[0] = 4;
        axis.maxAcc[0] = 3;
        axis.maxVel[0] = 12;
        axis.vel[0] = velocity;
        axis.acc[0] = acceleration;
        axis.stepS[0] = 0.004;
        for (let i = 0; i < 3000; i += 1) {
          const before = axis.acc[0]!;
          axis.targetVel[0] = target;
          axis.plan(0);
          axis.advance(0);
          expect(Math.abs(axis.acc[0]!)).toBeLessThanOrEqual(3 + 1e-9);
          expect(Math.abs(axis.acc[0]! - before)).toBeLessThanOrEqual(4 * 0.004 + 1e-9);
        }
        expect(axis.vel[0]).toBeCloseTo(target, 2);
        expect(Math.abs(axis.acc[0]!)).toBeLessThan(0.02);
      }),
      { numRuns: volume(10, 200) },
    );
  });

  it("brings three axes to their targets at the same time", () => {
    const axes = new JerkAxes(3);
    axes.maxJerk.fill(4);
    axes.maxAcc.fill(3);
    axes.maxVel.fill(12);
    axes.targetVel.set([4, 1, -0.5]);
    for (let i = 0; i < 3; i += 1) axes.plan(i);
    axes.synchronise();
    const slowest = 4 / 3 + 3 / 4;
    axes.stepS.fill(slowest - 0.05);
    for (let i = 0; i < 3; i += 1) axes.advance(i);
    for (let i = 0; i < 3; i += 1) expect(Math.abs(axes.acc[i]!)).toBeGreaterThan(1e-6);
    axes.stepS.fill(0);
    expect(axes.vel[1]! / 1).toBeGreaterThan(0.9);
    expect(axes.vel[1]).toBeLessThan(1);
  });

  it("does not move over zero time, or with a jerk limit of zero", () => {
    const axis = new JerkAxes(1);
    axis.maxJerk[0] = 0;
    axis.targetVel[0] = 1;
    axis.plan(0);
    axis.stepS[0] = 1;
    axis.advance(0);
    expect([axis.pos[0], axis.vel[0], axis.acc[0]]).toEqual([0, 0, 0]);
  });
});
