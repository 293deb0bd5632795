/** Tests each rule of folding: which operations are omitted, for which values, and with which guard. */
import { describe, expect, it } from "vitest";

import { Graph, isNode, type Node, type Value } from "./graph.ts";
import { apply, type Binary } from "./program.ts";

const NUMBERS = [0, -0, 1, -1, 2.5, -3, 5e-324, 1e308, Infinity, -Infinity, NaN];

function folding() {
  const graph = new Graph(NUMBERS.length);
  const unknown = (index: number) => graph.node("read", index, 0, (k) => NUMBERS[(k + index) % NUMBERS.length]!, "x");
  const parameter = (value: number) => graph.node("element", graph.root.items.length, 0, () => value, "p");
  const guards = () => graph.root.items.filter(({ kind }) => kind === "guard").length;
  return { fold: graph, x: unknown(0), y: unknown(1), parameter, guards };
}

/** Returns the samples of a value, computed by folding or by the operation itself. */
function samples(value: Value): unknown[] {
  return NUMBERS.map((_, k) => (isNode(value) ? value.samples[k] : value));
}

describe("folding", () => {
  const { fold, x, y } = folding();
  it.each<[string, Binary, Value, Value, Value]>([
    ["x · 1", "*", x, 1, x],
    ["1 · x", "*", 1, x, x],
    ["x / 1", "/", x, 1, x],
    ["x − (+0)", "-", x, 0, x],
    ["x + (−0)", "+", x, -0, x],
    ["−0 + x", "+", -0, x, x],
    ["x · (−1)", "*", x, -1, fold.unary("neg", x)],
    ["−1 · x", "*", -1, x, fold.unary("neg", x)],
    ["x + (−y)", "+", x, fold.unary("neg", y), fold.binary("-", x, y)],
  ])("removes %s, which never changes a bit", (_name, op, a, b, expected) => {
    const folded = fold.binary(op, a, b);
    expect(folded).toBe(expected);
    const [left, right] = [samples(a), samples(b)] as [number[], number[]];
    expect(samples(folded)).toEqual(left.map((value, k) => apply(op, value, right[k]!)));
  });

  it("removes a double sign or a double negation", () => {
    expect(fold.unary("neg", fold.unary("neg", x))).toBe(x);
    const condition = fold.binary("<", x, y);
    expect(fold.unary("not", fold.unary("not", condition))).toBe(condition);
  });

  it.each<[string, Binary, Value, Value]>([
    ["x + 0, which is +0 for −0", "+", x, 0],
    ["0 + x", "+", 0, x],
    ["x − (−0), which is +0 for −0", "-", x, -0],
    ["0 − x, which is +0 for +0", "-", 0, x],
    ["x · 0, which is −0 or NaN for some", "*", x, 0],
    ["x − x, which is NaN for infinities", "-", x, x],
    ["x / x", "/", x, x],
    ["1 / x", "/", 1, x],
    ["min(x, x)", "min", x, x],
  ])("keeps %s", (_name, op, a, b) => {
    expect((fold.binary(op, a, b) as Node).op).toBe(op);
  });

  it("evaluates known numbers, and decides conditions with one known side", () => {
    expect(fold.binary("*", -0, 3)).toBe(-0);
    expect(fold.unary("sqrt", 2)).toBe(Math.sqrt(2));
    const condition = fold.binary("<", x, y);
    expect(fold.binary("and", condition, true)).toBe(condition);
    expect(fold.binary("and", false, condition)).toBe(false);
    expect(fold.binary("or", condition, true)).toBe(true);
    expect(fold.binary("or", condition, condition)).toBe(condition);
  });
});

describe("constants", () => {
  it("remain operations that are computed once per flight, without a guard", () => {
    const { fold, parameter, guards } = folding();
    const product = fold.binary("*", parameter(1), parameter(2.5)) as Node;
    expect([product.op, product.isConstant, product.samples, guards()]).toEqual(["*", true, [2.5], 0]);
  });

  it("are omitted if they are 1 or −1, with one guard for each", () => {
    const { fold, x, parameter, guards } = folding();
    const [one, minusOne, other] = [parameter(1), parameter(-1), parameter(2)];
    expect(fold.binary("*", x, one)).toBe(x);
    expect(fold.binary("/", x, one)).toBe(x);
    expect(guards()).toBe(1);
    expect((fold.binary("*", minusOne, x) as Node).op).toBe("neg");
    expect(guards()).toBe(2);
    expect((fold.binary("*", other, x) as Node).op).toBe("*");
    expect(guards()).toBe(2);
  });

  it("decide comparisons, with a guard for each", () => {
    const { fold, parameter, guards } = folding();
    expect(fold.binary("<", parameter(2), 3)).toBe(true);
    expect(fold.binary("===", parameter(0), -0)).toBe(true);
    expect(guards()).toBe(2);
  });
});
