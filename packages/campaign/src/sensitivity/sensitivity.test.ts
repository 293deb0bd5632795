/** Sensitivity against closed forms: the Ishigami function, Sobol's g, and a linear function. */
import { describe, expect, it } from "vitest";
import type { Plan } from "../contracts.ts";
import type { PlanContext } from "../plans/context.ts";
import { randomPlan } from "../plans/random.ts";
import { morrisPlan, sobolIndicesPlan } from "../plans/sensitivity-plans.ts";
import { readDistribution } from "../vary/distributions.ts";
import { morrisEffects } from "./morris.ts";
import { screenKeys } from "./screening.ts";
import { sobolIndices } from "./sobol-indices.ts";

const names = (d: number) => Array.from({ length: d }, (_, j) => `x${j + 1}`);
const context = (d: number): PlanContext => ({
  seed: 3,
  seeds: "common",
  vary: names(d).map((key) => ({ key, distribution: readDistribution({ uniform: [0, 1] }, key) })),
});
function resultsOf(plan: Plan, f: (x: Float64Array) => number): Float64Array {
  const point = new Float64Array(plan.dimension);
  return Float64Array.from({ length: plan.count }, (_, k) => {
    plan.pointInto(k, point);
    return f(point);
  });
}

/** T. Ishigami, T. Homma (1990) with a = 7, b = 0.1, on [−π, π]³. */
function ishigami(u: Float64Array): number {
  const [x, y, z] = u.map((value) => Math.PI * (2 * value - 1));
  return Math.sin(x!) + 7 * Math.sin(y!) ** 2 + 0.1 * z! ** 4 * Math.sin(x!);
}

/** Sobol's g function with these coefficients; each aᵢ has the variance 1 / (3 (1 + aᵢ)²). */
const G = [0, 1, 4.5, 9];
const sobolG = (u: Float64Array) =>
  u.reduce((product, x, i) => (product * (Math.abs(4 * x - 2) + G[i]!)) / (1 + G[i]!), 1);

describe("Sobol indices", () => {
  it("of the Ishigami function, from 2^12 base points, are near the closed form, which lies in their intervals", () => {
    const { keys, base } = sobolIndices(names(3), resultsOf(sobolIndicesPlan(context(3), 4096), ishigami));
    expect(base).toBe(4096);
    const first = [0.3139, 0.4424, 0];
    const total = [0.5576, 0.4424, 0.2437];
    for (const [j, index] of keys.entries()) {
      expect(Math.abs(index.first - first[j]!)).toBeLessThan(0.03);
      expect(Math.abs(index.total - total[j]!)).toBeLessThan(0.03);
      expect(index.firstInterval.lo - 0.005 < first[j]! && first[j]! < index.firstInterval.hi + 0.005).toBe(true);
      expect(index.totalInterval.lo - 0.005 < total[j]! && total[j]! < index.totalInterval.hi + 0.005).toBe(true);
    }
  });

  it("of Sobol's g, from 2^12 base points, are near the closed form", () => {
    const parts = G.map((a) => 1 / (3 * (1 + a) ** 2));
    const whole = parts.reduce((product, part) => product * (1 + part), 1) - 1;
    const { keys, variance } = sobolIndices(names(4), resultsOf(sobolIndicesPlan(context(4), 4096), sobolG));
    expect(Math.abs(variance / whole - 1)).toBeLessThan(0.03);
    for (const [j, part] of parts.entries()) {
      const others = parts.reduce((product, each, i) => (i === j ? product : product * (1 + each)), 1);
      expect(Math.abs(keys[j]!.first - part / whole)).toBeLessThan(0.03);
      expect(Math.abs(keys[j]!.total - (part * others) / whole)).toBeLessThan(0.03);
    }
  });

  it("leave out base points with a missing result, and are 0 if nothing varies", () => {
    const plan = sobolIndicesPlan(context(2), 16);
    const results = resultsOf(plan, () => 5);
    results[3] = NaN;
    results[4] = Infinity;
    const { keys, base } = sobolIndices(names(2), results);
    expect(base).toBe(14);
    expect(keys.map(({ first, total }) => [first, total])).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });
});

describe("Morris's effects", () => {
  it("of a linear function are its coefficients, without spread", () => {
    const plan = morrisPlan(context(3), 10, 4);
    const effects = morrisEffects(
      plan,
      names(3),
      resultsOf(plan, ([x, y, z]) => 3 * x! - 2 * y! + 0 * z!),
    );
    expect(effects.map(({ mu }) => mu)).toEqual([expect.closeTo(3, 12), expect.closeTo(-2, 12), 0]);
    expect(effects.map(({ muStar }) => muStar)).toEqual([expect.closeTo(3, 12), expect.closeTo(2, 12), 0]);
    for (const { sigma, trajectories } of effects) {
      expect(sigma).toBeLessThan(1e-12);
      expect(trajectories).toBe(10);
    }
  });

  it("distinguish keys that interact, and rank the keys of Sobol's g", () => {
    const plan = morrisPlan(context(4), 60, 8);
    const effects = morrisEffects(plan, names(4), resultsOf(plan, sobolG));
    const order = [...effects].sort((a, b) => b.muStar - a.muStar).map(({ key }) => key);
    expect(order).toEqual(["x1", "x2", "x3", "x4"]);
    expect(effects[0]!.sigma).toBeGreaterThan(effects[0]!.muStar / 2);
    for (const { muStar, muStarInterval } of effects)
      expect(muStarInterval.lo <= muStar && muStar <= muStarInterval.hi).toBe(true);
  });

  it("leave out steps without a result", () => {
    const plan = morrisPlan(context(2), 5, 4);
    const results = resultsOf(plan, ([x, y]) => x! + y!);
    results[1] = NaN;
    const effects = morrisEffects(plan, names(2), results);
    expect(effects.map(({ trajectories }) => trajectories)).toEqual([4, 4]);
  });
});

describe("screening", () => {
  it("finds monotone effects by rank and others by binning", () => {
    const plan = randomPlan(context(3), 2000);
    const point = new Float64Array(3);
    const coordinates = names(3).map(() => new Float64Array(2000));
    const results = Float64Array.from({ length: 2000 }, (_, k) => {
      plan.pointInto(k, point);
      for (let j = 0; j < 3; j += 1) coordinates[j]![k] = point[j]!;
      return point[0]! + 4 * (point[1]! - 0.5) ** 2;
    });
    const [x, y, z] = screenKeys(names(3), coordinates, results);
    expect(x!.rank).toBeGreaterThan(0.5);
    expect(Math.abs(y!.rank)).toBeLessThan(0.1);
    // Variances 1/12 and 4/45: the shares are 0.484 and 0.516.
    expect(Math.abs(x!.binned - 0.484)).toBeLessThan(0.05);
    expect(Math.abs(y!.binned - 0.516)).toBeLessThan(0.05);
    expect(Math.abs(z!.binned)).toBeLessThan(0.03);
  });
});
