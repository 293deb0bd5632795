/** Tests the coverage of splitting's confidence interval on a process with known first-passage probabilities. */
import { RandomStream } from "@escapement/core";
import { expect, it } from "vitest";
import { combineRuns } from "../../packages/campaign/src/splitting/interval.ts";
import { ornsteinUhlenbeck, PASSAGES } from "../../packages/campaign/src/splitting/testing/ornstein-uhlenbeck.ts";
import { splitOnce } from "../../packages/campaign/src/splitting/testing/split-once.ts";

interface Problem {
  readonly target: number;
  readonly probability: number;
  readonly particles: number;
  readonly seed: number;
}

/** Returns the number of experiments of eight runs whose 95 % interval contains the probability. */
function countCovered(experiments: number, { target, probability, particles, seed }: Problem): number {
  let inside = 0;
  for (let e = 0; e < experiments; e += 1) {
    const found = Array.from({ length: 8 }, (_, r) => {
      const random = new RandomStream(seed + e, `splitting ${r}`);
      return splitOnce(ornsteinUhlenbeck(random), { target, particles, share: 0.25, random }).run;
    });
    const { lo, hi } = combineRuns(found, { particles, confidence: 0.95 });
    inside += lo <= probability && probability <= hi ? 1 : 0;
  }
  return inside;
}

it("the 95 % interval contains 1e-5 in at least 19 of 20 experiments", () => {
  const { level: target, probability } = PASSAGES[2];
  expect(countCovered(20, { target, probability, particles: 128, seed: 0 })).toBeGreaterThanOrEqual(19);
});

it("the 95 % interval contains 1e-3 in 95 % of 400 experiments, within two standard errors", () => {
  const { level: target, probability } = PASSAGES[1];
  expect(countCovered(400, { target, probability, particles: 64, seed: 1000 })).toBeGreaterThanOrEqual(371);
});
