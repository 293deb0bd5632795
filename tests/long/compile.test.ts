/** Compares compiled with interpreted random programs, in larger numbers than the short tests. */
import { describe, expect, it } from "vitest";
import { integratorKinds } from "../../packages/core/src/integrate/index.ts";
import { checkEvaluations, checkSteps, checkSharedCode } from "../compile/support/properties.ts";

describe.each([101, 102, 103, 104])("random programs of seed %i", (seed) => {
  it("evaluate to the same bits when compiled", () => {
    expect(checkEvaluations({ seed, numRuns: 3000 }).trusted).toBeGreaterThan(10_000);
  });

  it("share code with plants of the same structure", () => {
    expect(checkSharedCode({ seed, numRuns: 3000 }).shared).toBeGreaterThan(200);
  });

  it.each(integratorKinds.map((kind) => [kind.name, kind] as const))(
    "give the same bits when compiled, with %s",
    (_name, kind) => {
      expect(checkSteps(kind, { seed, numRuns: 400 }).valid).toBeGreaterThan(1000);
    },
  );
});
