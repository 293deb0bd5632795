/**
 * The adaptive integrators on published problems with published solutions: DETEST A1–A5, B1–B5, F1, F3 and F4.
 *
 * `npx tsx tools/detest.ts` prints the same numbers as a table.
 */
import { describe, expect, it } from "vitest";
import {
  barelyVisibleProblems,
  detestProblems,
  detestTolerances,
  runBarelyVisible,
  runDetest,
  runF1,
} from "../../../../tests/support/detest.ts";

describe.each([
  { name: "rk23", bound: 500 },
  { name: "rk45", bound: 200 },
])("$name on DETEST", ({ name, bound }) => {
  it.each(detestProblems)(`%s: the error at x = 20 is at most ${bound} times the tolerance`, (problem) => {
    for (const tolerance of detestTolerances) {
      expect(runDetest(name, problem, tolerance).error / tolerance).toBeLessThan(bound);
    }
  });

  it("needs more evaluations for each tighter tolerance", () => {
    for (const problem of detestProblems) {
      const evaluations = detestTolerances.map((tolerance) => runDetest(name, problem, tolerance).evaluations);
      expect(evaluations).toEqual([...evaluations].sort((p, q) => p - q));
    }
  });
});

describe.each(["rk23", "rk45"])("%s resolves motions that a step over the whole interval would miss", (name) => {
  it.each(barelyVisibleProblems)("%s", (problem) => {
    for (const tolerance of detestTolerances.slice(0, 6))
      expect(runBarelyVisible(name, problem, tolerance) / tolerance).toBeLessThan(500);
  });
});

describe("F1, whose force jumps every second", () => {
  it.each(detestTolerances)(
    "[L8] rk45 at %f: boundaries at the jumps reduce the error to a fifth or less, with fewer evaluations",
    (tolerance) => {
      const inside = runF1("rk45", tolerance, "inside");
      const atBoundaries = runF1("rk45", tolerance, "atBoundaries");
      expect(atBoundaries.error).toBeLessThan(inside.error / 5);
      expect(atBoundaries.evaluations).toBeLessThan(inside.evaluations);
      expect(atBoundaries.forced).toBe(0);
      expect(atBoundaries.error / tolerance).toBeLessThan(200);
    },
  );

  it.each(detestTolerances)("[L8] rk23 at %f: boundaries at the jumps save evaluations", (tolerance) => {
    const inside = runF1("rk23", tolerance, "inside");
    const atBoundaries = runF1("rk23", tolerance, "atBoundaries");
    expect(atBoundaries.evaluations).toBeLessThan(inside.evaluations);
    expect(atBoundaries.error / tolerance).toBeLessThan(500);
  });
});
