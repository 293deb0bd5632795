/**
 * What of a graph is needed for its results, and how often: the rest is not written.
 */
import { type Block, isNode, type Item, type Node, type Value } from "./graph.ts";

export class Liveness {
  readonly items = new Set<Item>();
  private readonly uses = new Map<Node, number>();
  private readonly home = new Map<Node, Item>();
  private readonly branchOf = new Map<Block, Extract<Item, { kind: "branch" }>>();

  /** `checked` values are looked at besides, wherever they are computed. */
  constructor(root: Block, results: Iterable<Value>, checked: Iterable<Node> = []) {
    this.settle(root);
    for (const result of results) this.use(result);
    for (const node of checked) {
      this.use(node);
      this.use(node);
      this.reach(node.block);
    }
    // A guard stands wherever its block is written; what it reads may make more blocks be written.
    while (this.useGuards(root));
  }

  /** How often a node is read; 0: never. */
  usesOf(node: Node): number {
    return this.uses.get(node) ?? 0;
  }

  /** Remembers which branch merges a value, and which call leaves it. */
  private settle(block: Block): void {
    for (const item of block.items) {
      if (item.kind === "branch") {
        for (const node of item.merged) this.home.set(node, item);
        this.branchOf.set(item.yes, item).set(item.no, item);
        this.settle(item.yes);
        this.settle(item.no);
      } else if (item.kind === "call") {
        for (const node of item.loads) this.home.set(node, item);
      }
    }
  }

  /** True if there was a guard that was not known to be needed. */
  private useGuards(block: Block): boolean {
    let found = false;
    for (const item of block.items) {
      if (item.kind === "guard" && !this.items.has(item)) {
        this.items.add(item);
        this.use(item.condition);
        found = true;
      }
      // Where a guard does not hold, the reference may do anything: a branch with one is written, whatever it leaves.
      if (item.kind === "branch" && (this.items.has(item) || hasGuards(item))) {
        this.useBranch(item);
        found = this.useGuards(item.yes) || found;
        found = this.useGuards(item.no) || found;
      }
    }
    return found;
  }

  /** A block is written, and so are those around it. */
  private reach(block: Block): void {
    const branch = this.branchOf.get(block);
    if (branch === undefined) return;
    this.useBranch(branch);
    this.reach(block.parent!);
  }

  private useBranch(item: Extract<Item, { kind: "branch" }>): void {
    if (this.items.has(item)) return;
    this.items.add(item);
    this.use(item.condition);
  }

  private use(value: Value): void {
    if (!isNode(value)) return;
    const before = this.usesOf(value);
    this.uses.set(value, before + 1);
    if (before > 0) return;
    const home = this.home.get(value);
    if (home?.kind === "branch") {
      this.use(value.a);
      this.use(value.b);
      this.useBranch(home);
    } else if (home?.kind === "call") {
      if (!this.items.has(home)) for (const [, stored] of home.stores) this.use(stored);
      this.items.add(home);
    } else if (value.op !== "constant" && value.op !== "state" && value.op !== "input" && value.op !== "time") {
      this.use(value.a);
      this.use(value.b);
      // A bound is written as a choice, which reads its operand twice.
      if (value.op === "min" || value.op === "max") {
        this.use(value.a);
        this.use(value.b);
      }
    }
  }
}

function hasGuards({ yes, no }: Extract<Item, { kind: "branch" }>): boolean {
  return [...yes.items, ...no.items].some(
    (item) => item.kind === "guard" || (item.kind === "branch" && hasGuards(item)),
  );
}
