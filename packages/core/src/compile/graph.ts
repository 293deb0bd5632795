/**
 * The expression graph that a symbolic run builds: nodes, and the blocks in which they are computed.
 *
 * A node is one operation of the program with its operands as written; equal operations on equal operands share one
 * node. Blocks nest like the branches of the program: a value computed in a block is visible in that block and inside
 * its branches. Every node holds its value for each of the plant's examples, which shows the branches that they take.
 */
import type { Binary, Unary } from "./program.ts";

type Op = Unary | Binary | "state" | "input" | "time" | "constant" | "table" | "scratch" | "phi";
type Known = number | boolean;
/** A known value, or a node. */
export type Value = Known | Node;

export interface Node {
  readonly op: Op;
  readonly id: number;
  /**
   * The operands. For state, input, time and scratch: the index; for a constant: its step; for a phi: one value per
   * branch.
   */
  readonly a: Value;
  readonly b: Value;
  /** Name of the array that a `table` reads. */
  readonly table: string;
  readonly isCondition: boolean;
  /** A product with zero, or a sum of such products: +0 or −0 if its factors are finite. */
  readonly isZero: boolean;
  readonly isNeverMinusZero: boolean;
  /** Its value for each example. */
  readonly samples: readonly Known[];
}

/** The actions of a block, in order. */
export type Item =
  | { readonly kind: "node"; readonly node: Node }
  /** If the condition has the other value, the reference takes over. */
  | { readonly kind: "guard"; readonly condition: Node; readonly holds: boolean }
  | Branch
  | OpaqueCallItem;

export interface Branch {
  readonly kind: "branch";
  readonly condition: Node;
  readonly yes: Block;
  readonly no: Block;
  /** Values that differ after the two sides. */
  readonly merged: readonly Node[];
}

/** A call of an opaque function: cells of scratch to store before it, and to read after it. */
export interface OpaqueCallItem {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly (string | number)[];
  readonly stores: readonly (readonly [cell: number, value: Value])[];
  readonly loads: readonly Node[];
}

export class Block {
  readonly items: Item[] = [];
  /** Factors of dropped zeros: the code checks at the end of the block that they are finite. */
  readonly assumedFinite = new Set<Node>();
  private readonly parent: Block | undefined;
  private readonly nodes = new Map<string, Node>();
  /** Conditions whose value is known inside this block. */
  private readonly facts = new Map<Node, boolean>();

  constructor(parent?: Block) {
    this.parent = parent;
  }

  find(key: string): Node | undefined {
    return this.nodes.get(key) ?? this.parent?.find(key);
  }

  add(key: string, node: Node): void {
    this.nodes.set(key, node);
    this.items.push({ kind: "node", node });
  }

  assume(condition: Value, holds: boolean): void {
    if (!isNode(condition)) return;
    this.facts.set(condition, holds);
    if (condition.op === "not") this.assume(condition.a, !holds);
    if (condition.op !== (holds ? "and" : "or")) return;
    this.assume(condition.a, holds);
    this.assume(condition.b, holds);
  }

  /** The condition, or its value if that is known here. */
  settle(condition: Value): Value {
    if (!isNode(condition)) return condition;
    return this.facts.get(condition) ?? this.parent?.settle(condition) ?? condition;
  }
}

export function isNode(value: Value): value is Node {
  return typeof value === "object";
}

export function isCondition(value: unknown): boolean {
  return typeof value === "boolean" || (value instanceof Object && (value as Node).isCondition);
}

export function sampleOf(value: Value, example: number): Known {
  return isNode(value) ? value.samples[example]! : value;
}

/** A string that is equal for equal values. */
export function keyOf(value: Value): string {
  if (isNode(value)) return `n${value.id}`;
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Makes nodes in the current block. */
export class Graph {
  readonly root = new Block();
  block = this.root;
  readonly exampleCount: number;
  private count = 0;

  constructor(exampleCount: number) {
    this.exampleCount = exampleCount;
  }

  /**
   * The node of an operation: an existing node if one is visible here, otherwise a new one with samples from `sample`.
   */
  node(op: Op, a: Value, b: Value, sample: (example: number) => Known, table = ""): Node {
    const [first, second] = [keyOf(a), keyOf(b)];
    // Sums and products round the same in either order.
    const swaps = (op === "+" || op === "*") && second < first;
    const key = swaps ? `${op} ${second} ${first}` : `${op}${table} ${first} ${second}`;
    const before = this.block.find(key);
    if (before !== undefined) return before;
    const node = this.fresh(op, a, b, sample, table);
    this.block.add(key, node);
    return node;
  }

  /** A new node that is in no block yet. */
  fresh(op: Op, a: Value, b: Value, sample: (example: number) => Known, table = ""): Node {
    const samples = Array.from({ length: this.exampleCount }, (_, k) => sample(k));
    this.count += 1;
    const isTruth = op === "phi" ? isCondition(a) || isCondition(b) : CONDITIONS.has(op);
    const zero = (op === "*" && (isZero(a) || isZero(b))) || ((op === "+" || op === "-") && isZero(a) && isZero(b));
    const isNeverMinusZero = neverMinusZero(op, a, b);
    return { op, id: this.count, a, b, table, isCondition: isTruth, isZero: zero, isNeverMinusZero, samples };
  }
}

const CONDITIONS: ReadonlySet<Op> = new Set(["not", "<", "<=", ">", ">=", "===", "!==", "and", "or"]);

export function isZero(value: Value): boolean {
  return isNode(value) ? value.isZero : value === 0;
}

export function isNeverMinusZero(value: Value): boolean {
  return isNode(value) ? value.isNeverMinusZero : !Object.is(value, -0);
}

/** A sum is −0 only if both operands are, a difference only if its left operand is; a square never is. */
function neverMinusZero(op: Op, a: Value, b: Value): boolean {
  if (op === "+") return isNeverMinusZero(a) || isNeverMinusZero(b);
  if (op === "-" || op === "sqrt") return isNeverMinusZero(a);
  if (op === "phi") return isNeverMinusZero(a) && isNeverMinusZero(b);
  return op === "constant" || op === "abs" || (op === "*" && a === b);
}
