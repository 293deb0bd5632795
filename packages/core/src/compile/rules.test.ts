/**
 * Every rule by which an operation falls away: that it does where stated, and does not where a zero's sign could show it.
 *
 * What is looked at is the text of the slope. `tests/compile/random-programs.test.ts` compares bits.
 */
import { describe, expect, it } from "vitest";
import { compare, kernelOf, plantOf, programOf } from "../../../../tests/compile/support/equations.ts";
import { printKernel } from "./index.ts";
import type { Expression } from "./program.ts";

const [X, U, P] = [1, 2, 4] as const;
const x: Expression = ["at", X, 0];
const y: Expression = ["at", X, 1];
const z: Expression = ["at", X, 2];
/** As a source is translated: JSON knows no −0. */
const MINUS_ZERO: Expression = ["neg", 0];
const p = (i: number): Expression => ["at", P, i];

/** dx₀ is the expression; x₁ and x₂ move as well. */
function plantWith(expression: Expression, numbers: readonly number[] = [], examples = [[1, 2, 3, 4, 5]]) {
  return plantOf({
    program: programOf([
      ["put", 0, 0, expression],
      ["put", 0, 1, x],
      ["put", 0, 2, x],
    ]),
    p: numbers,
    examples,
  });
}

/** What is written for the first slope, every value where it is read. */
function slope(expression: Expression, numbers: readonly number[] = []): string {
  const { functions } = printKernel(3, plantWith(expression, numbers).equations);
  const names = new Map<string, string>();
  let found = "";
  for (const line of functions.slopes.body.split("\n")) {
    const [, name, value] = /^(?:const )?(.+?) = (.*);$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    const text = value
      .replaceAll(/\bt\d+\b/g, (each) => names.get(each) ?? each)
      .replaceAll(/(?<!\w)\(([A-Z]\[\d+\])\)/g, "$1");
    names.set(name, text.includes(" ") ? `(${text})` : text);
    if (name === "K[0]") found = text;
  }
  return found.replace(/^\((.*)\)$/, "$1");
}

describe("rule 1: known operands", () => {
  it("the operation is carried out once, into a number that code reads", () => {
    const plant = plantWith(["+", x, ["*", p(0), ["-", p(1), p(2)]]], [0.1, 0.7, 0.3]);
    expect(slope(["+", x, ["*", p(0), ["-", p(1), p(2)]]], [0.1, 0.7, 0.3])).toMatch(/^S\[0\] \+ C\[\d+\]$/);
    const { binding } = kernelOf(plant);
    expect([...binding.numbers]).toContain(0.1 * (0.7 - 0.3));
  });

  it("comparisons of known numbers choose a side", () => {
    expect(slope(["choose", ["<", p(0), p(1)], x, y], [1.5, 2.5])).toBe("S[0]");
    expect(slope(["choose", ["<", p(0), p(1)], x, y], [2.5, 1.5])).toBe("S[1]");
  });

  it("what the state takes part in is not carried out", () => {
    expect(slope(["+", ["+", x, p(0)], p(1)], [1.5, 2.5])).toMatch(/^\(S\[0\] \+ C\[\d+\]\) \+ C\[\d+\]$/);
  });
});

describe("rule 2: neutral numbers", () => {
  it.each<[string, Expression]>([
    ["x · 1", ["*", x, 1]],
    ["1 · x", ["*", 1, x]],
    ["x / 1", ["/", x, 1]],
    ["x − (+0)", ["-", x, 0]],
    ["x + (−0)", ["+", x, MINUS_ZERO]],
    ["−0 + x", ["+", MINUS_ZERO, x]],
    ["−(−x)", ["neg", ["neg", x]]],
    ["x · p with p = 1", ["*", x, p(0)]],
  ])("%s is x", (_name, expression) => {
    expect(slope(expression, [1])).toBe("S[0]");
  });

  it("x · (−1) is −x; x − x is +0", () => {
    expect(slope(["*", x, -1])).toBe("-S[0]");
    expect(slope(["-", ["*", x, -1], y])).toBe("(-S[0]) - S[1]");
    const { kernel } = kernelOf(plantWith(["-", y, y]));
    expect(kernel.code.still).toEqual([0]);
  });

  it.each<[string, Expression]>([
    ["x + (+0), which makes +0 of −0", ["+", x, 0]],
    ["x − (−0), which does the same", ["-", x, MINUS_ZERO]],
    ["0 − x, which is not −x at +0", ["-", 0, x]],
    ["x / (−1)", ["/", x, -1]],
    ["x − y", ["-", x, y]],
  ])("stays: %s", (_name, expression) => {
    expect(slope(expression)).not.toMatch(/^-?S\[0\]$/);
    expect(slope(expression)).toContain("S[0]");
  });
});

describe("rule 3: products with zero", () => {
  it("fall away where their sign cannot show", () => {
    expect(slope(["+", ["abs", x], ["*", y, 0]])).toBe("Math.abs(S[0])");
    expect(slope(["+", ["abs", x], ["*", ["*", y, z], p(0)]], [0])).toBe("Math.abs(S[0])");
  });

  it("stay where it can: as a slope, in a quotient, in a sum with what may be −0", () => {
    expect(slope(["*", y, 0])).toBe("S[1] * 0");
    expect(slope(["/", 1, ["*", y, 0]])).toContain("* 0");
    expect(slope(["+", x, ["*", y, 0]])).toBe("S[0] + (S[1] * 0)");
  });

  it("fall away for finite factors only: code does not vouch for any other", () => {
    const plant = plantWith(["+", ["abs", x], ["*", y, 0]]);
    const made = kernelOf(plant);
    expect(compare(made, plant, [1, 2, 3, 0, 0])).toEqual({ isTrusted: true, differing: [] });
    for (const bad of [NaN, Infinity, -Infinity]) {
      expect(compare(made, plant, [1, bad, 3, 0, 0]).isTrusted).toBe(false);
    }
  });

  it("a root of a number below zero is no finite factor, however small its argument", () => {
    const plant = plantWith(["+", ["abs", x], ["*", ["sqrt", y], 0]]);
    const made = kernelOf(plant);
    expect(compare(made, plant, [1, 4, 3, 0, 0])).toEqual({ isTrusted: true, differing: [] });
    expect(compare(made, plant, [1, -4, 3, 0, 0]).isTrusted).toBe(false);
  });
});

describe("what vouches for a factor", () => {
  it("a finite quotient for its numerator, not for its denominator", () => {
    const t: Expression = ["at", 6, 0];
    const dropped: Expression = ["+", ["abs", x], ["*", t, 0]];
    const over = plantOf({
      program: programOf([
        ["put", 0, 0, dropped],
        ["put", 0, 1, ["/", t, y]],
        ["put", 0, 2, x],
      ]),
      examples: [[1, 2, 3, 4, 5]],
    });
    const under = plantOf({
      program: programOf([
        ["put", 0, 0, dropped],
        ["put", 0, 1, ["/", y, t]],
        ["put", 0, 2, x],
      ]),
      examples: [[1, 2, 3, 4, 5]],
    });
    for (const plant of [over, under]) {
      const made = kernelOf(plant);
      expect(compare(made, plant, [1, 2, 3, 0, 0], 2.5)).toEqual({ isTrusted: true, differing: [] });
      expect(compare(made, plant, [1, 2, 3, 0, 0], Infinity).isTrusted).toBe(false);
    }
    expect(printKernel(3, under.equations).functions.slopes.body).toContain("=== 0)) return bail();");
    expect(printKernel(3, over.equations).functions.slopes.body).not.toContain("bail");
  });
});

describe("rule 4: numbers that are never −0 take zeros in", () => {
  const zero: Expression = ["*", z, 0];
  it.each<[string, Expression, number[]]>([
    ["+0", ["+", ["+", 0, x], zero], []],
    ["a square", ["+", ["*", x, x], zero], []],
    ["|x|", ["-", ["abs", x], zero], []],
    ["a sum with one side that never is", ["+", ["+", ["abs", y], x], zero], []],
    ["a difference whose left side never is", ["-", ["-", ["abs", y], x], zero], []],
    ["such a number times a constant above 1", ["+", ["*", ["+", ["abs", y], x], p(0)], zero], [1.5]],
    ["the same with the constant first", ["+", ["*", p(0), ["+", ["abs", y], x]], zero], [1.5]],
    ["the root of such a number", ["+", ["sqrt", ["+", ["abs", y], x]], zero], []],
    ["max(+0, x)", ["+", ["max", 0, x], zero], []],
    ["the other way round", ["+", zero, ["abs", x]], []],
  ])("%s", (_name, expression, numbers) => {
    expect(slope(expression, numbers)).not.toContain("S[2]");
  });

  it.each<[string, Expression, number[]]>([
    ["a state", ["+", x, zero], []],
    ["a product", ["+", ["*", x, y], zero], []],
    [
      "such a number times a constant below 1, which may underflow to −0",
      ["+", ["*", ["+", ["abs", y], x], p(0)], zero],
      [0.5],
    ],
    ["the same with the constant first", ["+", ["*", p(0), ["+", ["abs", y], x]], zero], [0.5]],
    ["such a number times a negative constant", ["+", ["*", ["abs", y], p(0)], zero], [-1.5]],
    ["a difference whose right side never is", ["-", ["-", x, ["abs", y]], zero], []],
    ["min(+0, x)", ["+", ["min", 0, x], zero], []],
    ["⌊x⌋", ["+", ["floor", x], zero], []],
    ["the difference with a zero on the left", ["-", zero, ["abs", x]], []],
  ])("not %s", (_name, expression, numbers) => {
    expect(slope(expression, numbers)).toContain("S[2]");
  });
});

describe("rules 5 and 6: who cannot tell −0 from +0 is given less", () => {
  const withZero: Expression = ["+", x, ["*", z, 0]];
  it.each<[string, Expression]>([
    ["comparisons", ["choose", ["<", withZero, y], 2, 3]],
    ["|x|", ["abs", withZero]],
    ["squares", ["*", withZero, withZero]],
    ["max(+0, x)", ["max", 0, withZero]],
    ["the other side of a sum with what is never −0", ["+", ["abs", y], withZero]],
    ["the right side of a difference with such a left side", ["-", ["abs", y], withZero]],
    [
      "through + − · √ ⌊⌋ min max",
      ["abs", ["floor", ["min", ["sqrt", ["*", ["-", withZero, y], 3]], ["max", y, withZero]]]],
    ],
    ["through a numerator", ["abs", ["/", withZero, y]]],
  ])("%s", (_name, expression) => {
    const examples = [
      [1, 2, 3, 4, 5],
      [3, 2, 1, 4, 5],
    ];
    const { functions } = printKernel(3, plantWith(expression, [], examples).equations);
    expect(functions.slopes.body).not.toContain("S[2]");
  });

  it.each<[string, Expression]>([
    ["a denominator", ["abs", ["/", y, withZero]]],
    ["a product of two numbers that differ in the sign of a zero", ["*", withZero, x]],
    ["a sum with a state", ["+", y, withZero]],
    ["the left side of a difference", ["-", withZero, y]],
    ["min(+0, x)", ["min", 0, withZero]],
  ])("not %s", (_name, expression) => {
    expect(slope(expression)).toContain("S[2]");
  });
});

describe("rule 7: what is never below zero is not below zero", () => {
  it("is decided without a branch", () => {
    expect(slope(["choose", ["<", ["*", x, x], 0], y, z])).toBe("S[2]");
    expect(slope(["choose", ["<", ["+", ["abs", x], ["max", 0, y]], 0], y, z])).toBe("S[2]");
  });

  it("not of what may be, nor any other comparison", () => {
    const asks = (expression: Expression) => printKernel(3, plantWith(expression).equations).functions.slopes.body;
    expect(asks(["choose", ["<", ["*", x, y], 0], y, z])).toContain("< 0");
    expect(asks(["choose", ["<=", ["*", x, x], 0], y, z])).toContain("<= 0");
  });
});

describe("nothing is reordered", () => {
  it("sums and products stand as they were written", () => {
    expect(slope(["+", ["+", x, y], z])).toBe("(S[0] + S[1]) + S[2]");
    expect(slope(["+", x, ["+", y, z]])).toBe("S[0] + (S[1] + S[2])");
    expect(slope(["*", ["*", x, p(0)], p(1)], [3, 5])).toMatch(/^\(S\[0\] \* C\[\d+\]\) \* C\[\d+\]$/);
    expect(slope(["-", ["+", x, y], y])).toBe("(S[0] + S[1]) - S[1]");
  });

  it("equal operations are made once", () => {
    const { functions } = printKernel(3, plantWith(["*", ["+", x, y], ["sqrt", ["+", y, x]]]).equations);
    expect(functions.slopes.body.match(/\+/g)).toHaveLength(1);
  });
});

describe("an input alone", () => {
  it("is stored as a slope, though it is known before the interval", () => {
    const plant = plantWith(["*", ["at", U, 0], 2]);
    const made = kernelOf(plant);
    expect(compare(made, plant, [1, 2, 3, 4, 5])).toEqual({ isTrusted: true, differing: [] });
    expect(made.kernel.slope[0]).toBe(8);
  });
});
