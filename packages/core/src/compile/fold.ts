/**
 * Folding: operations on numbers that are known before the flight run once, in the order of the source.
 *
 * Operations with unknown operands stay, with two exceptions that change no bit:
 * - identities, which hold for every x including −0, infinities and NaN: x·1, 1·x, x/1, x − (+0), x + (−0) and −0 + x
 *   are x; x·(−1) is −x; −(−x) is x;
 * - products with a parameter that is zero, if they are added to or subtracted from a number that is never −0. They
 *   matter only if the other factor is not finite, so the code checks the factor; if it is not finite, the reference
 *   takes over.
 */
import type { ConstantRecipes } from "./constants.ts";
import { type Graph, isNeverMinusZero, isNode, isZero, sampleOf, type Value } from "./graph.ts";
import { apply, type Binary, type Unary } from "./program.ts";

const COMPARISONS: ReadonlySet<Binary> = new Set(["<", "<=", ">", ">=", "===", "!=="]);

export class Folder {
  private readonly graph: Graph;
  private readonly recipes: ConstantRecipes;

  constructor(graph: Graph, recipes: ConstantRecipes) {
    this.graph = graph;
    this.recipes = recipes;
  }

  unary(op: Unary, a: Value): Value {
    if (!isNode(a)) return apply(op, a, 0);
    if (a.op === "constant") return this.constant(this.recipes.operation(op, a.a as number, a.a as number));
    if (a.op === op && (op === "neg" || op === "not")) return a.a;
    return this.graph.node(op, a, 0, (k) => apply(op, a.samples[k]!, 0));
  }

  binary(op: Binary, a: Value, b: Value): Value {
    if (op === "and" || op === "or") return this.logic(op, a, b);
    if (!isNode(a) && !isNode(b)) return apply(op, a, b);
    const [left, right] = [this.stepOf(a), this.stepOf(b)];
    if (left !== undefined && right !== undefined) {
      if (COMPARISONS.has(op)) return this.recipes.compare(op, left, right);
      return this.constant(this.recipes.operation(op, left, right));
    }
    return this.identity(op, a, b) ?? this.withoutZeros(op, a, b) ?? this.node(op, a, b);
  }

  /** Drops a zero from a sum or difference if its sign cannot matter; assumes that the zero's factors are finite. */
  private withoutZeros(op: Binary, a: Value, b: Value): Value | undefined {
    if (op !== "+" && op !== "-") return undefined;
    const left = op === "+" && isNeverMinusZero(b) ? this.upToSignOfZero(a) : a;
    const right = isNeverMinusZero(a) ? this.upToSignOfZero(b) : b;
    if (isZero(right) && isNeverMinusZero(a)) return this.assumingFinite(right, a);
    if (op === "+" && isZero(left) && isNeverMinusZero(b)) return this.assumingFinite(left, b);
    return Object.is(left, a) && Object.is(right, b) ? undefined : this.binary(op, left, right);
  }

  /** The value without any zeros that it adds or subtracts; they can change only the sign of a zero. */
  private upToSignOfZero(value: Value): Value {
    if (!isNode(value) || (value.op !== "+" && value.op !== "-") || value.isZero) return value;
    if (isZero(value.b)) return this.assumingFinite(value.b, this.upToSignOfZero(value.a));
    if (value.op === "+" && isZero(value.a)) return this.assumingFinite(value.a, this.upToSignOfZero(value.b));
    return value;
  }

  private assumingFinite(zero: Value, result: Value): Value {
    if (!isNode(zero)) return result;
    for (const operand of [zero.a, zero.b]) {
      if (isZero(operand)) this.assumingFinite(operand, result);
      else if (isNode(operand) && operand.op !== "constant") this.graph.block.assumedFinite.add(operand);
    }
    return result;
  }

  /** A constant: a special one is a literal, any other is read from the array of numbers. */
  constant(step: number): Value {
    return this.recipes.special(step) ?? this.graph.node("constant", step, 0, () => this.recipes.values[step]!);
  }

  private stepOf(value: Value): number | undefined {
    if (!isNode(value)) return this.recipes.literal(value as number);
    return value.op === "constant" ? (value.a as number) : undefined;
  }

  private identity(op: Binary, a: Value, b: Value): Value | undefined {
    if (op === "*" && a === 1) return b;
    if ((op === "*" || op === "/") && b === 1) return a;
    if (op === "*" && (a === -1 || b === -1)) return this.unary("neg", a === -1 ? b : a);
    if (op === "+" && Object.is(a, -0)) return b;
    if ((op === "+" && Object.is(b, -0)) || (op === "-" && Object.is(b, 0))) return a;
    return undefined;
  }

  private logic(op: "and" | "or", a: Value, b: Value): Value {
    const decides = op === "or";
    if (!isNode(a)) return a === decides ? a : b;
    if (!isNode(b)) return b === decides ? b : a;
    return a === b ? a : this.node(op, a, b);
  }

  private node(op: Binary, a: Value, b: Value): Value {
    return this.graph.node(op, a, b, (k) => apply(op, sampleOf(a, k), sampleOf(b, k)));
  }
}
