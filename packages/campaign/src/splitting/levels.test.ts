/** Splitting against known first-passage probabilities. */
import { RandomStream } from "@escapement/core";
import { describe, expect, it } from "vitest";
import { mean } from "../statistics/means.ts";
import { combineRuns, splitOnce } from "./levels.ts";
import { ornsteinUhlenbeck, PASSAGES } from "./testing/ornstein-uhlenbeck.ts";

function runs(count: number, level: number, particles: number, seed: number) {
  return Array.from({ length: count }, (_, r) => {
    const random = new RandomStream(seed, `splitting ${r}`);
    return splitOnce(ornsteinUhlenbeck(random), { target: level, particles, share: 0.25, random });
  });
}

describe("splitting", () => {
  it("contains a probability of 1e-3 in its interval, from 8 runs of 64 particles", () => {
    const { level, probability } = PASSAGES[1];
    const found = runs(8, level, 64, 1);
    const { lo, hi } = combineRuns(
      found.map((run) => run.probability),
      64,
      0.95,
    );
    expect(lo < probability && probability < hi).toBe(true);
    expect(hi / lo).toBeLessThan(20);
  });

  it("is unbiased, also with few particles", () => {
    const { level, probability } = PASSAGES[0];
    const found = runs(600, level, 8, 2).map((run) => run.probability);
    expect(Math.abs(mean(found) / probability - 1)).toBeLessThan(0.25);
  });

  it("counts plain flights if the event is not rare", () => {
    const { probability, levels, flown } = runs(1, -1, 200, 3)[0]!;
    expect([levels, flown]).toEqual([[], 200]);
    expect(probability).toBeGreaterThan(0.9);
  });

  it("ends with particles above the target, or dies out with probability 0", () => {
    const [run] = runs(1, PASSAGES[1].level, 64, 4);
    const above = run!.particles.filter((path) => Math.max(...path) > PASSAGES[1].level).length;
    expect(above).toBeGreaterThanOrEqual(48);
    const stuck = { start: () => 0, branch: (parent: number) => parent, scoreOf: () => 1 };
    const random = new RandomStream(1, "stuck");
    const dead = splitOnce(stuck, { target: 2, particles: 10, share: 0.25, random });
    expect([dead.probability, dead.levels]).toEqual([0, [1]]);
  });
});

describe("the interval", () => {
  it("covers the mean of repeats, and never includes negative probabilities", () => {
    const { probability, lo, hi } = combineRuns([1e-5, 2e-5, 0.5e-5, 1.2e-5], 128, 0.95);
    expect(probability).toBeCloseTo(1.175e-5, 12);
    expect(lo > 0 && lo < probability && probability < hi).toBe(true);
  });

  it("covers the mean if a run died out", () => {
    const { probability, lo, hi } = combineRuns([1e-5, 0, 2e-5, 1.5e-5], 128, 0.95);
    expect(lo > 0 && lo < probability && probability < hi && hi < 1).toBe(true);
    expect(combineRuns([1e-5], 128, 0.95)).toEqual({ probability: 1e-5, lo: 0, hi: 1 });
  });

  it("has the bound of the first flights if no run reached the event", () => {
    const { probability, lo, hi } = combineRuns([0, 0, 0], 100, 0.95);
    expect([probability, lo]).toEqual([0, 0]);
    expect(hi).toBeCloseTo(1 - 0.025 ** (1 / 300), 12);
  });
});
