/**
 * The expression graph that running a program on symbols leaves behind: nodes, and the blocks they stand in.
 *
 * A node is one operation of the program, kept with its operands as they were written; equal operations on equal
 * operands are one node. Blocks nest like the branches of the program: what was computed in a block can be used in it
 * and inside its branches, not after it. Values that are known are plain numbers and booleans, or constants that follow
 * from parameters (`constants.ts`).
 */
import type { Binary, Unary } from "./program.ts";

export type Leaf = "state" | "input" | "time" | "constant" | "table" | "scratch" | "phi";
export type Op = Unary | Binary | Leaf;

/** A number or truth that is known, or a node. */
export type Value = number | boolean | Node;

export interface Node {
  readonly op: Op;
  readonly id: number;
  readonly block: Block;
  /** Operands; of a leaf: its index; of a table: the index and nothing else; of a merge: one value a branch. */
  readonly a: Value;
  readonly b: Value;
  /** Name of the table that a `table` reads. */
  readonly table?: string;
  /** A truth, not a number. */
  readonly isTruth: boolean;
  /** Is −0 in no finite case. */
  readonly isNeverMinusZero: boolean;
  /** Is neither below zero nor −0 in any finite case. */
  readonly isNonNegative: boolean;
  /** Is +0 or −0 in every finite case. */
  readonly isZero: boolean;
  /** The same up to the sign of a zero, for those who cannot tell: fewer operations. Itself if there are none to spare. */
  readonly loose: Value;
}

/** What a block does, in order. */
export type Item =
  | { readonly kind: "node"; readonly node: Node }
  /** The reference is run where the condition does not come out so. */
  | { readonly kind: "guard"; readonly condition: Node; readonly holds: boolean }
  | {
      readonly kind: "branch";
      readonly condition: Node;
      readonly yes: Block;
      readonly no: Block;
      /** Values that differ after the branches. */
      readonly merged: readonly Node[];
    }
  | {
      /** A function called as it stands: cells of scratch stored before it, and read after it. */
      readonly kind: "call";
      readonly name: string;
      readonly args: readonly (string | number)[];
      readonly stores: readonly (readonly [cell: number, value: Value])[];
      readonly loads: readonly Node[];
    };

export class Block {
  readonly parent: Block | undefined;
  readonly items: Item[] = [];
  readonly known = new Map<string, Node>();
  /** Conditions that hold, or do not, wherever this block is reached. */
  private readonly facts = new Map<Node, boolean>();

  constructor(parent?: Block) {
    this.parent = parent;
  }

  /** The same block with the items that it has now. */
  soFar(): Block {
    const copy = new Block(this.parent);
    copy.items.push(...this.items);
    return copy;
  }

  find(key: string): Node | undefined {
    return this.known.get(key) ?? this.parent?.find(key);
  }

  /** The block is reached only where the condition comes out so. */
  assume(condition: Value, holds: boolean): void {
    if (!isNode(condition)) return;
    this.facts.set(condition, holds);
    if (condition.op === "not") this.assume(condition.a, !holds);
    if (condition.op === (holds ? "and" : "or")) {
      this.assume(condition.a, holds);
      this.assume(condition.b, holds);
    }
  }

  /** The condition, or what is known of it here. */
  settled(condition: Value): Value {
    if (!isNode(condition)) return condition;
    return this.facts.get(condition) ?? this.parent?.settled(condition) ?? condition;
  }
}

export function isNode(value: Value): value is Node {
  return typeof value === "object";
}

/** A name for a value within its graph: equal values have equal names. */
export function keyOf(value: Value): string {
  if (isNode(value)) return `n${value.id}`;
  return Object.is(value, -0) ? "-0" : String(value);
}

export interface Traits {
  readonly table?: string;
  readonly isTruth?: boolean;
  readonly isNeverMinusZero?: boolean;
  readonly isNonNegative?: boolean;
  readonly isZero?: boolean;
  readonly loose?: Value;
}

/** Makes nodes in the block that is being run. */
export class Graph {
  readonly root = new Block();
  block = this.root;
  /** Every reading of state, input and time. */
  readonly leaves: Node[] = [];
  private count = 0;

  /** The node of an operation: the one that is known here, or a new one. */
  node(op: Op, a: Value, b: Value, traits: Traits = {}): Node {
    const key = this.keyFor(op, a, b, traits.table);
    const before = this.block.find(key);
    if (before !== undefined) return before;
    const node = this.fresh(op, a, b, traits);
    this.block.known.set(key, node);
    this.block.items.push({ kind: "node", node });
    return node;
  }

  /** A node that is like no other and stands in no list yet. */
  fresh(op: Op, a: Value, b: Value, traits: Traits = {}): Node {
    const { table, isTruth = false, isNonNegative = false, isZero = false } = traits;
    const isNeverMinusZero = traits.isNeverMinusZero ?? isNonNegative;
    const made = { op, id: this.count, block: this.block, a, b, isTruth, isNeverMinusZero, isNonNegative, isZero };
    const node = (table === undefined ? made : { ...made, table }) as { -readonly [K in keyof Node]: Node[K] };
    node.loose = traits.loose ?? (isZero ? 0 : node);
    this.count += 1;
    if (op === "state" || op === "input" || op === "time") this.leaves.push(node);
    return node;
  }

  /** Whether a value can be used in the block that is being run. */
  isHere(value: Value): boolean {
    if (!isNode(value)) return true;
    for (let block: Block | undefined = this.block; block !== undefined; block = block.parent) {
      if (block === value.block) return true;
    }
    return false;
  }

  private keyFor(op: Op, a: Value, b: Value, table = ""): string {
    const [first, second] = [keyOf(a), keyOf(b)];
    // One rounded sum or product whichever operand comes first.
    const isCommutative = op === "+" || op === "*";
    return isCommutative && second < first ? `${op}${table} ${second} ${first}` : `${op}${table} ${first} ${second}`;
  }
}
