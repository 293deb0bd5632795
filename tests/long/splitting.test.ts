/** Splitting on a process with a known first-passage probability of 1e-5: the interval of 8 runs, 20 times. */
import { RandomStream } from "@escapement/core";
import { expect, it } from "vitest";
import { combineRuns, splitOnce } from "../../packages/campaign/src/splitting/levels.ts";
import { ornsteinUhlenbeck, PASSAGES } from "../../packages/campaign/src/splitting/testing/ornstein-uhlenbeck.ts";

it("contains 1e-5 in its 95 % interval in at least 18 of 20 repeats", () => {
  const { level, probability } = PASSAGES[2];
  let inside = 0;
  for (let repeat = 0; repeat < 20; repeat += 1) {
    const found = Array.from({ length: 8 }, (_, r) => {
      const random = new RandomStream(repeat, `splitting ${r}`);
      const options = { target: level, particles: 128, share: 0.25, random };
      return splitOnce(ornsteinUhlenbeck(random), options).probability;
    });
    const { lo, hi } = combineRuns(found, 128, 0.95);
    inside += lo <= probability && probability <= hi ? 1 : 0;
  }
  // 19 are expected; with 20 repeats, 18 or more come in 92 % of experiments if the interval is exact.
  expect(inside).toBeGreaterThanOrEqual(18);
});
