/** Searches: published functions, borders, discrete values, and the contract with the campaign. */
import { RandomStream } from "@escapement/core";
import { describe, expect, it } from "vitest";
import type { Row, RowVerdict } from "../contracts.ts";
import { NumberedDraws, type PlanContext } from "../plans/context.ts";
import { readDistribution } from "../vary/distributions.ts";
import { CmaEs, generationSize } from "./cma-es.ts";
import { FalsifySearch, objectiveOf } from "./falsify.ts";
import { reflect } from "./optimiser.ts";
import { RestartingCmaEs } from "./restarting-cma-es.ts";
import { symmetricEigen } from "./symmetric-eigen.ts";

/** Evaluations until a function falls below `target`; undefined if it never does. */
function evaluationsTo(
  target: number,
  f: (x: Float64Array) => number,
  start: Float64Array,
  sigma: number,
  seed: number,
) {
  const random = new RandomStream(seed, "cma");
  const search = new CmaEs(start, {
    sigma,
    lambda: 4 + Math.floor(3 * Math.log(start.length)),
    random,
    tolerance: 1e-12,
  });
  for (let count = 0; count < 100_000;) {
    const points = search.propose();
    const values = points.map(f);
    count += values.length;
    if (Math.min(...values) < target) return count;
    if (!search.learn(values)) return undefined;
  }
  return undefined;
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1]!;
const sphere = (x: Float64Array) => x.reduce((sum, v) => sum + v * v, 0);
const ellipsoid = (x: Float64Array) => x.reduce((sum, v, i) => sum + 10 ** ((6 * i) / (x.length - 1)) * v * v, 0);
const rosenbrock = (x: Float64Array) =>
  x.slice(1).reduce((sum, v, i) => sum + 100 * (v - x[i]! ** 2) ** 2 + (1 - x[i]!) ** 2, 0);

describe("CMA-ES", () => {
  // Median number of evaluations until f < 1e-9 in 10 dimensions, by Hansen's purecma.py (pycma) with 11 seeds and the
  // same starts.
  it.each([
    ["sphere", sphere, new Float64Array(10).fill(1), 1, 1620],
    ["ellipsoid", ellipsoid, new Float64Array(10).fill(1), 1, 6070],
    ["Rosenbrock", rosenbrock, new Float64Array(10), 0.1, 6010],
  ] as const)("minimises the %s function as fast as Hansen's implementation", (_name, f, start, sigma, expected) => {
    const counts = [1, 2, 3, 4, 5].map((seed) => evaluationsTo(1e-9, f, start, sigma, seed) ?? Infinity);
    expect(Math.abs(median(counts) / expected - 1)).toBeLessThan(0.2);
  });

  it("stops if the function is flat, and if its steps vanish", () => {
    const random = new RandomStream(1, "flat");
    const flat = new CmaEs(Float64Array.of(0.5, 0.5), { sigma: 0.3, lambda: 8, random, tolerance: 1e-3 });
    let generations = 0;
    while (flat.learn(flat.propose().map(() => 7))) generations += 1;
    expect(generations).toBeLessThan(100);
    const steep = new CmaEs(Float64Array.of(0.5, 0.5), { sigma: 0.3, lambda: 8, random, tolerance: 1e-3 });
    let count = 0;
    while (steep.learn(steep.propose().map(sphere))) count += 1;
    expect(count).toBeGreaterThan(5);
    expect(count).toBeLessThan(100);
  });

  it("generations are multiples of 4", () => {
    expect([1, 2, 7, 10, 30].map(generationSize)).toEqual([4, 8, 12, 12, 16]);
  });
});

describe("eigenvectors", () => {
  it("reproduce the matrix and are orthonormal", () => {
    const n = 6;
    const random = new RandomStream(4, "matrix");
    const half = Float64Array.from({ length: n * n }, () => random.gaussian());
    const matrix = new Float64Array(n * n);
    for (let i = 0; i < n; i += 1)
      for (let j = 0; j < n; j += 1)
        for (let k = 0; k < n; k += 1) matrix[i * n + j]! += half[i * n + k]! * half[j * n + k]!;
    const { values, vectors } = symmetricEigen(matrix, n);
    for (let i = 0; i < n; i += 1)
      for (let j = 0; j < n; j += 1) {
        let [rebuilt, product] = [0, 0];
        for (let k = 0; k < n; k += 1) {
          rebuilt += vectors[i * n + k]! * values[k]! * vectors[j * n + k]!;
          product += vectors[k * n + i]! * vectors[k * n + j]!;
        }
        expect(Math.abs(rebuilt - matrix[i * n + j]!)).toBeLessThan(1e-12);
        expect(Math.abs(product - (i === j ? 1 : 0))).toBeLessThan(1e-12);
      }
  });
});

describe("borders", () => {
  it("reflect into [0, 1), more than once if necessary", () => {
    const found = [-0.25, 0, 0.3, 1, 1.25, 2.25, -1.75].map(reflect);
    expect(found).toEqual([0.25, 0, 0.3, 1 - 2 ** -53, 0.75, 0.25, 0.25]);
  });
});

const keys: PlanContext = {
  seed: 1,
  seeds: "common",
  vary: [
    { key: "a", distribution: readDistribution({ uniform: [0, 1] }, "a") },
    { key: "motor", distribution: readDistribution({ choice: [1, 2, 3, 4] }, "motor") },
    { key: "b", distribution: readDistribution({ uniform: [0, 1] }, "b") },
  ],
};

function rowOf(k: number, margin: number): Row {
  const word = margin < 0 || Object.is(margin, -0) ? "violated" : "holds";
  const verdict: RowVerdict = {
    verdict: word,
    low: margin,
    high: margin,
    scaledLow: margin,
    scaledHigh: margin,
    binding: null,
  };
  const outcome = "completed";
  return { k, hash: "", fingerprint: "", outcome, reason: "", endUs: 0, varied: [], verdicts: [verdict], measures: [] };
}

/** A margin that is negative only in a small region near (0.9, motor 3, 0.15). */
function marginAt([a, motor, b]: Float64Array): number {
  return 2 * Math.hypot(a! - 0.9, b! - 0.15) + (Math.floor(4 * motor!) === 2 ? 0 : 0.3) - 0.05;
}

function falsify(method: string, seed: number, most = 400): { flights: number; isFound: boolean; points: number[][] } {
  const search = new FalsifySearch({ ...keys, seed }, { requirements: [0], method, most });
  const points: number[][] = [];
  for (let asked = search.ask(); asked !== undefined; asked = search.ask()) {
    const rows = asked.map((k) => {
      const point = new Float64Array(3);
      search.pointInto(k, point);
      points.push([...point]);
      return rowOf(k, marginAt(point));
    });
    search.tell(rows);
  }
  const at = points.findIndex((point) => marginAt(Float64Array.from(point)) < 0);
  return { flights: at < 0 ? points.length : at + 1, isFound: at >= 0, points };
}

describe("falsification", () => {
  const seeds = Array.from({ length: 20 }, (_, i) => i);

  it("finds a violation among discrete values, for which random search needs 1500 flights", () => {
    // The violating region has the area π · 0.025² in one of four motors: p = 4.9e-4.
    for (const method of ["cma-es", "cross-entropy"]) {
      const found = seeds.map((seed) => falsify(method, seed));
      expect(found.filter(({ isFound }) => isFound).length).toBeGreaterThanOrEqual(18);
      expect(median(found.map(({ flights }) => flights))).toBeLessThan(200);
    }
    expect(seeds.filter((seed) => falsify("random", seed).isFound).length).toBeLessThan(12);
  });

  it("requests the same flights if it receives the same rows, and stops at `most` flights", () => {
    const [first, again] = [falsify("cma-es", 3, 50), falsify("cma-es", 3, 50)];
    expect(again.points).toEqual(first.points);
    expect(first.points.length).toBeLessThanOrEqual(50);
    expect(falsify("random", 0, 37).points).toHaveLength(37);
  });

  it("requirements take turns until each is violated", () => {
    const search = new FalsifySearch(keys, { requirements: [0, 1], method: "random", most: 200 });
    const generations: number[] = [];
    for (let asked = search.ask(); asked !== undefined; asked = search.ask()) {
      generations.push(asked.length);
      const isSecondDue = generations.length === 4;
      search.tell(
        asked.map((k) => {
          const { verdicts } = rowOf(k, generations.length === 1 ? -1 : 1);
          return { ...rowOf(k, 1), verdicts: [verdicts[0]!, rowOf(k, isSecondDue ? -1 : 1).verdicts[0]!] };
        }),
      );
    }
    // Generation 1 violates the first requirement; from then on only the second is searched.
    expect(generations).toHaveLength(4);
  });

  it("uses the upper margin, 10 scales for yes-or-no conditions, and counts flights without a verdict as holding", () => {
    const verdict = rowOf(0, 3).verdicts[0]!;
    expect(objectiveOf({ ...verdict, scaledLow: -Infinity, scaledHigh: 2 })).toBe(2);
    expect(objectiveOf({ ...verdict, scaledHigh: Infinity })).toBe(10);
    expect(objectiveOf({ ...verdict, scaledHigh: -Infinity })).toBe(-10);
    expect(objectiveOf(undefined)).toBe(10);
  });

  it("rejects an unknown method", () => {
    expect(() => new FalsifySearch(keys, { requirements: [0], method: "cmaes", most: 9 })).toThrow(
      'did you mean "cma-es"',
    );
  });

  it("restarts with further Sobol points and a larger generation", () => {
    const random = new RandomStream(2, "restart");
    const scrambles = ["a", "b"].map((name) => new NumberedDraws(2, name));
    const search = new RestartingCmaEs({ sizes: [undefined, undefined], random, scrambles, tolerance: 1e-2 });
    const sizes: number[] = [];
    for (let generation = 0; generation < 60; generation += 1) {
      const points = search.propose();
      sizes.push(points.length);
      search.learn(points.map((point) => sphere(point.map((x) => x - 0.3))));
    }
    const spreads = sizes.flatMap((size, i) => (size === 16 && (i === 0 || sizes[i - 1] === 8) ? [i] : []));
    expect(spreads.slice(0, 2)).toEqual([0, expect.any(Number)]);
    expect([sizes[0], sizes[1], sizes[spreads[1]! + 1]]).toEqual([16, 8, 16]);
  });
});
