/**
 * Folding: decides comparisons of constants, and omits operations that change nothing.
 *
 * Every other operation stays, so the code computes the same bits as the source by construction. The identities hold
 * for every x including −0, infinities and NaN: x·1, 1·x, x/1, x − (+0), x + (−0) and −0 + x are x; x·(−1) is −x; −(−x)
 * is x; x + (−y) is x − y. If this relies on a parameter being 1 or −1, the code has a guard for it.
 */
import { Graph, isNode, type Value } from "./graph.ts";
import { apply, type Binary, type Unary } from "./program.ts";

/** A graph that makes a node only for an operation that is not folded. */
export class FoldingGraph extends Graph {
  unary(op: Unary, a: Value): Value {
    if (!isNode(a)) return apply(op, a, 0);
    if (a.op === op && (op === "neg" || op === "not")) return a.a;
    return this.operation(op, a, 0);
  }

  binary(op: Binary, a: Value, b: Value): Value {
    if (op === "and" || op === "or") return this.logic(op, a, b);
    if (!isNode(a) && !isNode(b)) return apply(op, a, b);
    const short = isConstant(a) && isConstant(b) ? undefined : this.identity(op, a, b);
    if (short !== undefined) return short;
    const node = this.operation(op, a, b);
    return node.isConstant && node.isCondition ? this.decided(node) : node;
  }

  private identity(op: Binary, a: Value, b: Value): Value | undefined {
    if (op === "*") {
      if (this.is(b, 1)) return a;
      if (this.is(a, 1)) return b;
      if (this.is(b, -1)) return this.unary("neg", a);
      if (this.is(a, -1)) return this.unary("neg", b);
    }
    if (op === "/" && this.is(b, 1)) return a;
    if (op === "+" && isNode(b) && b.op === "neg") return this.binary("-", a, b.a);
    if (op === "+" && Object.is(a, -0)) return b;
    if ((op === "+" && Object.is(b, -0)) || (op === "-" && Object.is(b, 0))) return a;
    return undefined;
  }

  /** Whether a value is known to be 1 or −1. */
  private is(value: Value, unit: 1 | -1): boolean {
    if (!isNode(value)) return value === unit;
    return value.isConstant && value.samples[0] === unit && this.decided(this.operation("===", value, unit));
  }

  private logic(op: "and" | "or", a: Value, b: Value): Value {
    const decides = op === "or";
    if (!isNode(a)) return a === decides ? a : b;
    if (!isNode(b)) return b === decides ? b : a;
    return a === b ? a : this.operation(op, a, b);
  }
}

function isConstant(value: Value): boolean {
  return !isNode(value) || value.isConstant;
}
