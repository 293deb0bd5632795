/**
 * Checks folding and steps on random programs against an interpreter that shares no code with the compiler.
 *
 * This file runs a few programs; `tests/long` runs many. `FC_SEED` selects different ones.
 */
import { describe, expect, it } from "vitest";
import { fixedStepKind, integratorKinds } from "../../packages/core/src/integrate/index.ts";
import { volume } from "../support/volume.ts";
import { checkEvaluations, checkSteps, checkSharedCode } from "./support/properties.ts";

/** A method whose first stage has no weight in the end state, unlike all registered methods. */
const midpoint = fixedStepKind({
  name: "midpoint",
  about: "Second order, two evaluations per step",
  version: 1,
  tableau: { order: 2, c: [0, 1 / 2], a: [[], [1 / 2]], b: [0, 1] },
});

describe("random programs", () => {
  it("produce the same bits when compiled, or a failed guard", () => {
    const { made, refused, trusted, tried } = checkEvaluations({ numRuns: volume(100, 250) });
    expect(made).toBeGreaterThan(3 * refused);
    expect(trusted).toBeGreaterThan(0.3 * tried);
  });

  it("share code with plants of the same structure, with each plant's own bits", () => {
    expect(checkSharedCode({ numRuns: volume(100, 250) }).shared).toBeGreaterThan(20);
  });

  it.each([...integratorKinds, midpoint].map((kind) => [kind.name, kind] as const))(
    "%s gives the same bits when compiled, from any state",
    (_name, kind) => {
      expect(checkSteps(kind, { numRuns: volume(30, 60) }).valid).toBeGreaterThan(50);
    },
  );
});
