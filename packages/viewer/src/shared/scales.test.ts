/** Value axes never have an empty range, and their tick labels are distinguishable. */
import { describe, expect, it } from "vitest";
import { paddedRange, stepTexts } from "./scales.ts";

describe("the axis range", () => {
  it.each([
    [0, 0],
    [1e-12, 2e-12],
    [16.8, 16.8],
    [-0.5, -0.5],
  ])("leaves room around values from %d to %d", (low, high) => {
    const [from, to] = paddedRange(low, high);
    expect(from).toBeLessThan(low);
    expect(to).toBeGreaterThan(high);
    expect(to - from).toBeGreaterThanOrEqual(0.0199);
  });

  it("resolves arbitrarily small differences", () => {
    const [from, to] = paddedRange(-1e-6, 1e-6, 0);
    expect(to - from).toBeLessThan(3e-6);
    expect(paddedRange(0, 0, 0)[1]).toBeGreaterThan(0);
  });
});

describe("tick labels", () => {
  it.each([
    [
      [-0.01, -0.005, 0, 0.005, 0.01],
      ["−0.01", "−0.005", "0", "0.005", "0.01"],
    ],
    [
      [0, 500, 1000],
      ["0", "500", "1000"],
    ],
    [
      [0.1, 0.2, 0.30000000000000004],
      ["0.1", "0.2", "0.3"],
    ],
    [
      [-2.5e-5, 1e-21, 2.5e-5],
      ["−2.5e-5", "0", "2.5e-5"],
    ],
  ])("%j", (steps, texts) => {
    expect(stepTexts(undefined, steps)).toEqual(texts);
  });
});
