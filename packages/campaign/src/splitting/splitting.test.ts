/** Splitting against known first-passage probabilities. */
import { RandomStream } from "@escapement/core";
import { describe, expect, it } from "vitest";
import { clopperPearson } from "../statistics/binomial.ts";
import { mean } from "../statistics/means.ts";
import { combineRuns } from "./interval.ts";
import { ornsteinUhlenbeck, PASSAGES } from "./testing/ornstein-uhlenbeck.ts";
import { splitOnce } from "./testing/split-once.ts";

function runs(count: number, target: number, particles: number, seed: number) {
  return Array.from({ length: count }, (_, r) => {
    const random = new RandomStream(seed, `splitting ${r}`);
    return splitOnce(ornsteinUhlenbeck(random), { target, particles, share: 0.25, random });
  });
}

const probabilities = (found: ReturnType<typeof runs>) => found.map(({ run }) => run.probability);
/** Runs with these estimates, in which no initial flight reached the event. */
const withoutHits = (...estimates: number[]) => estimates.map((probability) => ({ probability, initialHits: 0 }));

describe("splitting", () => {
  it("contains a probability of 1e-3 in its interval, from 8 runs of 64 particles", () => {
    const { level, probability } = PASSAGES[1];
    const { lo, hi } = combineRuns(
      runs(8, level, 64, 1).map(({ run }) => run),
      { particles: 64, confidence: 0.95 },
    );
    expect(lo < probability && probability < hi).toBe(true);
    expect(hi / lo).toBeLessThan(20);
  });

  it("is unbiased, even with few particles", () => {
    const { level, probability } = PASSAGES[0];
    expect(Math.abs(mean(probabilities(runs(600, level, 8, 2))) / probability - 1)).toBeLessThan(0.25);
  });

  it("counts initial flights if the event is not rare", () => {
    const { run, flown } = runs(1, -1, 200, 3)[0]!;
    expect([run.levels, flown]).toEqual([[], 200]);
    expect(run.probability).toBeGreaterThan(0.9);
  });

  it("ends with particles above the target, or dies out with probability 0", () => {
    const { level } = PASSAGES[1];
    const { particles } = runs(1, level, 64, 4)[0]!;
    expect(particles.filter((path) => Math.max(...path) > level).length).toBeGreaterThanOrEqual(48);
    const stuck = { start: () => 0, branch: (parent: number) => parent, scoreOf: () => 1 };
    const random = new RandomStream(1, "stuck");
    const dead = splitOnce(stuck, { target: 2, particles: 10, share: 0.25, random }).run;
    expect([dead.probability, dead.levels]).toEqual([0, [{ level: 1, probability: 0 }]]);
  });

  it("lowers the probability from level to level", () => {
    const { levels, probability } = runs(1, PASSAGES[2].level, 32, 5)[0]!.run;
    const falling = [...levels.map((each) => each.probability), probability];
    expect([...falling].sort((a, b) => b - a)).toEqual(falling);
    expect(levels.length).toBeGreaterThan(10);
  });
});

/** 95 % interval of eight numbers by Zou's method at 97.5 %, from numpy and SciPy. */
const ZOU = { lo: 7.834235445947715e-6, hi: 3.3149948635952774e-5 };

describe("the interval", () => {
  const options = { particles: 128, confidence: 0.95 };

  it("contains the mean of the runs and no negative probabilities", () => {
    const { probability, lo, hi } = combineRuns(withoutHits(1e-5, 2e-5, 0.5e-5, 1.2e-5), options);
    expect(probability).toBeCloseTo(1.175e-5, 12);
    expect(lo > 0 && lo < probability && probability < hi).toBe(true);
  });

  it("equals Zou's interval at half of the error probability", () => {
    const found = combineRuns(withoutHits(1e-5, 2e-5, 0.5e-5, 1.2e-5, 0.8e-5, 3e-5, 0.9e-5, 1.5e-5), options);
    expect(found.lo / ZOU.lo).toBeCloseTo(1, 10);
    expect(found.hi / ZOU.hi).toBeCloseTo(1, 10);
  });

  it("is wider if a run died out", () => {
    const whole = combineRuns(withoutHits(1e-5, 2e-5, 1.5e-5, 1.2e-5), options);
    const { probability, lo, hi } = combineRuns(withoutHits(1e-5, 0, 2e-5, 1.5e-5, 1.2e-5), options);
    expect(lo > 0 && lo < probability && probability < hi && hi < 1).toBe(true);
    expect(lo).toBeLessThan(whole.lo / 1.5);
  });

  it("is computed from the first flights of all runs if only one run reached the event", () => {
    const found = combineRuns(withoutHits(1e-5, 0, 0), options);
    expect(found).toMatchObject({ probability: 1e-5 / 3, lo: 0 });
    expect(found.hi).toBeCloseTo(1 - 0.025 ** (1 / (3 * 128)), 12);
  });

  it("is no wider than the interval from the first flights if the runs scatter by orders of magnitude", () => {
    const scattered = [0, 0, 0.0178, 0.000978, 0.00358, 0.000781, 0.000185, 0.0103];
    const found = combineRuns(
      scattered.map((probability) => ({ probability, initialHits: 1 })),
      options,
    );
    expect(found.hi).toBeCloseTo(clopperPearson(8, 8 * 128, 0.99).hi, 12);
    expect(found.lo).toBeLessThan(found.probability);
  });

  it("has the bound from the first flights if no run reached the event", () => {
    const { probability, lo, hi } = combineRuns(withoutHits(0, 0, 0), { particles: 100, confidence: 0.95 });
    expect([probability, lo]).toEqual([0, 0]);
    expect(hi).toBeCloseTo(1 - 0.025 ** (1 / 300), 12);
  });
});
