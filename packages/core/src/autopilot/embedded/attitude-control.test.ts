/** Tests attitude control: the control law for small errors, its limits, and finite results for any two attitudes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AttitudeControl } from "./attitude-control.ts";
import { Parameters } from "./parameters.ts";
import { Vehicle } from "./vehicle.ts";

type Q = readonly [number, number, number, number];
const DEG = Math.PI / 180;
const about = (axis: 0 | 1 | 2, degrees: number): Q => {
  const q: [number, number, number, number] = [Math.cos((degrees * DEG) / 2), 0, 0, 0];
  q[1 + axis] = Math.sin((degrees * DEG) / 2);
  return q;
};
const times = (a: Q, b: Q): Q => [
  a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
  a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
  a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
  a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
];

function rates(now: Q, wanted: Q, yawRate = 0, parameters: Record<string, number> = {}): number[] {
  const vehicle = new Vehicle();
  vehicle.qBodyToNed.set(now);
  const control = new AttitudeControl(vehicle);
  const rotor = { posBody: [0, 0, 0], axisBody: [0, 0, -1], torqueRatioM: 0.05, channel: 0 };
  control.configure(new Parameters([rotor], parameters));
  control.qSetpoint.set(wanted);
  control.yawRate[0] = yawRate;
  control.update();
  return Array.from(control.rateSp);
}

const unit = fc
  .tuple(...Array.from({ length: 4 }, () => fc.double({ min: -1, max: 1, noNaN: true })))
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q): Q => {
    const n = Math.hypot(...q);
    return [q[0]! / n, q[1]! / n, q[2]! / n, q[3]! / n];
  });

describe("attitude control", () => {
  it("commands zero rates at zero error, for q and for −q", () => {
    fc.assert(
      fc.property(unit, fc.boolean(), (q, flip) => {
        const same: Q = flip ? [-q[0], -q[1], -q[2], -q[3]] : q;
        for (const rate of rates(q, same)) expect(Math.abs(rate)).toBeLessThan(1e-9);
      }),
    );
  });

  it("commands P·2·sin(error/2) for tilt errors; uses MC_YAW_P for small yaw errors, with any MC_YAW_WEIGHT above zero", () => {
    const level: Q = [1, 0, 0, 0];
    const expected = (p: number, degrees: number) => p * 2 * Math.sin((degrees * DEG) / 2);
    expect(rates(level, about(0, 10))).toEqual([expected(4, 10), 0, 0].map((x) => expect.closeTo(x, 9)));
    expect(rates(level, about(1, -20))).toEqual([0, expected(4, -20), 0].map((x) => expect.closeTo(x, 9)));
    for (const weight of [0.1, 0.4, 1]) {
      const [, , yaw] = rates(level, about(2, 2), 0, { MC_YAW_WEIGHT: weight });
      expect(yaw).toBeCloseTo(2.8 * 2 * DEG, 4);
    }
    expect(rates(level, about(2, 2), 0, { MC_YAW_WEIGHT: 0 })[2]).toBeCloseTo(0, 12);
  });

  it("corrects large yaw errors by the shorter turn", () => {
    const level: Q = [1, 0, 0, 0];
    expect(rates(level, about(2, 170))[2]).toBeGreaterThan(0);
    expect(rates(level, about(2, 190))[2]).toBeLessThan(0);
    expect(rates(level, about(2, 120))[2]).toBeCloseTo(
      Math.min((2.8 / 0.4) * 2 * Math.sin(0.4 * 60 * DEG), 200 * DEG),
      6,
    );
  });

  it("feeds the yaw rate forward about the world's vertical, in body axes", () => {
    const tilted = times(about(2, 40), about(0, 30));
    const [x, y, z] = rates(tilted, tilted, 0.5) as [number, number, number];
    expect(Math.hypot(x, y, z)).toBeCloseTo(0.5, 9);
    expect(y).toBeCloseTo(0.5 * Math.sin(30 * DEG), 9);
    expect(z).toBeCloseTo(0.5 * Math.cos(30 * DEG), 9);
  });

  it("stays finite and within its limits for any two attitudes, including opposite ones", () => {
    fc.assert(
      fc.property(unit, unit, fc.double({ min: -5, max: 5, noNaN: true }), (now, wanted, yawRate) => {
        const result = rates(now, wanted, yawRate);
        const limits = [220, 220, 200];
        result.forEach((rate, i) => {
          expect(Number.isFinite(rate)).toBe(true);
          expect(Math.abs(rate)).toBeLessThanOrEqual(limits[i]! * DEG + 1e-12);
        });
      }),
    );
    for (const rate of rates([1, 0, 0, 0], [0, 1, 0, 0])) expect(Number.isFinite(rate)).toBe(true);
    for (const rate of rates([1, 0, 0, 0], [0, 0, 1, 0])) expect(Number.isFinite(rate)).toBe(true);
  });
});
