/** Criteria of a campaign with pairs, and the probability of a requirement without a criterion. */
import { type Manifest, probabilityText } from "@escapement/formats";
import { describe, expect, it } from "vitest";
import {
  decidedVerdict,
  exampleManifest,
  exampleRow,
  exampleVerdict,
} from "../../../../tests/support/campaign-rows.ts";
import { Tally } from "../criteria/tally.ts";
import { contextOf, makePlan } from "../spec/make-plan.ts";
import { clopperPearson, confidenceSequence } from "../statistics/binomial.ts";
import { Criteria, requirementProbabilities } from "./criteria.ts";

const PAIRS = 40;
const [requirement] = exampleManifest.requirements;
const manifest = {
  ...exampleManifest,
  plan: { kind: "pairs", pairs: PAIRS },
  flights: 2 * PAIRS,
  requirements: [requirement!],
  criteria: ["P(stays up) >= 90 % with 95 % confidence", "max(settling) < 3 s", "every flight: stays up"],
};

describe("criteria of pairs", () => {
  it("use the base flights for estimates, and all flights for 'every flight'", () => {
    const plan = makePlan(manifest.plan, contextOf({ vary: manifest.keys, manifest }), manifest.requirements);
    const tally = new Tally(manifest.requirements, manifest.measures.keys());
    const settling = manifest.measures.findIndex(({ name }) => name === "settling");
    for (let k = 0; k < 2 * PAIRS; k += 1) {
      // The requirement holds in every base flight, which settles in 2 s. It is violated in every other flight, which
      // settles in 4 s.
      const measures = manifest.measures.map((_, i) => (i === settling ? 2 + 2 * (k % 2) : 0));
      tally.add({ ...exampleRow(k), outcome: "completed", verdicts: [decidedVerdict(k % 2 === 0 ? 1 : -1)], measures });
    }
    const [probability, largest, every] = new Criteria(manifest, plan).judge(tally, 2 * PAIRS, true);
    const { lo } = clopperPearson(PAIRS, PAIRS, 0.95);
    expect(probability).toMatchObject({ verdict: "met", estimate: 1, low: lo });
    expect(probability!.reason).toBe(`met after ${PAIRS} base flights`);
    expect([largest!.verdict, largest!.estimate, every!.verdict]).toEqual(["met", 2, "not met"]);
  });
});

describe("the probability of a requirement", () => {
  const flown = (plan: Manifest["plan"], letters: string) => {
    const settings = { ...exampleManifest, plan, flights: letters.length, requirements: [requirement!] };
    const { requirements } = settings;
    const tally = new Tally(requirements, []);
    for (const [k, letter] of [...letters].entries()) {
      const verdicts = [letter === "?" ? exampleVerdict("undecided") : decidedVerdict(letter === "+" ? 1 : -1)];
      tally.add({ ...exampleRow(k), outcome: "completed", verdicts });
    }
    const made = makePlan(plan, contextOf({ vary: exampleManifest.keys, manifest: settings }), requirements);
    return requirementProbabilities(settings, made, tally)[0];
  };
  const letters = "+".repeat(27) + "--?";

  it("has an interval that suits the plan and that flights without a verdict widen", () => {
    const [low, high] = [clopperPearson(27, 30, 0.95).lo, clopperPearson(28, 30, 0.95).hi];
    expect(flown({ kind: "random", flights: 30 }, letters)).toEqual({ value: 0.9, low, high, confidence: 0.95 });
    const until = { kind: "random", flights: 0, until: "decided", most: 30, lookEvery: 10 };
    expect(flown(until, letters)!.low).toBe(confidenceSequence(27, 30, 0.95).lo);
  });

  it("is null if the flights are not drawn at random", () => {
    expect(flown({ kind: "falsify", requirement: "", method: "random", most: 30 }, letters)).toBeNull();
  });

  it("is shown as a bound if all flights agree", () => {
    const all = flown({ kind: "random", flights: 100 }, "+".repeat(100))!;
    expect(probabilityText(all)).toBe("P ≥ 96.4 %");
    expect(probabilityText({ value: 0, low: 0, high: 0.036 })).toBe("P ≤ 3.6 %");
    expect(probabilityText({ value: 0, low: 0, high: 1 })).toBe("P unknown");
    expect(probabilityText({ value: 0.988, low: 0.977, high: 0.994 })).toBe("P = 98.8 %  (97.7 … 99.40)");
  });
});
