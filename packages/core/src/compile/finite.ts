/**
 * Which factors of dropped zeros are known to have been finite, and what has to be looked at for the others.
 *
 * A finite sum, difference or product has finite operands, a finite quotient a finite numerator, a finite root a finite
 * argument. So finite slopes vouch for most of what led to them. A factor that they do not vouch for is finite if the
 * states and inputs it is made of are not huge, where its bounds can be followed; these are then watched. What is left
 * is looked at itself.
 */
import { isNode, type Node, type Value } from "./graph.ts";

/** Watched states and inputs are at most this in magnitude, or the reference is run. */
export const HUGE = 1e20;
/** Constants lie between these, or are zero, or code is not made. */
export const LEAST_CONSTANT = 1e-20;
export const MOST_CONSTANT = 1e20;
const MOST_BOUND = 1e300;

export interface Vouching {
  /** States and inputs to be watched, by index. */
  readonly states: readonly number[];
  readonly inputs: readonly number[];
  /** Values to be looked at. */
  readonly others: readonly Node[];
}

export function vouch(factors: Iterable<Node>, results: Iterable<Value>): Vouching {
  const finite = new Set<Node>();
  for (const result of results) spread(result, finite);
  const states = new Set<number>();
  const inputs = new Set<number>();
  const others: Node[] = [];
  const bounds = new Map<Node, Bound>();
  for (const factor of factors) {
    if (finite.has(factor)) continue;
    if (boundOf(factor, bounds).most < MOST_BOUND) leaves(factor, states, inputs, new Set());
    else others.push(factor);
  }
  const ascending = (set: Set<number>) => [...set].sort((a, b) => a - b);
  return { states: ascending(states), inputs: ascending(inputs), others };
}

/** Everything that must be finite if this is. */
function spread(value: Value, finite: Set<Node>): void {
  if (!isNode(value) || finite.has(value)) return;
  finite.add(value);
  const { op, a, b } = value;
  if (op === "+" || op === "-" || op === "*" || op === "/" || op === "neg" || op === "sqrt" || op === "abs")
    spread(a, finite);
  if (op === "+" || op === "-" || op === "*") spread(b, finite);
}

/** Least and most of a magnitude. */
interface Bound {
  readonly least: number;
  readonly most: number;
}

const UNBOUNDED: Bound = { least: 0, most: Infinity };

function boundOf(value: Value, known: Map<Node, Bound>): Bound {
  if (!isNode(value)) {
    const magnitude = Math.abs(value as number);
    return { least: magnitude, most: magnitude };
  }
  const before = known.get(value);
  if (before !== undefined) return before;
  const bound = computeBound(value, known);
  known.set(value, bound);
  return bound;
}

function computeBound(node: Node, known: Map<Node, Bound>): Bound {
  const { op } = node;
  if (op === "constant") return { least: LEAST_CONSTANT, most: MOST_CONSTANT };
  if (op === "state" || op === "input") return { least: 0, most: HUGE };
  if (op === "time" || op === "table" || op === "scratch" || node.isTruth) return UNBOUNDED;
  const a = boundOf(node.a, known);
  if (op === "neg" || op === "abs") return a;
  if (op === "sqrt") {
    const isDefined = isNode(node.a) && node.a.isNonNegative;
    return isDefined ? { least: Math.sqrt(a.least), most: Math.sqrt(a.most) } : UNBOUNDED;
  }
  if (op === "floor") return { least: 0, most: a.most + 1 };
  const b = boundOf(node.b, known);
  switch (op) {
    case "+":
      return { least: node.isNonNegative ? Math.max(a.least, b.least) : 0, most: a.most + b.most };
    case "-":
      return { least: 0, most: a.most + b.most };
    case "*":
      return { least: a.least * b.least, most: a.most * b.most };
    case "/":
      return { least: b.most > 0 ? a.least / b.most : 0, most: b.least > 0 ? a.most / b.least : Infinity };
    case "max":
      return { least: leastOfMax(node, a, b), most: Math.max(a.most, b.most) };
    case "min":
    case "phi":
      return { least: 0, most: Math.max(a.most, b.most) };
    default:
      return UNBOUNDED;
  }
}

/** A maximum with a known positive number is at least that number. */
function leastOfMax({ a, b }: Node, boundA: Bound, boundB: Bound): number {
  if (typeof a === "number" && a > 0) return boundA.least;
  return typeof b === "number" && b > 0 ? boundB.least : 0;
}

function leaves(value: Value, states: Set<number>, inputs: Set<number>, seen: Set<Node>): void {
  if (!isNode(value) || seen.has(value)) return;
  seen.add(value);
  if (value.op === "constant") return;
  if (value.op === "state") states.add(value.a as number);
  else if (value.op === "input") inputs.add(value.a as number);
  else {
    leaves(value.a, states, inputs, seen);
    leaves(value.b, states, inputs, seen);
  }
}
