/** Plans: published points, exact strata, random access, and the structure that sensitivity needs. */
import { createHash } from "node:crypto";
import { normalQuantile, SimError } from "@escapement/core";
import * as math from "@escapement/core/math";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import sobolTable from "../../../../tests/fixtures/campaign/sobol.json" with { type: "json" };
import type { Plan } from "../contracts.ts";
import { PLAN_TABLES } from "../spec/tables.ts";
import { mean, meanOf, variance } from "../statistics/means.ts";
import { readDistribution } from "../vary/distributions.ts";
import { NumberedDraws, type PlanContext } from "./context.ts";
import { gridPlan, listPlan } from "./grid.ts";
import { importancePlan } from "./importance.ts";
import { latinPlan } from "./latin.ts";
import { Permutation } from "./permutation.ts";
import { pairsPlan, randomPlan } from "./random.ts";
import { morrisPlan, sobolIndicesPlan } from "./sensitivity-plans.ts";
import { sobolPlan } from "./sobol.ts";
import { sobolFraction } from "./sobol-sequence.ts";

const unit = { uniform: [0, 1] };
const context = (vary: Readonly<Record<string, unknown>>, more: Partial<PlanContext> = {}): PlanContext => ({
  seed: 1,
  seeds: "per-flight",
  vary: Object.entries(vary).map(([key, spec]) => ({ key, distribution: readDistribution(spec, key) })),
  ...more,
});
const keys = (d: number) => context(Object.fromEntries(Array.from({ length: d }, (_, j) => [`key${j}`, unit])));
function pointOf(plan: Omit<Plan, "count">, k: number): number[] {
  const out = new Float64Array(plan.dimension);
  plan.pointInto(k, out);
  return [...out];
}
const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof SimError) return error.code;
    throw error;
  }
  return "none";
};

describe("every plan", () => {
  const plans: readonly Plan[] = [
    gridPlan(context({ a: { list: [1, 2, 3] }, b: { choice: ["x", "y"] } })),
    listPlan(context({ a: { list: [5, 6, 7, 8] }, b: { list: [1, 2, 3, 4] } }), 4),
    randomPlan(keys(3), 40),
    pairsPlan(keys(3), 20),
    latinPlan(keys(3), 40),
    latinPlan(keys(2), 100, 7),
    sobolPlan(keys(4), 64),
    sobolPlan(keys(4), 300),
    morrisPlan(keys(5), 6, 4),
    sobolIndicesPlan(keys(3), 8),
    importancePlan(keys(2), 40, { key0: 0.9 }),
  ];

  it("is in this list, unless it is a search", () => {
    const searches = ["falsify", "splitting"];
    expect([...new Set(plans.map(({ kind }) => kind)), ...searches].sort()).toEqual(Object.keys(PLAN_TABLES).sort());
  });

  it.each(plans)("$kind computes the point of flight k without the flights before it, inside the unit cube", (plan) => {
    const inOrder = Array.from({ length: plan.count }, (_, k) => pointOf(plan, k));
    for (let k = plan.count - 1; k >= 0; k -= 3) expect(pointOf(plan, k)).toEqual(inOrder[k]);
    for (const u of inOrder.flat()) expect(u >= 0 && u < 1).toBe(true);
    expect(inOrder[0]).toHaveLength(plan.dimension);
  });

  it("gives each flight a different seed, or all flights the seed of the base flight", () => {
    const own = randomPlan(keys(1), 1000);
    const seeds = new Set(Array.from({ length: 1000 }, (_, k) => own.seedOf(k)));
    expect(seeds.size).toBe(1000);
    expect([...seeds].every((seed) => Number.isSafeInteger(seed))).toBe(true);
    expect(randomPlan({ ...keys(1), seeds: "common" }, 10).seedOf(3)).toBeUndefined();
  });

  it("rejects invalid numbers", () => {
    expect(codeOf(() => randomPlan(keys(1), 0))).toBe("PLAN-003");
    expect(codeOf(() => sobolPlan(keys(1), 2.5))).toBe("PLAN-003");
    expect(codeOf(() => latinPlan(keys(1), 8, 9))).toBe("PLAN-003");
    expect(codeOf(() => morrisPlan(keys(1), 4, 3))).toBe("PLAN-003");
    expect(codeOf(() => sobolPlan(keys(65), 8))).toBe("PLAN-002");
    expect(codeOf(() => sobolIndicesPlan(keys(33), 8))).toBe("PLAN-002");
    expect(codeOf(() => gridPlan(keys(1)))).toBe("PLAN-001");
  });
});

describe("grid and list", () => {
  it("a grid flies every combination, the last key fastest", () => {
    const given = context({ a: { list: [1, 2] }, b: { integers: [7, 9] } });
    const plan = gridPlan(given);
    const values = Array.from({ length: plan.count }, (_, k) =>
      pointOf(plan, k).map((u, j) => given.vary[j]!.distribution.valueAt(u)),
    );
    expect(values).toEqual([
      [1, 7],
      [1, 8],
      [1, 9],
      [2, 7],
      [2, 8],
      [2, 9],
    ]);
  });

  it("a list flies its rows, even those far down", () => {
    const values = Array.from({ length: 10_007 }, (_, i) => i);
    const given = context({ a: { list: values } });
    const plan = listPlan(given, values.length);
    for (let k = 0; k < values.length; k += 1)
      expect(given.vary[0]!.distribution.valueAt(pointOf(plan, k)[0]!)).toBe(k);
  });
});

describe("random and pairs", () => {
  it("an added key does not change the values of the other keys", () => {
    const [few, many] = [randomPlan(context({ b: unit }), 9), randomPlan(context({ a: unit, b: unit, c: unit }), 9)];
    for (let k = 0; k < 9; k += 1) expect(pointOf(many, k)[1]).toBe(pointOf(few, k)[0]);
  });

  it("both flights of a pair have the same point and seed", () => {
    const plan = pairsPlan(keys(2), 5);
    expect(plan.count).toBe(10);
    for (let k = 0; k < 10; k += 2) {
      expect(pointOf(plan, k + 1)).toEqual(pointOf(plan, k));
      expect(plan.seedOf(k + 1)).toBe(plan.seedOf(k));
      expect([plan.sideOf!(k), plan.sideOf!(k + 1)]).toEqual([0, 1]);
    }
    expect(pointOf(plan, 2)).not.toEqual(pointOf(plan, 0));
  });
});

describe("latin", () => {
  it("a permutation by index contains every number once, for any size", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 700 }), fc.nat(), (size, seed) => {
        const permutation = new Permutation(new NumberedDraws(seed, "p"), size);
        const seen = new Set(Array.from({ length: size }, (_, i) => permutation.at(i)));
        expect([seen.size, Math.min(...seen), Math.max(...seen)]).toEqual([size, 0, size - 1]);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    [100, undefined, 1],
    [400, undefined, 16],
    [403, 8, 8],
  ])("%d flights with replicates %s: each stratum of every key once per replicate", (flights, given, expected) => {
    const plan = latinPlan(keys(3), flights, given);
    expect(plan.replicates ?? 1).toBe(expected);
    for (let r = 0; r < expected; r += 1) {
      const points: number[][] = [];
      for (let k = r; k < flights; k += expected) points.push(pointOf(plan, k));
      for (let j = 0; j < 3; j += 1) {
        const strata = points.map((point) => Math.floor(point[j]! * points.length)).sort((a, b) => a - b);
        expect(strata).toEqual(points.map((_, i) => i));
      }
    }
  });
});

describe("sobol", () => {
  it("the first 4096 points × 64 coordinates equal those of Joe and Kuo's direction numbers in SciPy", () => {
    const { points, dimensions, sha256, some } = sobolTable;
    const integers = new Uint32Array(points * dimensions);
    for (let k = 0; k < points; k += 1)
      for (let j = 0; j < dimensions; j += 1) integers[k * dimensions + j] = sobolFraction(k, j);
    for (const [k, j, expected] of some) expect(integers[k! * dimensions + j!]).toBe(expected);
    expect(createHash("sha256").update(integers).digest("hex")).toBe(sha256);
  });

  it("scrambled points are still even: each of 2^m intervals has one point of every aligned block of 2^m points", () => {
    const plan = sobolPlan(keys(6), 512, 1);
    for (const size of [2, 16, 128])
      for (let from = 0; from < 512; from += size)
        for (let j = 0; j < 6; j += 1) {
          const cells = new Set<number>();
          for (let k = from; k < from + size; k += 1) cells.add(Math.floor(pointOf(plan, k)[j]! * size));
          expect(cells.size).toBe(size);
        }
  });

  it("scrambling is unbiased and replicates are independent: the mean of a smooth function lies in its interval", () => {
    const f = ([a, b, c]: readonly number[]) => 8 * a! * b! * c! + Math.exp(a!) - Math.E + 1;
    let inside = 0;
    const halves: number[] = [];
    for (let seed = 0; seed < 40; seed += 1) {
      const plan = sobolPlan({ ...keys(3), seed }, 1024);
      const values = Array.from({ length: 1024 }, (_, k) => f(pointOf(plan, k)));
      const means = Array.from({ length: 16 }, (_, r) => mean(values.filter((_, k) => k % 16 === r)));
      const { lo, hi } = meanOf(means, 0.95);
      inside += lo <= 1 && 1 <= hi ? 1 : 0;
      halves.push((hi - lo) / 2);
    }
    expect(inside).toBeGreaterThanOrEqual(34);
    // Independent flights would have a half width of 1.96 · 1.37 / 32 = 0.084.
    expect(mean(halves)).toBeLessThan(0.02);
  });
});

describe("plans for sensitivity", () => {
  it("each step of a Morris trajectory changes one key by half of its levels, and each key changes once", () => {
    const plan = morrisPlan(keys(5), 8, 6);
    expect(plan.count).toBe(48);
    for (let t = 0; t < 8; t += 1) {
      const moved: number[] = [];
      for (let step = 1; step <= 5; step += 1) {
        const k = t * 6 + step;
        const [before, after] = [pointOf(plan, k - 1), pointOf(plan, k)];
        const changed = after.flatMap((u, j) => (u === before[j] ? [] : [j]));
        expect(changed).toEqual([plan.movedKey(k)]);
        expect(Math.abs(after[changed[0]!]! - before[changed[0]!]!)).toBeCloseTo(0.5, 12);
        expect(plan.seedOf(k)).toBe(plan.seedOf(k - 1));
        moved.push(changed[0]!);
      }
      expect(moved.sort()).toEqual([0, 1, 2, 3, 4]);
      expect(plan.movedKey(t * 6)).toBeUndefined();
    }
  });

  it("Saltelli's blocks are A, then B, then A with one key from B", () => {
    const plan = sobolIndicesPlan(keys(3), 4);
    expect(plan.count).toBe(20);
    for (let i = 0; i < 4; i += 1) {
      const [a, b, ...mixed] = Array.from({ length: 5 }, (_, block) => pointOf(plan, i * 5 + block));
      for (let j = 0; j < 3; j += 1) expect(mixed[j]).toEqual(a!.map((u, i2) => (i2 === j ? b![i2] : u)));
    }
  });
});

describe("importance", () => {
  const given = context({ gust: { normal: { mean: 0, sigma: 1 } }, calm: unit });
  const plan = importancePlan(given, 20_000, { gust: 3 });
  const gusts = Array.from({ length: plan.count }, (_, k) =>
    Number(given.vary[0]!.distribution.valueAt(pointOf(plan, k)[0]!)),
  );
  const weights = gusts.map((_, k) => plan.weightOf!(k));

  it("samples around the shifted value, with weights of mean 1 and at most 10", () => {
    expect(mean(gusts)).toBeGreaterThan(2.5);
    const { lo, hi } = meanOf(weights, 0.999);
    expect(lo < 1 && 1 < hi).toBe(true);
    expect(Math.max(...weights)).toBeLessThanOrEqual(10);
  });

  it("estimates a probability of 1.35e-3 that plain sampling would rarely observe", () => {
    const hits = weights.map((weight, k) => (gusts[k]! > 3 ? weight : 0));
    const truth = 0.0013498980316301;
    const { lo, hi } = meanOf(hits, 0.99);
    expect(lo < truth && truth < hi).toBe(true);
    // The variance per flight is far below that of plain sampling, p (1 − p).
    expect(variance(hits)).toBeLessThan(truth / 100);
  });

  it("rejects keys and values that it cannot shift", () => {
    expect(codeOf(() => importancePlan(given, 9, { gusts: 3 }))).toBe("PLAN-004");
    expect(codeOf(() => importancePlan(given, 9, { calm: 1.5 }))).toBe("PLAN-004");
    expect(codeOf(() => importancePlan(context({ a: { choice: [1, 2] } }), 9, { a: 2 }))).toBe("PLAN-004");
  });

  it("finds the coordinate of a value, including a time with its unit", () => {
    const times = context({ "gust.at": { uniform: ["10 s", "50 s"] } });
    const shifted = importancePlan(times, 4000, { "gust.at": "30 s" });
    const middle = mean(Array.from({ length: 4000 }, (_, k) => pointOf(shifted, k)[0]!));
    expect(Math.abs(middle - 0.5)).toBeLessThan(0.02);
    expect(math.exp(normalQuantile(0.5))).toBe(1);
  });
});
