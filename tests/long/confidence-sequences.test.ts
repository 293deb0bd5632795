/** Coverage of confidence sequences in 2000 simulated campaigns per probability, each with 100 interim evaluations. */
import { describe, expect, it } from "vitest";
import { confidenceSequence } from "../../packages/campaign/src/statistics/binomial.ts";
import { missesOfSequence } from "../../packages/campaign/src/statistics/testing/coverage.ts";

describe("the confidence sequence", () => {
  it.each([0.001, 0.01, 0.2, 0.5])("misses p = %d in at most 5 %% of campaigns", (p) => {
    const looks = { campaigns: 2000, flights: 2000, every: 20, p, confidence: 0.95 };
    expect(missesOfSequence(confidenceSequence, looks)).toBeLessThanOrEqual(0.05);
  });
});
