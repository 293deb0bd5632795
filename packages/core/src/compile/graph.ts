/**
 * The expression graph that a symbolic run builds: nodes, and the blocks in which they are computed.
 *
 * A node is one operation of the program with its operands as written; equal operations on equal operands share one
 * node. Blocks nest like the branches of the program: a value computed in a block is visible in that block and inside
 * its branches. Every node holds its value for each of the plant's examples, so it is known which branches the examples
 * take.
 *
 * Constants (values that depend on parameters alone) are nodes as well. They are computed once per flight, so they
 * belong to the root block. A choice that depends on a constant is made while the graph is built, and a guard in the
 * root block records it. The code is valid for every vehicle for which its guards hold.
 *
 * Folding omits operations that change nothing. Every other operation stays, so the code computes the same bits as the
 * source by construction. The identities hold for every x including −0, infinities and NaN: x·1, 1·x, x/1, x − (+0),
 * x + (−0) and −0 + x are x; x·(−1) is −x; −(−x) is x; x + (−y) is x − y. If an identity relies on a parameter being 1
 * or −1, a guard in the code checks the parameter.
 */
import { apply, type Binary, type Known, type Unary } from "./program.ts";

/**
 * `read` reads an element of the state, the input, the time or scratch; `element` reads one of the plant's constants;
 * `phi` merges the values that the two sides of a branch give.
 */
type Op = Unary | Binary | "read" | "element" | "phi";
/** A known value, or a node. */
export type Value = Known | Node;

export interface Node {
  readonly op: Op;
  readonly id: number;
  /** The operands. For `read` and `element`: the index; for a phi: one value per branch. */
  readonly a: Value;
  readonly b: Value;
  /** Name of the array of a `read` or an `element`. */
  readonly array: string;
  readonly isCondition: boolean;
  readonly isConstant: boolean;
  /** Its value for each example; one value if it is constant. */
  readonly samples: readonly Known[];
}

/** The actions of a block, in order. */
export type Item =
  | { readonly kind: "node"; readonly node: Node }
  /** If the condition does not have the value `holds`, the reference takes over. */
  | { readonly kind: "guard"; readonly condition: Node; readonly holds: boolean }
  | Branch
  | OpaqueCallItem;

export interface Branch {
  readonly kind: "branch";
  readonly condition: Node;
  readonly yes: Block;
  readonly no: Block;
  /** The phis of the branch: one for each pair of values that differ between its two sides. */
  readonly merged: readonly Node[];
}

/** A call of an opaque function, with the scratch cells to store before the call and those to read after it. */
export interface OpaqueCallItem {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly (string | number)[];
  readonly stores: readonly (readonly [cell: number, value: Value])[];
  readonly loads: readonly Node[];
}

export class Block {
  readonly items: Item[] = [];
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

  /** Adds a guard, unless the condition is already known here. */
  guard(condition: Node, holds: boolean): void {
    if (!isNode(this.settle(condition))) return;
    this.items.push({ kind: "guard", condition, holds });
    this.assume(condition, holds);
  }

  assume(condition: Node, holds: boolean): void {
    this.facts.set(condition, holds);
  }

  /** Returns the condition, or its value if that is known here. */
  settle(condition: Node): Value {
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
  if (!isNode(value)) return value;
  return value.isConstant ? value.samples[0]! : value.samples[example]!;
}

function isConstant(value: Value): boolean {
  return !isNode(value) || value.isConstant;
}

/** Returns a string that is equal for equal values. */
export function keyOf(value: Value): string {
  if (isNode(value)) return `n${value.id}`;
  return Object.is(value, -0) ? "-0" : String(value);
}

const CONDITIONS: ReadonlySet<Op> = new Set(["not", "<", "<=", ">", ">=", "===", "!==", "and", "or"]);

/** Makes nodes in the current block, for operations that are not folded. */
export class Graph {
  readonly root = new Block();
  block = this.root;
  readonly exampleCount: number;
  private count = 0;

  constructor(exampleCount: number) {
    this.exampleCount = exampleCount;
  }

  unary(op: Unary, a: Value): Value {
    if (!isNode(a)) return apply(op, a, 0);
    if (a.op === op && (op === "neg" || op === "not")) return a.a;
    return this.operation(op, a, 0);
  }

  binary(op: Binary, a: Value, b: Value): Value {
    if (op === "and" || op === "or") return this.logic(op, a, b);
    if (!isNode(a) && !isNode(b)) return apply(op, a, b);
    const folded = isConstant(a) && isConstant(b) ? undefined : this.identity(op, a, b);
    if (folded !== undefined) return folded;
    const node = this.operation(op, a, b);
    return node.isConstant && node.isCondition ? this.decided(node) : node;
  }

  /** Returns the value to which an identity reduces the operation; undefined if none applies. */
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

  /** Whether a value is known to be `unit`. */
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

  /** Returns the node of an operation: an existing node if one is visible here, otherwise a new one. */
  operation(op: Unary | Binary, a: Value, b: Value): Node {
    return this.node(op, a, b, (k) => apply(op, sampleOf(a, k), sampleOf(b, k)));
  }

  /** Like `operation`, for any kind of node; `sample` gives its value for each example. */
  node(op: Op, a: Value, b: Value, sample: (example: number) => Known, array = ""): Node {
    const [first, second] = [keyOf(a), keyOf(b)];
    // Sums and products round the same in either order, so both orders share one node.
    const swaps = (op === "+" || op === "*") && second < first;
    const key = swaps ? `${op} ${second} ${first}` : `${op}${array} ${first} ${second}`;
    const before = this.block.find(key);
    if (before !== undefined) return before;
    const node = this.fresh(op, a, b, sample, array);
    (node.isConstant ? this.root : this.block).add(key, node);
    return node;
  }

  /** Makes a new node that is in no block yet. */
  fresh(op: Op, a: Value, b: Value, sample: (example: number) => Known, array = ""): Node {
    const isFixed = op !== "read" && op !== "phi" && isConstant(a) && isConstant(b);
    const samples = Array.from({ length: isFixed ? 1 : this.exampleCount }, (_, k) => sample(k));
    this.count += 1;
    const isBoolean = op === "phi" ? isCondition(a) || isCondition(b) : CONDITIONS.has(op);
    return { op, id: this.count, a, b, array, isCondition: isBoolean, isConstant: isFixed, samples };
  }

  /**
   * Returns the value of a constant condition, and adds a guard: the code is valid only for vehicles for which the
   * condition has the same value.
   */
  decided(condition: Node): boolean {
    const [holds] = condition.samples as readonly [boolean];
    this.root.guard(condition, holds);
    return holds;
  }
}
