/** The verdicts of margins, in particular of the two zeros. */
import { describe, expect, test } from "vitest";
import { isSatisfied } from "./comparison.ts";
import { isFailure, verdictWord } from "./verdict.ts";

describe("a margin", () => {
  test.each([
    [1, true],
    [0, true],
    [-0, false],
    [-1, false],
    [Infinity, true],
    [-Infinity, false],
  ])("%d means that the statement holds: %s", (margin, holds) => {
    expect(isSatisfied(margin)).toBe(holds);
  });

  test.each([
    [0, 0, "holds"],
    [-0, -0, "violated"],
    [-0, 0, "undecided"],
    [-Infinity, 5, "undecided"],
    [-Infinity, -5, "violated"],
    [5, Infinity, "holds"],
  ] as const)("between %d and %d gives %s", (low, high, word) => {
    expect(verdictWord(low, high)).toBe(word);
  });
});

test("a warning never makes a flight fail, and an untested requirement only if its event must occur", () => {
  expect(isFailure({ verdict: "violated", severity: "warning", mustOccur: true })).toBe(false);
  expect(isFailure({ verdict: "violated", severity: "error", mustOccur: false })).toBe(true);
  expect(isFailure({ verdict: "untested", severity: "error", mustOccur: true })).toBe(true);
  expect(isFailure({ verdict: "untested", severity: "error", mustOccur: false })).toBe(false);
  expect(isFailure({ verdict: "undecided", severity: "error", mustOccur: true })).toBe(false);
});
