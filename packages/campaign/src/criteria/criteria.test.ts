/** Criteria: the grammar, its errors, and when a criterion is met, not met or open. */
import { SimError } from "@escapement/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Row } from "../contracts.ts";
import { clopperPearson, confidenceSequence } from "../statistics/binomial.ts";
import type { Sampling } from "./estimate.ts";
import { criterionError, judgeCriterion, samplingOf } from "./judge.ts";
import { type CriterionNames, parseCriterion } from "./parse.ts";
import { Tally } from "./tally.ts";

const FACTORS: Readonly<Record<string, number>> = { m: 1, cm: 0.01, "%": 0.01, "": 1 };
const names: CriterionNames = {
  requirements: ["stays up", "never (tilt > 60 deg)", "P(x) > 1"],
  measures: [
    { name: "positionErrorMaxM", unit: "m" },
    { name: "settling", unit: "s" },
    { name: "charge", unit: "" },
  ],
  convert: (value, from, to) => {
    const [a, b] = [FACTORS[from], FACTORS[to]];
    return a === undefined || b === undefined || (to === "m") !== (from === "m" || from === "cm")
      ? undefined
      : (value * a) / b;
  },
};
const parse = (text: string) => parseCriterion(text, names, "criteria[2]");

/**
 * Returns rows whose first requirement has these verdicts: h holds, v violated, u undecided, t untested, f failed
 * flight.
 */
function rowsOf(letters: string, measures: readonly (number | null)[] = []): Row[] {
  const words = { h: "holds", v: "violated", u: "undecided", t: "untested", f: "holds" } as const;
  return [...letters].map((letter, k) => ({
    k,
    hash: "",
    fingerprint: "",
    outcome: letter === "f" ? "failed" : "completed",
    reason: "",
    endUs: 0,
    varied: [],
    verdicts: [
      {
        verdict: words[letter as keyof typeof words],
        low: 0,
        high: 0,
        scaledLow: 0,
        scaledHigh: 0,
        binding: null,
      },
    ],
    measures: [measures[k] ?? null],
  }));
}

const INDEPENDENT: Sampling = { kind: "independent" };

function judge(text: string, rows: readonly Row[], sampling = INDEPENDENT, isComplete = true, mustOccur = true) {
  const tally = new Tally([{ mustOccur }], [0]);
  for (const row of [...rows].reverse()) tally.add(row);
  expect(tally.complete).toBe(rows.length);
  return judgeCriterion(parse(text), { tally, n: rows.length, isComplete, sampling });
}

describe("the grammar", () => {
  it("reads all forms", () => {
    expect(parse("P(stays up) >= 99 % with 95 % confidence")).toMatchObject({
      kind: "probability",
      requirement: 0,
      comparator: ">=",
      bound: 0.99,
      confidence: 0.95,
    });
    expect(parse("P( never (tilt > 60 deg) ) <= 0.5 with 0.99 confidence")).toMatchObject({
      requirement: 1,
      bound: 0.5,
    });
    expect(parse("P(P(x) > 1) >= 1e-3 with 95% confidence")).toMatchObject({ requirement: 2, bound: 0.001 });
    expect(parse("q95(positionErrorMaxM) < 150 cm")).toMatchObject({
      kind: "statistic",
      statistic: "quantile",
      q: 0.95,
      measure: 0,
      comparator: "<",
      bound: 1.5,
      unit: "m",
    });
    expect(parse("mean(charge) > 0.2 with 90 % confidence")).toMatchObject({ statistic: "mean", confidence: 0.9 });
    expect(parse("max(positionErrorMaxM) <= 3 m")).toMatchObject({ statistic: "max" });
    expect(parse("every flight:  never (tilt > 60 deg)")).toMatchObject({ kind: "every", requirement: 1 });
    expect(parse("no flight fails")).toMatchObject({ kind: "no failures" });
  });

  it.each([
    ["stays up", "CRITERION-001", "write for example"],
    ["P(stays up) >= 99 %", "CRITERION-001", 'add "with 95 % confidence"'],
    ["P(stays up >= 99 % with 95 % confidence", "CRITERION-001", "close the parenthesis"],
    ["P(stays up) is 99 % with 95 % confidence", "CRITERION-001", "write <, <=, > or >="],
    ["max(positionErrorMaxM) < 3 m with 95 % confidence", "CRITERION-001", "q99(positionErrorMaxM)"],
    ["P(stay up) >= 99 % with 95 % confidence", "CRITERION-002", 'did you mean "stays up"?'],
    ["every flight: lands", "CRITERION-002", "one of: stays up"],
    ["mean(positionErrorM) < 3 m", "CRITERION-002", 'did you mean "positionErrorMaxM"?'],
    ["P(stays up) >= 100 % with 95 % confidence", "CRITERION-003", "every flight"],
    ["P(stays up) >= 99 m with 95 % confidence", "CRITERION-003", "write 99 % or 0.99"],
    ["P(stays up) >= 99 % with 20 % confidence", "CRITERION-003", "95 %"],
    ["q100(charge) < 1", "CRITERION-003", "q99.9"],
    ["mean(positionErrorMaxM) < 3", "CRITERION-004", "write 3 m"],
    ["mean(positionErrorMaxM) < 3 s", "CRITERION-004", "in m"],
    ["mean(charge) < 3 m", "CRITERION-004", "leave the unit out"],
  ])("rejects %j with %s", (text, code, fix) => {
    let found: unknown;
    try {
      parse(text);
    } catch (error) {
      found = error;
    }
    expect(found).toBeInstanceOf(SimError);
    const { code: actual, fix: hint, what, where } = found as SimError;
    expect([actual, where?.key]).toEqual([code, "criteria[2]"]);
    expect(hint).toContain(fix);
    expect(what).toContain(text);
  });

  it("throws nothing but typed errors", () => {
    const words = fc.constantFrom(
      "P(",
      "stays up",
      ")",
      ">=",
      "99",
      "%",
      "with",
      "95 %",
      "confidence",
      "q95(",
      "m",
      "[",
      "\\",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words).map((list) => list.join(" ")),
        ),
        (text) => {
          try {
            parse(text);
          } catch (error) {
            expect(error).toBeInstanceOf(SimError);
          }
        },
      ),
    );
  });
});

describe("a probability", () => {
  const criterion = "P(stays up) >= 99 % with 95 % confidence";

  it("is met only if the whole interval, not just the estimate, is on the right side of the bound", () => {
    expect(judge(criterion, rowsOf("h".repeat(368))).result).toBe("met");
    const open = judge(criterion, rowsOf("h".repeat(367)));
    expect(open).toMatchObject({ result: "open", estimate: 1, moreFlights: 1 });
    expect(judge(criterion, rowsOf("h".repeat(90) + "v".repeat(10))).result).toBe("not met");
  });

  it("says how many more flights would decide it if the estimate stayed the same", () => {
    const rows = rowsOf("h".repeat(995) + "v".repeat(5));
    const { result, moreFlights } = judge(criterion, rows);
    expect(result).toBe("open");
    const n = 1000 + moreFlights!;
    expect(clopperPearson(Math.floor(0.995 * n), n, 0.95).lo).toBeGreaterThanOrEqual(0.99);
    const less = Math.floor(0.9 * n);
    expect(clopperPearson(Math.floor(0.995 * less), less, 0.95).lo).toBeLessThan(0.99);
  });

  it("counts undecided and failed flights as violated for its lower bound and as held for its upper bound", () => {
    const { lo, hi, estimate } = judge(criterion, rowsOf("h".repeat(80) + "uf".repeat(5) + "v".repeat(10)));
    expect(lo).toBe(clopperPearson(80, 100, 0.95).lo);
    expect(hi).toBe(clopperPearson(90, 100, 0.95).hi);
    expect(estimate).toBe(0.8);
  });

  it("counts an untested flight as violated if the event must occur, and as held if it need not", () => {
    const rows = rowsOf("h".repeat(5) + "t".repeat(5));
    expect(judge(criterion, rows).estimate).toBe(0.5);
    expect(judge(criterion, rows, INDEPENDENT, true, false).estimate).toBe(1);
  });

  it("uses the confidence sequence if the campaign evaluates its flights repeatedly", () => {
    const rows = rowsOf("h".repeat(300));
    const { lo, result } = judge("P(stays up) >= 97 % with 95 % confidence", rows, { kind: "sequential" }, false);
    expect(lo).toBe(confidenceSequence(300, 300, 0.95).lo);
    expect(result).toBe("met");
    expect(judge("P(stays up) >= 97 % with 95 % confidence", rows, INDEPENDENT, false).result).toBe("open");
  });

  it("has an interval at least as wide as the scatter of the replicates", () => {
    // The requirement always holds in replicates 0–7 and never in replicates 8–15, because flights of one replicate
    // depend on each other.
    const rows = rowsOf(Array.from({ length: 1024 }, (_, k) => (k % 16 < 8 ? "h" : "v")).join(""));
    const { lo, hi } = judge(criterion, rows, { kind: "replicated", replicates: 16 });
    expect(hi! - lo!).toBeGreaterThan(0.5);
  });

  it("is the exact fraction of the flights of a grid, but is open until all have been flown", () => {
    const rows = rowsOf("hhhhv");
    const text = "P(stays up) >= 70 % with 95 % confidence";
    expect(judge(text, rows, { kind: "counted" })).toMatchObject({ result: "met", estimate: 0.8, lo: 0.8, hi: 0.8 });
    expect(judge(text, rows, { kind: "counted" }, false).result).toBe("open");
  });

  it("is the weighted fraction if the flights have weights", () => {
    const rows = rowsOf("v".repeat(50) + "h".repeat(950)).map((row) => ({ ...row, weight: row.k < 50 ? 0.02 : 1.05 }));
    const { estimate, lo, hi } = judge(criterion, rows, { kind: "weighted" });
    expect(estimate).toBeCloseTo(0.999, 12);
    expect(lo! > 0.9985 && hi! < 0.9995).toBe(true);
  });

  it("is bounded by the largest weight if no flight with a weight violates the requirement", () => {
    const judged = (n: number) => {
      const rows = rowsOf("h".repeat(n)).map((row) => ({ ...row, weight: 0.02 }));
      return judge("P(stays up) >= 97 % with 95 % confidence", rows, { kind: "weighted", largestWeight: 10 });
    };
    expect(judged(20)).toMatchObject({ result: "open", estimate: 1, lo: 0, hi: 1 });
    expect(judged(2000)).toMatchObject({ result: "met", estimate: 1, hi: 1 });
    expect(judged(2000).lo).toBeCloseTo(1 - 10 * clopperPearson(0, 2000, 0.95).hi, 12);
  });

  it("is bounded by the largest weight if few flights with a weight violate the requirement, and not if many do", () => {
    const judged = (violations: number) => {
      const rows = rowsOf("v".repeat(violations) + "h".repeat(2000 - violations));
      const weighted = rows.map((row) => ({ ...row, weight: 1e-6 }));
      return judge("P(stays up) >= 97 % with 95 % confidence", weighted, { kind: "weighted", largestWeight: 10 });
    };
    for (const few of [1, 9]) expect(judged(few).lo).toBeCloseTo(1 - 10 * clopperPearson(few, 2000, 0.95).hi, 12);
    expect(judged(10).lo).toBeGreaterThan(1 - 1e-7);
  });
});

describe("a statistic", () => {
  const values = Array.from({ length: 100 }, (_, k) => ((k * 37) % 100) / 100);
  const rows = rowsOf("h".repeat(100), values);

  it("without a confidence is compared as computed from the flights, without an interval", () => {
    expect(judge("q95(positionErrorMaxM) < 0.95 m", rows)).toMatchObject({ result: "met", estimate: 0.94, unit: "m" });
    expect(judge("max(positionErrorMaxM) < 0.99 m", rows)).toMatchObject({ result: "not met", estimate: 0.99 });
    expect(judge("min(positionErrorMaxM) >= 0 m", rows).result).toBe("met");
    expect(judge("mean(positionErrorMaxM) < 50 cm", rows)).toMatchObject({ result: "met" });
    expect(judge("mean(positionErrorMaxM) < 50 cm", rows, INDEPENDENT, false).result).toBe("open");
    expect(judge("max(positionErrorMaxM) < 0.5 m", rows, INDEPENDENT, false).result).toBe("not met");
  });

  it("with a confidence is compared by its interval", () => {
    const quantile = judge("q50(positionErrorMaxM) < 0.7 m with 95 % confidence", rows);
    expect(quantile).toMatchObject({ result: "met", lo: 0.39, hi: 0.6 });
    expect(judge("q95(positionErrorMaxM) < 1.5 m with 99.9 % confidence", rows)).toMatchObject({
      result: "open",
      hi: null,
    });
    const open = judge("mean(positionErrorMaxM) < 51 cm with 95 % confidence", rows);
    expect(open.result).toBe("open");
    expect(open.moreFlights).toBeGreaterThan(1000);
    expect(
      judge("q50(positionErrorMaxM) < 0.9 m with 95 % confidence", rows, { kind: "sequential" }, false).result,
    ).toBe("met");
  });

  it("is open if a missing value could change the result", () => {
    const gaps = rowsOf(
      "h".repeat(100),
      values.map((value, k) => (k < 3 ? null : value)),
    );
    expect(judge("max(positionErrorMaxM) < 2 m", gaps).result).toBe("open");
    expect(judge("mean(positionErrorMaxM) < 2 m", gaps).result).toBe("open");
    expect(judge("q90(positionErrorMaxM) < 2 m", gaps).result).toBe("met");
    expect(judge("q99(positionErrorMaxM) < 2 m", gaps).result).toBe("open");
    expect(judge("max(positionErrorMaxM) < 0.5 m", gaps).result).toBe("not met");
  });
});

describe("all flights", () => {
  it("`every flight` is met if the requirement holds in all flights, and open if one is undecided or missing", () => {
    expect(judge("every flight: stays up", rowsOf("hhhh")).result).toBe("met");
    expect(judge("every flight: stays up", rowsOf("hhuh")).result).toBe("open");
    expect(judge("every flight: stays up", rowsOf("huvh")).result).toBe("not met");
    expect(judge("every flight: stays up", rowsOf("hhhh"), INDEPENDENT, false).result).toBe("open");
  });

  it("`no flight fails` ignores verdicts and counts only flights without a result", () => {
    expect(judge("no flight fails", rowsOf("hhv")).result).toBe("met");
    expect(judge("no flight fails", rowsOf("hfh")).result).toBe("not met");
  });
});

describe("plans", () => {
  const codeOf = (text: string, kind: string, isSequential = false) =>
    criterionError(parse(text), kind, samplingOf({ kind, isSequential }))?.code ?? "fits";

  it("a criterion must fit the plan", () => {
    const probability = "P(stays up) >= 99 % with 95 % confidence";
    for (const kind of ["random", "latin", "sobol", "grid", "importance"])
      expect(codeOf(probability, kind)).toBe("fits");
    for (const kind of ["falsify", "morris", "sobol-indices"]) {
      expect(codeOf(probability, kind)).toBe("CRITERION-005");
      expect(codeOf("every flight: stays up", kind)).toBe("fits");
      expect(codeOf("max(charge) < 1", kind)).toBe("fits");
    }
    expect(codeOf("mean(charge) < 1 with 95 % confidence", "random", true)).toBe("CRITERION-005");
    expect(codeOf("mean(charge) < 1", "random", true)).toBe("fits");
    expect(codeOf("q50(charge) < 1", "importance")).toBe("CRITERION-005");
  });
});
