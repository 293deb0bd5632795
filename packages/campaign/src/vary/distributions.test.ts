/** Distributions: published quantiles, exact ends, whole microseconds, and errors with a place and a fix. */
import { SimError } from "@escapement/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDistribution } from "./distributions.ts";

const at = (spec: unknown, us: readonly number[], key = "wind.w20Mps") => {
  const distribution = readDistribution(spec, key);
  return us.map((u) => distribution.valueAt(u));
};

describe("continuous distributions", () => {
  it("uniform, log-uniform and triangular have their quantiles", () => {
    expect(at({ uniform: [3, 15] }, [0, 0.5, 1])).toEqual([3, 9, 15]);
    const [from, middle, to] = at({ "log-uniform": [0.5, 2] }, [0, 0.5, 1]);
    expect([from, to]).toEqual([0.5, 2]);
    expect(middle).toBeCloseTo(1, 14);
    expect(at({ triangular: [0, 1, 2] }, [0, 0.125, 0.5, 1])).toEqual([0, 0.5, 1, 2]);
  });

  it("normal and log-normal have their quantiles", () => {
    const [low, middle, high] = at({ normal: { mean: 1.5, sigma: 0.05 } }, [0.025, 0.5, 0.84134474606854293]);
    expect(low).toBeCloseTo(1.5 - 0.05 * 1.959963984540054, 13);
    expect([middle, Number(high).toFixed(13)]).toEqual([1.5, "1.5500000000000"]);
    const [median, factor] = at({ "log-normal": { median: 2, factor: 1.5 } }, [0.5, 0.84134474606854293]);
    expect(median).toBe(2);
    expect(factor).toBeCloseTo(3, 12);
  });

  it("within rescales the distribution instead of clipping values to its ends", () => {
    // Quantiles of scipy.stats.truncnorm(-1, 2).ppf([0.01, 0.3, 0.5, 0.99]).
    const spec = { normal: { mean: 0, sigma: 1 }, within: [-1, 2] };
    const expected = [-0.9667232518503338, -0.2424038178892269, 0.17116391801782482, 1.8672107987812512];
    for (const [i, value] of at(spec, [0.01, 0.3, 0.5, 0.99]).entries())
      expect(Math.abs(Number(value) - expected[i]!)).toBeLessThan(1e-13);
    const far = at({ normal: { mean: 0, sigma: 1 }, within: [12, 13] }, [0, 0.5, 1]).map(Number);
    expect([far[0], far[2]]).toEqual([12, 13]);
    // scipy.stats.truncnorm(12, 13).ppf(0.5): so far in the tail, probabilities are near 1.
    expect(far[1]).toBeCloseTo(12.05723427334393, 12);
  });

  it("stay inside their range for every coordinate, and never decrease", () => {
    const specs = [
      { uniform: [0.1, 0.7] },
      { "log-uniform": [1e-3, 0.7] },
      { triangular: [-1, -1, 3] },
      { normal: { mean: 0, sigma: 1 }, within: [-0.3, 0.2] },
    ];
    fc.assert(
      fc.property(fc.constantFrom(...specs), fc.double({ min: 0, max: 1, noNaN: true }), (spec, u) => {
        const distribution = readDistribution(spec, "key");
        const [first, value, last] = [0, u, 1].map((x) => Number(distribution.valueAt(x)));
        expect(first! <= value! && value! <= last!).toBe(true);
      }),
    );
  });
});

describe("times", () => {
  it("are whole microseconds inside their range, both as texts and as seconds", () => {
    expect(at({ uniform: ["10 s", "50 s"] }, [0, 1 / 3, 1], "scenario.gust.at")).toEqual([
      "10 s",
      "23.333333 s",
      "50 s",
    ]);
    expect(at({ uniform: [10, 50] }, [1 / 3], "scenario.gust.atS")).toEqual([23.333333]);
    expect(at({ uniform: ["0.3 us", "2.6 us"] }, [0, 1], "scenario.gust.at")).toEqual(["0.000001 s", "0.000002 s"]);
    expect(at({ uniform: [10, 50] }, [1 / 3], "autopilot.parameters.MPC_TKO_RAMP_TS")).not.toEqual([23.333333]);
  });
});

describe("listed values", () => {
  it("are equally likely, or as likely as their weights", () => {
    expect(at({ choice: ["a", "b", true, 4] }, [0, 0.249, 0.25, 0.5, 0.99, 1])).toEqual(["a", "a", "b", true, 4, 4]);
    expect(at({ choice: [1, 2], weights: [3, 1] }, [0, 0.74, 0.76, 1])).toEqual([1, 1, 2, 2]);
    expect(at({ integers: [1, 4] }, [0, 0.3, 0.5, 0.99])).toEqual([1, 2, 3, 4]);
    expect(readDistribution({ list: [1, 0.6, 0.3] }, "k").size).toBe(3);
  });
});

describe("invalid distributions", () => {
  it.each([
    [{ unifrom: [1, 2] }, "VARY-001", "did you mean uniform?"],
    [3, "VARY-001", "write one of"],
    [{ uniform: [1, 2], normal: { mean: 1, sigma: 1 } }, "VARY-001", "write one of"],
    [{ uniform: [2, 1] }, "VARY-002", "smaller number first"],
    [{ uniform: [2] }, "VARY-002", "write uniform = [number, number]"],
    [{ uniform: ["2 m", 3] }, "VARY-002", "with its unit"],
    [{ uniform: [1, 2], within: [0, 1] }, "VARY-002", "remove within"],
    [{ "log-uniform": [0, 1] }, "VARY-002", "start above 0"],
    [{ normal: { mean: 1 } }, "VARY-002", "write a number"],
    [{ normal: { mean: 1, sigma: 0 } }, "VARY-002", "sigma above 0"],
    [{ normal: [1, 2] }, "VARY-002", "write normal = { mean = …, sigma = … }"],
    [{ "log-normal": { median: 0, factor: 2 } }, "VARY-002", "median above 0"],
    [{ triangular: [1, 0, 2] }, "VARY-002", "ascending"],
    [{ integers: [1, 2.5] }, "VARY-002", "whole numbers"],
    [{ choice: [] }, "VARY-002", "write choice = "],
    [{ choice: [1, {}] }, "VARY-002", "remove it"],
    [{ choice: [1, 2], weights: [1] }, "VARY-002", "2 positive weights"],
  ])("%j is rejected with %s", (spec, code, fix) => {
    let found: unknown;
    try {
      readDistribution(spec, "wind.w20Mps");
    } catch (error) {
      found = error;
    }
    expect(found).toBeInstanceOf(SimError);
    expect((found as SimError).code).toBe(code);
    expect((found as SimError).fix).toContain(fix);
    expect((found as SimError).where?.key).toBe("vary.wind.w20Mps");
  });
});
