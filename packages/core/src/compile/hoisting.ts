/**
 * What stays the same over an interval: whatever follows from the input and from states that do not move.
 *
 * The input is frozen between boundaries, and outputs of direct actuators have no slope, so duties, faults and what is
 * made of them alone are computed once an interval and not at every stage.
 */
import { type Block, isNode, type Item, type Node, type Value } from "./graph.ts";
import type { Liveness } from "./liveness.ts";

export class Hoisting {
  /** Items of the root that are worked once an interval. */
  readonly early = new Set<Item>();
  /** Numbers that are handed over to the rest, by the cell they lie in. */
  readonly handed = new Map<Node, number>();
  /** States that they are made of. */
  readonly states = new Set<number>();
  private readonly same = new Set<Node>();
  private readonly still: ReadonlySet<number>;
  private readonly live: Liveness;

  constructor(root: Block, still: ReadonlySet<number>, live: Liveness, results: Iterable<Value>) {
    this.still = still;
    this.live = live;
    for (const item of root.items) if (this.isSame(item, this.same)) this.early.add(item);
    for (const item of root.items) if (!this.early.has(item)) this.hand(item);
    for (const result of results) this.need(result);
  }

  /** Whether a value is known before the rest is worked. */
  isEarly(node: Node): boolean {
    return this.same.has(node);
  }

  /** Whether an item can be worked early; `same` gathers the values it makes. */
  private isSame(item: Item, same: Set<Node>): boolean {
    const isIn = (values: Set<Node>) => (value: Value) =>
      !isNode(value) || value.op === "constant" || values.has(value);
    const known = isIn(same);
    switch (item.kind) {
      case "call":
        return false;
      case "guard":
        return known(item.condition);
      case "node": {
        const { node } = item;
        const isLeaf = node.op === "input" || (node.op === "state" && this.still.has(node.a as number));
        const isOperation = node.op !== "state" && node.op !== "time" && known(node.a) && known(node.b);
        if (!isLeaf && !isOperation) return false;
        if (node.op === "state") this.states.add(node.a as number);
        same.add(node);
        return true;
      }
      case "branch": {
        const inside = new Set(same);
        const both = [...item.yes.items, ...item.no.items];
        if (!known(item.condition) || both.some((each) => each.kind === "guard" || !this.isSame(each, inside)))
          return false;
        // What a side leaves as it was may come from what moves.
        if (!item.merged.every(({ a, b }) => [a, b].every(isIn(inside)))) return false;
        for (const node of inside) same.add(node);
        for (const node of item.merged) same.add(node);
        return true;
      }
    }
  }

  /** What an item that is worked late reads of the early ones. */
  private hand(item: Item): void {
    if (item.kind === "node") {
      if (this.live.usesOf(item.node) > 0) this.needOperands(item.node);
      return;
    }
    if (!this.live.items.has(item)) return;
    if (item.kind === "guard") this.need(item.condition);
    else if (item.kind === "call") for (const [, value] of item.stores) this.need(value);
    else {
      this.need(item.condition);
      for (const node of item.merged) if (this.live.usesOf(node) > 0) this.needOperands(node);
      for (const each of [...item.yes.items, ...item.no.items]) this.hand(each);
    }
  }

  private need(value: Value): void {
    if (!isNode(value) || !this.same.has(value)) return;
    if (value.op === "input" || value.op === "state" || value.op === "constant") return;
    // A truth is found again where it is needed: its numbers are handed over.
    if (value.isTruth && value.op !== "phi") this.needOperands(value);
    else if (!this.handed.has(value)) this.handed.set(value, this.handed.size);
  }

  private needOperands({ op, a, b }: Node): void {
    if (op === "constant" || op === "state" || op === "input" || op === "time") return;
    this.need(a);
    this.need(b);
  }
}
