/**
 * The contract suite of integrators: every registered kind, with both methods of integrating attitudes.
 *
 * Registering a method adds it to these tests of its order, the exact end of an interval, repeatability and memory.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  angleBetween,
  isAdaptive,
  kindNamed,
  makeIntegrator,
  plain,
  regressedOrder,
  rigidBody,
  spanUs,
  stepsOf,
} from "../../../../tests/support/dynamics.ts";
import { Snapshot } from "../state/index.ts";
import { integratorKinds, type DenseStep } from "./index.ts";

/** y' = y cos t and an oscillator driven by time: time-dependent, non-separable problems with known solutions. */
const scalars = plain(3, (dx, t, x) => {
  dx[0] = x[0]! * Math.cos(t);
  dx[1] = x[2]!;
  dx[2] = -4 * x[1]! + 3 * Math.sin(t);
});
const scalarsAt = (t: number) => [Math.exp(Math.sin(t)), Math.sin(t), Math.cos(t)];

/**
 * A tumble with a known attitude: q(t) = rotation about z by a(t), then about x by b(t). The body rate is a state,
 * integrated from its derivative; its solution is (ḃ, ȧ sin b, ȧ cos b).
 */
const tumble = rigidBody((dx, t) => {
  const [, aDot, aDotDot, b, bDot, bDotDot] = angles(t);
  dx[4] = bDotDot;
  dx[5] = aDotDot * Math.sin(b) + aDot * Math.cos(b) * bDot;
  dx[6] = aDotDot * Math.cos(b) - aDot * Math.sin(b) * bDot;
});

function angles(t: number): [a: number, aDot: number, aDotDot: number, b: number, bDot: number, bDotDot: number] {
  return [t + t * t, 1 + 2 * t, 2, Math.sin(2 * t), 2 * Math.cos(2 * t), -4 * Math.sin(2 * t)];
}

function tumbleAt(t: number): number[] {
  const [a, aDot, , b, bDot] = angles(t);
  const [ca, sa, cb, sb] = [Math.cos(a / 2), Math.sin(a / 2), Math.cos(b / 2), Math.sin(b / 2)];
  return [ca * cb, ca * sb, sa * sb, sa * cb, bDot, aDot * Math.sin(b), aDot * Math.cos(b)];
}

const stepsUs = [125_000, 62_500, 31_250, 15_625];
const combinations = integratorKinds.flatMap(({ name }) => [
  { name, attitude: "normalise" },
  { name, attitude: "exponential" },
]);

describe.each(integratorKinds.map(({ name }) => name))("%s", (name) => {
  it("converges with its declared order on scalar equations", () => {
    const points = stepsUs.map((stepUs): [number, number] => {
      const x = Float64Array.from(scalarsAt(0));
      const integrator = makeIntegrator(name, scalars, stepsOf(name, stepUs));
      integrator.advance(spanUs(0, 1_000_000), x);
      expect(integrator.stats.accepted).toBe(1_000_000 / stepUs);
      return [stepUs, Math.max(...scalarsAt(1).map((truth, i) => Math.abs(truth - x[i]!)))];
    });
    const { order } = makeIntegrator(name, scalars);
    expect(regressedOrder(points)).toBeGreaterThan(order - 0.15);
    expect(regressedOrder(points)).toBeLessThan(order + 0.4);
  });

  it("ends exactly at the end of an interval, in whole microseconds, and evaluates nothing beyond it", () => {
    const times: number[] = [];
    const plant = plain(1, (dx, t, x) => {
      times.push(t);
      dx[0] = -x[0]! * Math.cos(40 * t);
    });
    const integrator = makeIntegrator(name, plant, isAdaptive(kindNamed(name)) ? {} : { substepUs: 977 });
    const [startUs, endUs] = [3_000_000_001, 3_000_123_458];
    let us = startUs;
    const inspect = (step: DenseStep) => {
      expect(step.startUs).toBe(us);
      expect(Number.isInteger(step.endUs)).toBe(true);
      us = step.endUs;
      return false;
    };
    expect(integrator.advance(spanUs(startUs, endUs), Float64Array.of(1), { inspect })).toBe(true);
    expect(us).toBe(endUs);
    expect(integrator.stats.accepted).toBeGreaterThan(1);
    expect(Math.min(...times)).toBe(startUs / 1e6);
    expect(Math.max(...times)).toBeLessThanOrEqual(endUs / 1e6);
  });

  it("does nothing over an interval of zero length", () => {
    const x = Float64Array.from(scalarsAt(0));
    const integrator = makeIntegrator(name, scalars);
    expect(integrator.advance(spanUs(5, 5), x)).toBe(true);
    expect(Array.from(x)).toEqual(scalarsAt(0));
    expect(integrator.stats.evaluations).toBe(0);
  });

  it("uses an input that changes between intervals", () => {
    const u = Float64Array.of(1);
    const plant = plain(1, (dx, _t, _x, input) => {
      dx[0] = input[0]!;
    });
    const integrator = makeIntegrator(name, plant, {}, u);
    const x = new Float64Array(1);
    integrator.advance(spanUs(0, 500_000), x);
    u[0] = -3;
    integrator.advance(spanUs(500_000, 1_000_000), x);
    expect(x[0]).toBeCloseTo(0.5 - 1.5, 12);
  });

  it("[D21] stays on the grid: 5000 intervals of 100 µs are half a second", () => {
    const lastTimes: number[] = [];
    const plant = plain(2, (dx, t, x) => {
      lastTimes[0] = t;
      dx[0] = x[1]!;
      dx[1] = -x[0]!;
    });
    const integrator = makeIntegrator(name, plant);
    const x = Float64Array.of(1, 0);
    const ends: number[] = [];
    for (let k = 0; k < 5000; k += 1) {
      integrator.advance(spanUs(k * 100, (k + 1) * 100), x, { inspect: (step) => ends.push(step.endUs) < 0 });
    }
    expect(ends).toEqual(Array.from({ length: 5000 }, (_, k) => (k + 1) * 100));
    const { order } = integrator;
    expect(x[0]).toBeCloseTo(Math.cos(0.5), order > 2 ? 12 : 4 * order);
    const { tableau } = integratorKinds.find((kind) => kind.name === name)!;
    if (tableau.c.at(-1) === 1) expect(lastTimes[0]).toBe(0.5);
  });
});

describe.each(combinations)("$name, attitude $attitude", ({ name, attitude }) => {
  const make = (given = {}) => makeIntegrator(name, tumble, { attitude, ...given });

  it("converges with its declared order on a tumbling body", () => {
    const points = stepsUs.map((stepUs): [number, number] => {
      const x = Float64Array.from(tumbleAt(0));
      make(stepsOf(name, stepUs)).advance(spanUs(0, 1_000_000), x);
      return [stepUs, angleBetween(tumbleAt(1), x)];
    });
    const { order } = make();
    expect(regressedOrder(points)).toBeGreaterThan(order - 0.2);
    expect(regressedOrder(points)).toBeLessThan(order + 0.7);
  });

  it("returns a unit quaternion", () => {
    const x = Float64Array.from(tumbleAt(0));
    make().advance(spanUs(0, 300_000), x);
    // Normalising rounds a sum of four squares (4 u, halved by the root), the root, the quotient and a product (1 u
    // each): 5 u. Squaring doubles this to 10 u, and the sum here adds 4 u. The unit roundoff u is 2⁻⁵³.
    const squared = x.subarray(0, 4).reduce((sum, q) => sum + q * q, 0);
    expect(Math.abs(squared - 1)).toBeLessThanOrEqual(14 * 2 ** -53);
  });

  it("repeats the same bits, with and without an event finder", () => {
    const fly = (watched: boolean) => {
      const x = Float64Array.from(tumbleAt(0));
      const integrator = make();
      for (let us = 0; us < 500_000; us += 20_000) {
        const span = spanUs(us, us + 20_000);
        if (watched) integrator.advance(span, x, { inspect: () => false });
        else integrator.advance(span, x);
      }
      return Array.from(x);
    };
    expect(fly(false)).toEqual(fly(false));
    expect(fly(true)).toEqual(fly(false));
  });

  it("continues with the same bits after save and load, and after an undone trial step", () => {
    const u = Float64Array.of(0.25);
    const makeWithInput = () => makeIntegrator(name, tumble, { attitude }, u);
    const spans = [0, 70_000, 70_003, 200_000, 200_100, 450_000];
    const advanceFrom = (integrator: ReturnType<typeof make>, x: Float64Array, from: number) => {
      for (let k = from; k + 1 < spans.length; k += 1) integrator.advance(spanUs(spans[k]!, spans[k + 1]!), x);
      return Array.from(x);
    };
    const expected = advanceFrom(makeWithInput(), Float64Array.from(tumbleAt(0)), 0);
    for (let at = 0; at < spans.length - 1; at += 1) {
      const x = Float64Array.from(tumbleAt(0));
      const first = makeWithInput();
      for (let k = 0; k < at; k += 1) first.advance(spanUs(spans[k]!, spans[k + 1]!), x);

      const second = makeWithInput();
      Snapshot.of(first).into(second);
      expect(advanceFrom(second, x.slice(), at)).toEqual(expected);

      const memory = new Float64Array(first.memorySize);
      first.saveInto(memory);
      const trial = x.slice();
      let inspections = 0;
      first.advance(spanUs(spans[at]!, spans[at]! + 90_000), trial, { inspect: () => (inspections += 1) === 2 });
      first.restoreFrom(memory);
      expect(advanceFrom(first, x, at)).toEqual(expected);
    }
  });

  it("leaves x unchanged if an event finder ends the interval", () => {
    const x = Float64Array.from(tumbleAt(0));
    expect(make().advance(spanUs(0, 50_000), x, { inspect: () => true })).toBe(false);
    expect(Array.from(x)).toEqual(tumbleAt(0));
  });

  it("gives the same result for any split of an interval, within its error", () => {
    const whole = Float64Array.from(tumbleAt(0));
    const smallSteps = isAdaptive(kindNamed(name)) ? {} : { substepUs: 500 };
    make(smallSteps).advance(spanUs(0, 200_000), whole);
    const bound = name === "euler" ? 4e-3 : 2e-7;
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 199_999 }), { maxLength: 12 }), (cuts) => {
        const edges = [0, ...cuts.sort((p, q) => p - q), 200_000];
        const x = Float64Array.from(tumbleAt(0));
        const integrator = make(smallSteps);
        for (let k = 0; k + 1 < edges.length; k += 1) integrator.advance(spanUs(edges[k]!, edges[k + 1]!), x);
        x.forEach((value, i) => expect(Math.abs(value - whole[i]!)).toBeLessThan(bound));
      }),
      { numRuns: 40 },
    );
  });
});

it("every integrator has a unique name", () => {
  const names = integratorKinds.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
