/**
 * Attitudes: constant rates with known solutions, the torque-free body, and an error measure that resolves 1e-13 rad.
 */
import { describe, expect, it } from "vitest";
import {
  angleBetween,
  makeIntegrator,
  plain,
  regressedOrder,
  rigidBody,
  spanUs,
  stepsOf,
} from "../../../../tests/support/dynamics.ts";
import { SimError } from "../errors/index.ts";
import { StateLayout } from "../state/index.ts";
import { ExponentialMap } from "./attitude.ts";
import { ErrorNorm } from "./error-norm.ts";
import { integrateErrors, integratorKinds } from "./index.ts";

const steady = rigidBody(() => {});
const turned = (angle: number) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];

/** Returns the attitude after a constant rate about the body's z axis. */
function turn(name: string, options: { rate: number; stepUs: number; endUs: number; attitude?: string }): Float64Array {
  const { attitude = "normalise", endUs, rate, stepUs } = options;
  const x = Float64Array.of(1, 0, 0, 0, 0, 0, rate);
  makeIntegrator(name, steady, stepsOf(name, stepUs, { attitude })).advance(spanUs(0, endUs), x);
  return x;
}

describe("a constant body rate", () => {
  it("rk4 at 1 ms turns 10 rad in 10 s with a yaw error below 1e-6 rad", () => {
    const x = turn("rk4", { rate: 1, stepUs: 1000, endUs: 10_000_000 });
    const yaw = Math.atan2(2 * (x[0]! * x[3]! + x[1]! * x[2]!), 1 - 2 * (x[2]! * x[2]! + x[3]! * x[3]!));
    const expected = Math.atan2(Math.sin(10), Math.cos(10));
    expect(Math.abs(yaw - expected)).toBeLessThan(1e-6);
    expect(angleBetween(turned(10), x)).toBeLessThan(1e-12);
  });

  it("rk4 has order 4, with the errors expected of the classical method", () => {
    // For a constant rate, each step multiplies the quaternion, as a complex number, by the Taylor polynomial of
    // exp(i·α); α is half the angle of the step. The phase of the polynomial is smaller than α, and each step adds
    // twice the difference to the angle's error.
    const points = [100_000, 50_000, 25_000, 12_500].map((stepUs): [number, number] => {
      const a = (Math.PI * stepUs) / 2e6;
      const phaseError = Math.atan2(a - a ** 3 / 6, 1 - a ** 2 / 2 + a ** 4 / 24) - a;
      const expected = Math.abs(2 * phaseError) * (1_000_000 / stepUs);
      const measured = angleBetween(turned(Math.PI), turn("rk4", { rate: Math.PI, stepUs, endUs: 1_000_000 }));
      expect(Math.abs(measured / expected - 1)).toBeLessThan(1e-5);
      return [stepUs, measured];
    });
    expect(regressedOrder(points)).toBeCloseTo(4, 1);
  });

  it("normalised Euler has order 2 here, as theory predicts", () => {
    const points = [100_000, 50_000].map((stepUs): [number, number] => {
      return [stepUs, angleBetween(turned(Math.PI), turn("euler", { rate: Math.PI, stepUs, endUs: 1_000_000 }))];
    });
    expect(points[0]![1]).toBeCloseTo(2.55e-2, 4);
    expect(points[1]![1]).toBeCloseTo(6.44e-3, 5);
  });

  it.each(integratorKinds.map(({ name }) => name))(
    "is integrated exactly by %s through the exponential map, in one step or many",
    (name) => {
      for (const stepUs of [2_000_000, 250_000, 1000]) {
        const x = turn(name, { rate: 3, stepUs, endUs: 2_000_000, attitude: "exponential" });
        expect(angleBetween(turned(6), x)).toBeLessThan(1e-12);
      }
    },
  );

  it("needs one step of an adaptive method through the exponential map", () => {
    const integrator = makeIntegrator("rk45", steady, { attitude: "exponential", firstStepUs: 10_000_000 });
    const rate = [0.03, -0.2, 0.1] as const;
    const x = Float64Array.of(1, 0, 0, 0, ...rate);
    integrator.advance(spanUs(0, 10_000_000), x);
    expect(integrator.stats.accepted).toBe(1);
    const speed = Math.hypot(...rate);
    const axis = rate.map((value) => (value / speed) * Math.sin(5 * speed));
    expect(angleBetween([Math.cos(5 * speed), ...axis], x)).toBeLessThan(1e-15);
  });
});

describe("a torque-free body", () => {
  // I = (2, 1, ½), ω₀ = (1, 2, 3): the angular momentum (2, 2, 1.5) is constant in the inertial frame.
  const body = rigidBody((dx, _t, x) => {
    dx[4] = ((1 - 0.5) * x[5]! * x[6]!) / 2;
    dx[5] = (0.5 - 2) * x[6]! * x[4]!;
    dx[6] = ((2 - 1) * x[4]! * x[5]!) / 0.5;
  }, 1e-12);

  it.each(["normalise", "exponential"])("reaches the end state that PX4Lockstep.jl computes (%s)", (attitude) => {
    const x = Float64Array.of(1, 0, 0, 0, 1, 2, 3);
    makeIntegrator("rk4", body, { attitude, substepUs: 1000 }).advance(spanUs(0, 2_000_000), x);
    const published = [
      -0.36595363856, 0.39453004569, -0.11951474404, -0.83435016835, -0.46385490814, -2.9511068678, 1.64963359763,
    ];
    published.forEach((value, i) => expect(Math.abs(x[i]! - value)).toBeLessThan(1.5e-11));
  });

  it.each(["normalise", "exponential"])("[D4] conserves its momentum to 1e-12 under rk45 (%s)", (attitude) => {
    const x = Float64Array.of(1, 0, 0, 0, 1, 2, 3);
    const integrator = makeIntegrator("rk45", body, { attitude });
    integrator.advance(spanUs(0, 2_000_000), x);
    const [w, a, b, c] = x as unknown as [number, number, number, number];
    const l = [2 * x[4]!, x[5]!, 0.5 * x[6]!] as const;
    const inertial = [
      (1 - 2 * (b * b + c * c)) * l[0] + 2 * (a * b - w * c) * l[1] + 2 * (a * c + w * b) * l[2],
      2 * (a * b + w * c) * l[0] + (1 - 2 * (a * a + c * c)) * l[1] + 2 * (b * c - w * a) * l[2],
      2 * (a * c - w * b) * l[0] + 2 * (b * c + w * a) * l[1] + (1 - 2 * (a * a + b * b)) * l[2],
    ];
    const drift = Math.hypot(inertial[0]! - 2, inertial[1]! - 2, inertial[2]! - 1.5);
    // PX4Lockstep.jl measures errors below 3e-8 rad as zero, and its momentum drifts by 5.1e-10.
    expect(drift).toBeLessThan(5e-12);
  });
});

describe("the attitude error", () => {
  const layout = new StateLayout([
    { name: "q", size: 4, unit: "1", kind: "attitude", group: "q", tolerance: { absolute: 1e-12, relative: 0 } },
  ]);
  const norm = new ErrorNorm(layout, { groups: [], toleranceScale: 1 }, false);

  it.each([1e-3, 1e-7, 1e-9, 1e-11, 1e-13])("[D4] resolves an angle of %f rad", (angle) => {
    const q = Float64Array.of(0.5, -0.5, 0.5, 0.5);
    const [c, s] = [Math.cos(angle / 2), Math.sin(angle / 2)];
    // q rotated by the angle about z.
    const other = [c * q[0]! - s * q[3]!, c * q[1]! + s * q[2]!, c * q[2]! - s * q[1]!, c * q[3]! + s * q[0]!];
    for (const sign of [1, -1]) {
      const error = Float64Array.from(other, (value, i) => q[i]! - 1.01 * sign * value);
      norm.measure(q, q, error);
      expect(Math.abs(norm.value[0]! * 1e-12 - angle)).toBeLessThan(1e-6 * angle + 5e-16);
    }
  });

  it("ignores the length of a quaternion", () => {
    const q = Float64Array.of(0.5, -0.5, 0.5, 0.5);
    norm.measure(
      q,
      q,
      Float64Array.from(q, (value) => 0.25 * value),
    );
    expect(norm.value[0]! * 1e-12).toBeLessThan(5e-16);
  });

  it("is infinite if any value is not finite", () => {
    const q = Float64Array.of(1, 0, 0, 0);
    norm.measure(q, q, Float64Array.of(0, NaN, 0, 0));
    expect(norm.value[0]).toBe(Infinity);
    norm.measure(q, q, Float64Array.of(Infinity, 0, 0, 0));
    expect(norm.value[0]).toBe(Infinity);
  });
});

describe("the exponential map", () => {
  const layout = steady.layout;
  const exponential = (sigma: readonly number[]) => {
    const state = Float64Array.of(0, 0, 0, 0, 0, 0, 0, ...sigma);
    new ExponentialMap(layout).composeInto(state, Float64Array.of(1, 0, 0, 0, 0, 0, 0));
    return state.subarray(0, 4);
  };

  it("equals the exponential for rotations of any size", () => {
    for (const angle of [0, 1e-9, 0.1, 1, 1.999, 2.001, 3, 6.3, 50]) {
      const q = exponential([0.6 * angle, 0, -0.8 * angle]);
      const s = Math.sin(angle / 2);
      const expected = [Math.cos(angle / 2), 0.6 * s, 0, -0.8 * s];
      q.forEach((value, i) => expect(Math.abs(value - expected[i]!)).toBeLessThan(3e-16 * (1 + angle)));
    }
  });

  it("terminates on values that are not finite", () => {
    expect(exponential([Infinity, 0, 0]).some(Number.isFinite)).toBe(false);
    expect(exponential([NaN, 0, 0]).some(Number.isFinite)).toBe(false);
  });

  it("requires the body rate, and names it if it is missing", () => {
    const withoutRate = layout.blocks.map(({ group, kind, name, size, tolerance, unit }) => ({
      group,
      kind,
      name,
      size,
      tolerance,
      unit,
    }));
    const plant = { ...steady, layout: new StateLayout(withoutRate) };
    expect(() => makeIntegrator("rk4", plant, { attitude: "exponential" })).toThrow(SimError);
    expect(() => makeIntegrator("rk4", plant, { attitude: "exponential" })).toThrow(integrateErrors.noRate.code);
  });

  it("changes nothing for a plant without attitudes", () => {
    const plant = plain(1, (dx, _t, x) => {
      dx[0] = -x[0]!;
    });
    const ends = ["normalise", "exponential"].map((attitude) => {
      const x = Float64Array.of(1);
      makeIntegrator("rk45", plant, { attitude }).advance(spanUs(0, 1_000_000), x);
      return x[0];
    });
    expect(ends[0]).toBe(ends[1]);
  });
});
