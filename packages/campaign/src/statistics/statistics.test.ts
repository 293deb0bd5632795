/** Intervals, tests and correlations compared with tables from SciPy, and their coverage in simulations. */
import { normalQuantile, RandomStream } from "@escapement/core";
import { describe, expect, it } from "vitest";
import tables from "../../../../tests/fixtures/campaign/statistics.json" with { type: "json" };
import { betaQuantile, incompleteBeta } from "./beta.ts";
import { binomialCdf, clopperPearson, confidenceSequence, mcNemarP } from "./binomial.ts";
import { bcaInterval } from "./bootstrap.ts";
import { chiSquaredQuantile } from "./chi-squared.ts";
import { logGamma } from "./gamma.ts";
import { mean, meanOf, replicatedMeanOf, tQuantile } from "./means.ts";
import { normalCdf } from "./normal.ts";
import { quantileRanks, sampleQuantile } from "./quantiles.ts";
import { spearman } from "./ranks.ts";
import { missesOfSequence } from "./testing/coverage.ts";

/** Expects a relative error below 1e-11, the tolerance for all tables. */
function expectClose(actual: number, expected: number, context: unknown): void {
  const error = Math.abs(actual - expected) / Math.max(Math.abs(expected), 1e-300);
  expect(error, `${actual} instead of ${expected} for ${JSON.stringify(context)}`).toBeLessThan(1e-11);
}

/** `scipy.stats.chi2.ppf`. */
const CHI_SQUARED = [
  [0.0125, 7, 1.3342703329906611],
  [0.9875, 7, 17.884952002726973],
  [0.025, 15, 6.262137795043253],
  [0.975, 15, 27.488392863442975],
  [0.005, 31, 14.457767385668987],
  [0.5, 1, 0.454936423119572],
] as const;

describe("special functions", () => {
  it("ln Γ, the incomplete beta function and Φ equal SciPy's to 1e-11", () => {
    for (const [x, expected] of tables.logGamma) expectClose(logGamma(x!), expected!, x);
    for (const [a, b, x, expected] of tables.beta) expectClose(incompleteBeta(a!, b!, x!), expected!, [a, b, x]);
    for (const [z, expected] of tables.normal) expectClose(normalCdf(z!), expected!, z);
  });

  it("the χ² quantile equals SciPy's to 1e-11", () => {
    for (const [p, degreesOfFreedom, expected] of CHI_SQUARED)
      expectClose(chiSquaredQuantile(p, degreesOfFreedom), expected, [p, degreesOfFreedom]);
  });

  it("Φ inverts the core's normal quantile", () => {
    for (const p of [1e-12, 0.001, 0.3, 0.5, 0.77, 0.9999]) expectClose(normalCdf(normalQuantile(p)), p, p);
  });

  it("the beta quantile inverts the incomplete beta function", () => {
    for (const [a, b, p] of [
      [0.5, 3, 0.01],
      [1, 1, 0.25],
      [40, 1000, 0.975],
      [3, 1e6, 0.5],
    ] as const)
      expectClose(incompleteBeta(a, b, betaQuantile(p, a, b)), p, [a, b, p]);
  });
});

describe("probabilities", () => {
  it.each(tables.binomial)("intervals for $k of $n at $confidence equal SciPy's", (row) => {
    const { k, n, confidence } = row;
    const intervals = [
      [clopperPearson(k, n, confidence), row.clopperPearson],
      ...(row.sequence === undefined ? [] : [[confidenceSequence(k, n, confidence), row.sequence] as const]),
    ] as const;
    for (const [{ lo, hi }, expected] of intervals) {
      expectClose(lo, expected[0]!, row);
      expectClose(hi, expected[1]!, row);
    }
  });

  it("Clopper–Pearson's exact coverage is never below the stated confidence", () => {
    const n = 60;
    const intervals = Array.from({ length: n + 1 }, (_, k) => clopperPearson(k, n, 0.95));
    for (const p of [0.003, 0.05, 0.31, 0.5, 0.9]) {
      let misses = 0;
      for (const [k, { lo, hi }] of intervals.entries())
        if (p < lo || p > hi) misses += binomialCdf(k, n, p) - binomialCdf(k - 1, n, p);
      expect(misses).toBeLessThanOrEqual(0.05);
    }
  });

  it("the confidence sequence contains p at all evaluations; Clopper–Pearson's interval does not", () => {
    const looks = { campaigns: 120, flights: 1000, every: 50, p: 0.2, confidence: 0.95 };
    expect(missesOfSequence(confidenceSequence, looks)).toBeLessThanOrEqual(0.05);
    expect(missesOfSequence(clopperPearson, looks)).toBeGreaterThan(0.1);
  });

  it("McNemar's test equals SciPy's binomial test", () => {
    for (const [b, c, expected] of tables.mcNemar) expectClose(mcNemarP(b!, c!), expected!, [b, c]);
  });
});

describe("means", () => {
  it("t quantiles and t intervals equal SciPy's", () => {
    for (const [confidence, v, expected] of tables.t)
      expectClose(tQuantile(confidence!, v!), expected!, [confidence, v]);
    for (const { x, mean: expected } of tables.samples) {
      const { lo, hi } = meanOf(x, 0.95);
      expectClose(lo, expected[0]!, "lo");
      expectClose(hi, expected[1]!, "hi");
    }
  });

  it("one value has no interval", () => {
    expect(meanOf([3], 0.95)).toEqual({ mean: 3, lo: -Infinity, hi: Infinity });
  });

  it("a mean over replicates takes its interval from the replicates' means", () => {
    const values = Array.from({ length: 32 }, (_, k) => (k % 4) + (k >> 2) * 1e-3);
    const means = [0, 1, 2, 3].map((r) => mean(values.filter((_, k) => k % 4 === r)));
    const { lo, hi } = meanOf(means, 0.9);
    expect(replicatedMeanOf(values, 4, 0.9)).toEqual({ mean: mean(values), lo, hi });
  });

  it("the BCa interval equals SciPy's up to the noise of resampling", () => {
    const { x, interval } = tables.bca;
    const statistic = (indices: Uint32Array) => mean(Float64Array.from(indices, (i) => x[i]!));
    const options = { confidence: 0.95, resamples: 10_000, random: new RandomStream(1, "bootstrap") };
    const { lo, hi } = bcaInterval(x.length, statistic, options);
    // The standard error of a 2.5 % quantile of 10 000 resamples is about 2 % of the interval's half width.
    const half = (interval[1]! - interval[0]!) / 2;
    expect(Math.abs(lo - interval[0]!)).toBeLessThan(0.08 * half);
    expect(Math.abs(hi - interval[1]!)).toBeLessThan(0.08 * half);
  });
});

describe("quantiles", () => {
  it("order-statistic bounds equal SciPy's", () => {
    for (const [n, q, confidence, low, high] of tables.quantiles as [number, number, number, number?, number?][]) {
      const { below, above } = quantileRanks(n, q, confidence);
      expect([n, q, confidence, below, above]).toEqual([n, q, confidence, low ?? 0, high ?? n + 1]);
    }
  });

  it("there is no bound if there are too few values", () => {
    expect(quantileRanks(3, 0.95, 0.95)).toEqual({ below: 2, above: 4 });
    expect(quantileRanks(3, 0.05, 0.95)).toEqual({ below: 0, above: 2 });
  });

  it("the sample quantile is one of the values", () => {
    const sorted = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    expect([0.05, 0.5, 0.9, 0.95, 1].map((q) => sampleQuantile(sorted, q))).toEqual([1, 5, 9, 10, 10]);
  });
});

describe("ranks", () => {
  it("Spearman's correlation equals SciPy's, with ties", () => {
    for (const { x, y, spearman: rho } of tables.samples) expectClose(spearman(x, y), rho, "spearman");
  });

  it("the correlation with a constant is 0", () => {
    expect(spearman([1, 1, 1], [1, 2, 3])).toBe(0);
  });
});
