/** Criteria of a campaign with pairs: estimates count the base flights, which are independent of each other. */
import { describe, expect, it } from "vitest";
import { decidedVerdict, exampleManifest, exampleRow } from "../../../../tests/support/campaign-rows.ts";
import { Tally } from "../criteria/tally.ts";
import { contextOf, makePlan } from "../spec/make-plan.ts";
import { clopperPearson } from "../statistics/binomial.ts";
import { Criteria } from "./criteria.ts";

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
  it("estimate by the base flights, and count every flight in 'every flight'", () => {
    const plan = makePlan(manifest.plan, contextOf({ vary: manifest.keys, manifest }), manifest.requirements);
    const tally = new Tally(manifest.requirements, manifest.measures.length);
    const settling = manifest.measures.findIndex(({ name }) => name === "settling");
    for (let k = 0; k < 2 * PAIRS; k += 1) {
      // Every base flight holds and settles in 2 s; every other flight is violated and settles in 4 s.
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
