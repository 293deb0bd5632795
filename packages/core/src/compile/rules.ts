/**
 * The rules by which operations fall away. Nothing is reordered, and an operation falls away only where no finite state
 * can show the difference in a bit:
 *
 *  1. Known operands: the operation is carried out, once, with the same rounding.
 *  2. x·1, 1·x, x/1, x − (+0), x + (−0) and −0 + x are x; x·(−1) is −x; −(−x) is x; x − x is +0, if x is finite.
 *  3. A product with ±0 is a zero of unknown sign, if its other factor is finite.
 *  4. A sum or difference whose left side is never −0 is not changed by a zero on the right; nor is a sum the other way
 *     round. What is never −0: +0, a square, |x|, a sum with one side that never is, a difference whose left side never
 *     is, such a number times a constant of at least 1, √ of such a number, max(+0, x).
 *  5. Who cannot tell −0 from +0 is given operands up to the sign of a zero: comparisons, |x|, squares, max(+0, x), the
 *     other side of a sum with a number that is never −0, the right side of a difference with such a left side.
 *  6. Up to the sign of a zero, sums and differences lose zeros on either side, and + − · / √ ⌊⌋ min max carry over.
 *  7. A number that is never below zero is not below zero.
 *
 * Finite: every factor that rule 3 relies on is written down. Where the result shows all of them to have been finite the
 * code stands; where it does not, the reference is run instead (`finite.ts`).
 */
import { applyBinary, applyUnary, type Category, categoryOf, type ConstantRecipes } from "./constants.ts";
import { type Graph, isNode, type Node, type Traits, type Value } from "./graph.ts";
import type { Binary, Unary } from "./program.ts";

const COMPARISONS: ReadonlySet<Binary> = new Set(["<", "<=", ">", ">=", "===", "!=="]);

export class Rules {
  /** What must have been finite. */
  readonly relied = new Set<Node>();
  private readonly graph: Graph;
  private readonly recipes: ConstantRecipes;

  constructor(graph: Graph, recipes: ConstantRecipes) {
    this.graph = graph;
    this.recipes = recipes;
  }

  unary(op: Unary, a: Value): Value {
    if (!isNode(a)) return applyUnary(op, a);
    if (a.op === "constant") return this.constant(this.recipes.unary(op, a.a as number));
    switch (op) {
      case "not":
        return a.op === "not" ? a.a : this.graph.node(op, a, 0, { isTruth: true });
      case "neg":
        if (a.op === "neg") return a.a;
        return this.withLoose(op, a, 0, { isZero: a.isZero });
      case "abs":
        return this.absolute(this.loose(a));
      case "sqrt":
        return this.withLoose(op, a, 0, { isNonNegative: a.isNonNegative, isNeverMinusZero: a.isNeverMinusZero });
      case "floor":
        return this.withLoose(op, a, 0, { isNonNegative: a.isNonNegative });
    }
  }

  binary(op: Binary, a: Value, b: Value): Value {
    if (op === "and" || op === "or") return this.logic(op, a, b);
    if (!isNode(a) && !isNode(b)) return applyBinary(op, a, b);
    const known = this.known(op, a, b);
    if (known !== undefined) return known;
    if (COMPARISONS.has(op)) return this.compare(op, this.loose(a), this.loose(b));
    switch (op) {
      case "+":
        return this.sum(a, b);
      case "-":
        return this.difference(a, b);
      case "*":
        return this.product(a, b);
      case "/":
        if (this.category(b) === "one") return a;
        return this.withLoose("/", a, b, { isNonNegative: this.isNonNegative(a) && this.isNonNegative(b) }, b);
      default:
        return this.extreme(op as "min" | "max", a, b);
    }
  }

  /** A constant that code reads from its array of numbers. */
  constant(step: number): Value {
    const value = this.recipes.value(step);
    const category = categoryOf(value);
    // Numbers that rules look for stand in the code themselves.
    if (category !== "above one" && category !== "below one" && category !== "negative") {
      this.recipes.category(step);
      return value;
    }
    this.recipes.notZero(step);
    return this.graph.node("constant", step, 0, { isNeverMinusZero: true });
  }

  isNeverMinusZero(value: Value): boolean {
    return isNode(value) ? value.isNeverMinusZero : !Object.is(value, -0);
  }

  isZero(value: Value): boolean {
    return isNode(value) ? value.isZero : value === 0;
  }

  isNonNegative(value: Value): boolean {
    if (!isNode(value)) return value === 0 ? !Object.is(value, -0) : (value as number) > 0;
    if (value.op !== "constant") return value.isNonNegative;
    const category = this.category(value);
    return category === "above one" || category === "below one";
  }

  private category(value: Value): Category | undefined {
    if (!isNode(value)) return categoryOf(value as number);
    return value.op === "constant" ? this.recipes.category(value.a as number) : undefined;
  }

  /** Both sides known: rule 1. */
  private known(op: Binary, a: Value, b: Value): Value | undefined {
    const left = this.stepOf(a);
    const right = this.stepOf(b);
    if (left === undefined || right === undefined) return undefined;
    if (COMPARISONS.has(op)) return this.recipes.compare(op, left, right);
    return this.constant(this.recipes.binary(op, left, right));
  }

  private stepOf(value: Value): number | undefined {
    if (!isNode(value)) return this.recipes.literal(value as number);
    return value.op === "constant" ? (value.a as number) : undefined;
  }

  private logic(op: "and" | "or", a: Value, b: Value): Value {
    const settles = op === "or";
    if (!isNode(a)) return a === settles ? a : b;
    if (!isNode(b)) return b === settles ? b : a;
    if (a === b) return a;
    return this.graph.node(op, a, b, { isTruth: true });
  }

  private absolute(a: Value): Value {
    return isNode(a) ? this.graph.node("abs", a, 0, { isNonNegative: true }) : applyUnary("abs", a);
  }

  private compare(op: Binary, a: Value, b: Value): Value {
    if (!isNode(a) && !isNode(b)) return applyBinary(op, a, b);
    if (b === 0 && op === "<" && isNode(a) && a.isNonNegative) return false;
    return this.graph.node(op, a, b, { isTruth: true });
  }

  private sum(a: Value, b: Value): Value {
    if (Object.is(b, -0)) return a;
    if (Object.is(a, -0)) return b;
    if (this.isZero(b) && this.isNeverMinusZero(a)) return this.relyingOn(b, a);
    if (this.isZero(a) && this.isNeverMinusZero(b)) return this.relyingOn(a, b);
    const left = this.isNeverMinusZero(b) ? this.loose(a) : a;
    const right = this.isNeverMinusZero(a) ? this.loose(b) : b;
    if (!isSame(left, a) || !isSame(right, b)) return this.sum(left, right);
    return this.withLoose("+", a, b, {
      isZero: this.isZero(a) && this.isZero(b),
      isNeverMinusZero: this.isNeverMinusZero(a) || this.isNeverMinusZero(b),
      isNonNegative: this.isNonNegative(a) && this.isNonNegative(b),
    });
  }

  private difference(a: Value, b: Value): Value {
    if (Object.is(b, 0)) return a;
    if (isNode(a) && a === b) {
      this.rely(a);
      return 0;
    }
    if (this.isZero(b) && this.isNeverMinusZero(a)) return this.relyingOn(b, a);
    const right = this.isNeverMinusZero(a) ? this.loose(b) : b;
    if (!isSame(right, b)) return this.difference(a, right);
    return this.withLoose("-", a, b, {
      isZero: this.isZero(a) && this.isZero(b),
      isNeverMinusZero: this.isNeverMinusZero(a),
    });
  }

  private product(a: Value, b: Value): Value {
    const [left, right] = [this.category(a), this.category(b)];
    if (left === "one") return b;
    if (right === "one") return a;
    if (left === "minus one") return this.unary("neg", b);
    if (right === "minus one") return this.unary("neg", a);
    if (this.isZero(a) || this.isZero(b)) return this.graph.node("*", a, b, { isZero: true });
    if (a === b) return this.graph.node("*", this.loose(a), this.loose(b), { isNonNegative: true });
    // A constant of at least 1 cannot make an underflow.
    const grows =
      (left === "above one" && this.isNeverMinusZero(b)) || (right === "above one" && this.isNeverMinusZero(a));
    const isNonNegative = this.isNonNegative(a) && this.isNonNegative(b);
    return this.withLoose("*", a, b, { isNeverMinusZero: grows || isNonNegative, isNonNegative });
  }

  private extreme(op: "min" | "max", a: Value, b: Value): Value {
    if (op === "max" && (Object.is(a, 0) || Object.is(b, 0))) {
      const [x, y] = [this.loose(a), this.loose(b)];
      return isNode(x) || isNode(y) ? this.graph.node(op, x, y, { isNonNegative: true }) : applyBinary(op, x, y);
    }
    const [left, right] = [this.isNonNegative(a), this.isNonNegative(b)];
    return this.withLoose(op, a, b, {
      isNeverMinusZero: this.isNeverMinusZero(a) && this.isNeverMinusZero(b),
      isNonNegative: op === "max" ? left || right : left && right,
    });
  }

  /** The exact operation, which knows what it is up to the sign of a zero: rule 6. `exact` operands stay as they are. */
  private withLoose(op: Unary | Binary, a: Value, b: Value, traits: Traits, exact?: Value): Value {
    if (traits.isZero === true) return this.graph.node(op, a, b, traits);
    const [left, right] = [this.loose(a), b === exact ? b : this.loose(b)];
    const spares = !isSame(left, a) || !isSame(right, b);
    const dropsZero = (op === "+" || op === "-") && (isZeroNode(a) || isZeroNode(b));
    if (!spares && !dropsZero) return this.graph.node(op, a, b, traits);
    return this.graph.node(op, a, b, {
      ...traits,
      loose: this.looseOf(op, left, right, [isZeroNode(a), isZeroNode(b)]),
    });
  }

  /** A plain +0 is left where it is: its sum is needed as written elsewhere, and would only be computed twice. */
  private looseOf(op: Unary | Binary, a: Value, b: Value, drops: readonly [boolean, boolean]): Value {
    if (op === "+" && drops[0]) return b;
    if ((op === "+" || op === "-") && drops[1]) return a;
    if (op === "-" && drops[0]) return this.unary("neg", b);
    if (op === "neg" || op === "sqrt" || op === "floor") return this.unary(op, a);
    return this.binary(op as Binary, a, b);
  }

  /** Up to the sign of a zero. */
  private loose(value: Value): Value {
    if (!isNode(value)) return value;
    if (value.isZero) this.collectFactors(value);
    return value.loose;
  }

  /** The result, where a zero fell away that is one only if its factors are finite: rule 3. */
  private relyingOn(zero: Value, result: Value): Value {
    if (isNode(zero)) this.collectFactors(zero);
    return result;
  }

  private collectFactors(zero: Node): void {
    for (const operand of [zero.a, zero.b]) {
      if (!isNode(operand) || operand.op === "constant") continue;
      if (operand.isZero) this.collectFactors(operand);
      else this.rely(operand);
    }
  }

  private rely(factor: Node): void {
    this.relied.add(factor);
  }
}

/** A number that is none is the same as itself. */
function isSame(a: Value, b: Value): boolean {
  return Object.is(a, b);
}

function isZeroNode(value: Value): boolean {
  return isNode(value) && value.isZero;
}
