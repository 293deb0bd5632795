/** Dense output: its order inside a step, its values at both ends, and its cost. */
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
import { integratorKinds, type DenseStep } from "./index.ts";
import { isFirstSameAsLast, type Tableau } from "./tableau.ts";

const tableauOf = (name: string): Tableau => integratorKinds.find((kind) => kind.name === name)!.tableau;

const scalars = plain(2, (dx, t, x) => {
  dx[0] = x[0]! * Math.cos(t);
  dx[1] = -2 * x[1]! + x[0]!;
});

const thetas = [0.15, 0.35, 0.5, 0.7, 0.9];

/** Returns the largest error inside one step of this size that starts on the exact solution. */
function errorInside(name: string, sizeUs: number): number {
  const solution = (t: number) => Math.exp(Math.sin(t));
  const point = new Float64Array(2);
  let worst = 0;
  const inspect = (step: DenseStep) => {
    for (const theta of thetas) {
      step.interpolateInto(point, theta);
      const t = (step.startUs + theta * (step.endUs - step.startUs)) / 1e6;
      worst = Math.max(worst, Math.abs(point[0]! - solution(t)));
    }
    return false;
  };
  const startUs = 700_000;
  const x = Float64Array.of(solution(0.7), 0.3);
  makeIntegrator(name, scalars, stepsOf(name, sizeUs)).advance(spanUs(startUs, startUs + sizeUs), x, { inspect });
  return worst;
}

/** Spin rate in rad/s and tilt angle in rad of the symmetric top. */
const [spin, tilt] = [5, 0.7];
/** A symmetric top in steady precession: the rate (p, q) rotates in the body at a constant speed. */
const top = rigidBody((dx, _t, x) => {
  dx[4] = -spin * x[5]!;
  dx[5] = spin * x[4]!;
  dx[6] = 0;
});

describe.each(integratorKinds.map(({ name }) => name))("dense output of %s", (name) => {
  const { order } = makeIntegrator(name, scalars);

  it("has the order of its polynomial", () => {
    const points = [80_000, 40_000, 20_000].map((sizeUs): [number, number] => [sizeUs, errorInside(name, sizeUs)]);
    const expected = Math.min(order + 1, name === "rk45" ? 5 : 4);
    expect(regressedOrder(points)).toBeGreaterThan(expected - 0.2);
    expect(regressedOrder(points)).toBeLessThan(expected + 0.5);
  });

  it("matches both ends of a step, and is smooth across steps", () => {
    const point = new Float64Array(2);
    const near = new Float64Array(2);
    let before: { x: number[]; slope: number } | undefined;
    const inspect = (step: DenseStep) => {
      const h = (step.endUs - step.startUs) / 1e6;
      step.interpolateInto(point, 0);
      expect(Array.from(point)).toEqual(Array.from(step.xStart));
      step.interpolateInto(near, 1e-5);
      const slopeAtStart = (near[0]! - point[0]!) / (1e-5 * h);
      if (before !== undefined) {
        expect(Array.from(step.xStart)).toEqual(before.x);
        expect(slopeAtStart).toBeCloseTo(before.slope, 3);
      }
      step.interpolateInto(point, 1);
      expect(point[0]).toBeCloseTo(step.xEnd[0]!, 14);
      step.interpolateInto(near, 1 - 1e-5);
      before = { x: Array.from(step.xEnd), slope: (point[0]! - near[0]!) / (1e-5 * h) };
      return false;
    };
    const integrator = makeIntegrator(name, scalars, stepsOf(name, 50_000));
    integrator.advance(spanUs(0, 500_000), Float64Array.of(1, 0.3), { inspect });
    expect(integrator.stats.accepted).toBe(10);
  });

  it("costs no evaluation until it is used", () => {
    const evaluations = (inspect: (step: DenseStep) => boolean) => {
      const integrator = makeIntegrator(name, scalars, stepsOf(name, 10_000));
      integrator.advance(spanUs(0, 100_000), Float64Array.of(1, 0.3), { inspect });
      return integrator.stats.evaluations;
    };
    const uninspected = makeIntegrator(name, scalars, stepsOf(name, 10_000));
    uninspected.advance(spanUs(0, 100_000), Float64Array.of(1, 0.3));
    expect(evaluations(() => false)).toBe(uninspected.stats.evaluations);
    const point = new Float64Array(2);
    const interpolated = evaluations((step) => {
      step.interpolateInto(point, 0.3);
      step.interpolateInto(point, 0.6);
      return false;
    });
    expect(interpolated).toBe(uninspected.stats.evaluations + (isFirstSameAsLast(tableauOf(name)) ? 0 : 10));
  });

  it.each(["normalise", "exponential"])("gives unit quaternions along the exact solution (%s)", (attitude) => {
    const points = [100_000, 50_000, 25_000].map((sizeUs): [number, number] => {
      let worst = 0;
      const point = new Float64Array(7);
      const inspect = (step: DenseStep) => {
        for (const theta of thetas) {
          step.interpolateInto(point, theta);
          expect(Math.abs(point.subarray(0, 4).reduce((sum, q) => sum + q * q, 0) - 1)).toBeLessThan(1e-15);
          worst = Math.max(worst, angleBetween(topAt((theta * sizeUs) / 1e6), point));
        }
        return false;
      };
      const x = Float64Array.from([...topAt(0), ...topRate(0)]);
      makeIntegrator(name, top, stepsOf(name, sizeUs, { attitude })).advance(spanUs(0, sizeUs), x, { inspect });
      return [sizeUs, worst];
    });
    const expected = Math.min(order + 1, name === "rk45" ? 5 : 4);
    expect(regressedOrder(points)).toBeGreaterThan(expected - 0.25);
  });
});

/**
 * Returns the attitude of the top: a rotation about z by 2t, then about x by the tilt, then about z by −spin·t. Its
 * body rate (`topRate`) is the precession about the inertial z axis, expressed in the body frame, plus the spin.
 */
function topAt(t: number): number[] {
  const a = 2 * t;
  const b = spin * t;
  const [ca, sa, ct, st, cb, sb] = [a, tilt, -b].flatMap((angle) => [Math.cos(angle / 2), Math.sin(angle / 2)]) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  // (ca, 0, 0, sa) ⊗ (ct, st, 0, 0) ⊗ (cb, 0, 0, sb)
  const p = [ca * ct, ca * st, sa * st, sa * ct] as const;
  return [p[0] * cb - p[3] * sb, p[1] * cb + p[2] * sb, p[2] * cb - p[1] * sb, p[3] * cb + p[0] * sb];
}

function topRate(t: number): number[] {
  // 2 ẑ in the body frame: rotating about x by −tilt gives 2 (0, sin, cos). Then rotate about z by +spin·t, and add the
  // spin, which is −spin about z.
  const [y, z] = [2 * Math.sin(tilt), 2 * Math.cos(tilt)];
  const b = spin * t;
  return [-Math.sin(b) * y, Math.cos(b) * y, z - spin];
}

it("the precession used by these tests is consistent with its rate", () => {
  const [before, after, rate] = [topAt(0.3 - 1e-5), topAt(0.3 + 1e-5), topRate(0.3)];
  const x = Float64Array.from([...topAt(0.3), ...rate]);
  const dx = new Float64Array(7);
  top.derivativesInto(dx, Float64Array.of(0.3), x, new Float64Array(0));
  for (let i = 0; i < 4; i += 1) expect(dx[i]).toBeCloseTo((after[i]! - before[i]!) / 2e-5, 7);
});
