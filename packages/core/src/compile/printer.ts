/**
 * Graph → text: the straight-line body of a function, with the branches that remain.
 *
 * A value with one reader is printed inline; other values get numbered names. The only data of a flight in the text are
 * special numbers (0, 1 …) and positions in arrays. Arrays: S state, U input, T time, K slope, W scratch, C constants,
 * V values that stay the same over an interval, A0 … tables; functions: F0 … opaque. A body returns false if a guard
 * fails, and true at its end.
 */
import { type Block, type Branch, isNode, type Item, type Node, type OpaqueCallItem, type Value } from "./graph.ts";

interface PrintOptions {
  readonly items: readonly Item[];
  readonly slopes: ReadonlyMap<number, Value>;
  /** Cells of scratch that are read after the function. */
  readonly scratch: ReadonlyMap<number, Value>;
  /**
   * Cells of scratch that may be stored. V8 computes a value at each place that needs it, possibly several times; a
   * store forces a quotient or root to be computed once.
   */
  readonly pinned?: ReadonlyMap<number, Value>;
  /** A value that must be zero; otherwise the reference takes over and reports what is wrong. */
  readonly mustBeZero: Value;
  /** Values that must be finite; otherwise the reference takes over. */
  readonly assumedFinite: readonly Node[];
  readonly tables: readonly string[];
  readonly calls: readonly string[];
  /** Names of the arrays of state and input. */
  readonly state: string;
  readonly input: string;
  /** States that stay the same over an interval. If given, `prepare` computes everything that depends on them alone. */
  readonly still?: readonly number[];
}

interface PrintedBody {
  /** Fills V once per interval. */
  readonly prepare: string;
  readonly body: string;
  /** Cells of V. */
  readonly handed: number;
}

export function printBody(options: PrintOptions): PrintedBody {
  return new Printer(options).print();
}

/** Finds the items that are needed and counts the readers of each node, in one pass from the last item to the first. */
class Uses {
  readonly live = new Set<Item>();
  private readonly counts = new Map<Node, number>();

  constructor(items: readonly Item[], results: Iterable<Value>) {
    for (const result of results) this.use(result);
    this.visit(items);
  }

  of(node: Node): number {
    return this.counts.get(node) ?? 0;
  }

  private use(value: Value): void {
    if (isNode(value)) this.counts.set(value, this.of(value) + 1);
  }

  /** True if the items contain a guard: their block must be printed even if none of its values is read. */
  private visit(items: readonly Item[]): boolean {
    let hasGuard = false;
    for (const item of [...items].reverse()) {
      if (item.kind === "guard") {
        this.use(item.condition);
        hasGuard = true;
      } else if (item.kind === "node") {
        this.useOperands(item.node);
      } else if (item.kind === "call") {
        if (!item.loads.some((load) => this.of(load) > 0)) continue;
        for (const [, value] of item.stores) this.use(value);
        this.live.add(item);
      } else {
        for (const node of item.merged) this.useOperands(node);
        const [yes, no] = [item.yes, item.no].map(({ items: inner, assumedFinite }) => {
          for (const node of assumedFinite) this.use(node);
          return this.visit(inner) || assumedFinite.size > 0;
        });
        hasGuard ||= yes! || no!;
        if (!yes && !no && !item.merged.some((node) => this.of(node) > 0)) continue;
        this.use(item.condition);
        this.live.add(item);
      }
    }
    return hasGuard;
  }

  private useOperands(node: Node): void {
    if (this.of(node) === 0 || isLeaf(node)) return;
    // A bound is printed as a conditional expression, which reads its operands twice.
    for (let i = node.op === "min" || node.op === "max" ? 2 : 1; i > 0; i -= 1) {
      this.use(node.a);
      this.use(node.b);
    }
  }
}

/** Items of the root that depend only on inputs, constants and still states, and the nodes that they compute. */
class Invariants {
  readonly items = new Set<Item>();
  readonly nodes = new Set<Node>();
  readonly states = new Set<number>();
  private readonly still: readonly number[];

  constructor(items: readonly Item[], still: readonly number[]) {
    this.still = still;
    for (const item of items) if (this.add(item, this.nodes)) this.items.add(item);
  }

  private add(item: Item, nodes: Set<Node>): boolean {
    const isKnown = (value: Value) => !isNode(value) || value.op === "constant" || nodes.has(value);
    if (item.kind === "call") return false;
    if (item.kind === "guard") return isKnown(item.condition);
    if (item.kind === "node") {
      const { node } = item;
      const isStill = node.op === "state" && this.still.includes(node.a as number);
      const isOperation = node.op === "table" || !isLeaf(node);
      if (node.op !== "input" && !isStill && !(isOperation && isKnown(node.a) && isKnown(node.b))) return false;
      if (isStill) this.states.add(node.a as number);
      nodes.add(node);
      return true;
    }
    const inside = new Set(nodes);
    const isInside = (value: Value) => !isNode(value) || value.op === "constant" || inside.has(value);
    const both = [...item.yes.items, ...item.no.items];
    if (item.yes.assumedFinite.size + item.no.assumedFinite.size > 0) return false;
    if (!isKnown(item.condition) || !both.every((each) => each.kind !== "guard" && this.add(each, inside)))
      return false;
    if (!item.merged.every(({ a, b }) => isInside(a) && isInside(b))) return false;
    for (const node of [...inside, ...item.merged]) nodes.add(node);
    return true;
  }
}

const ARRAYS: ReadonlyMap<string, string> = new Map([
  ["dx", "K"],
  ["timeS", "T"],
  ["w", "W"],
]);
const GUARDED = "return false;";

class Printer {
  private readonly options: PrintOptions;
  private readonly uses: Uses;
  private readonly invariants: Invariants | undefined;
  private lines: string[] = [];
  private names = new Map<Node, string>();
  private count = 0;
  /** Cells of V by node, assigned when the body first needs them. */
  private readonly handed = new Map<Node, number>();
  private isPreparing = false;
  /** Stores to print as soon as a node is computed. */
  private readonly stores = new Map<Node, string[]>();

  constructor(options: PrintOptions) {
    const { items, slopes, scratch, mustBeZero, still } = options;
    this.options = options;
    this.uses = new Uses(items, [...slopes.values(), ...scratch.values(), mustBeZero, ...options.assumedFinite]);
    this.invariants = still === undefined ? undefined : new Invariants(items, still);
  }

  print(): PrintedBody {
    const { items, slopes, scratch, mustBeZero, pinned = [] } = this.options;
    const isPinned = (value: Value) => isNode(value) && this.uses.of(value) > 0 && isCostly(value, 1);
    this.storeWhenKnown("W", new Map([...scratch, ...[...pinned].filter(([, value]) => isPinned(value))]));
    this.storeWhenKnown("K", slopes);
    for (const item of items) if (this.invariants?.items.has(item) !== true) this.item(item);
    this.checkFinite(this.options.assumedFinite);
    if (isNode(mustBeZero)) this.lines.push(`if (${this.text(mustBeZero)} !== 0) ${GUARDED}`);
    const body = [...this.lines, "return true;"].join("\n");
    return { prepare: this.prepare(), body, handed: this.handed.size };
  }

  private prepare(): string {
    this.lines = [];
    this.names = new Map();
    this.isPreparing = true;
    const { items, states } = this.invariants ?? { items: [], states: [] };
    // From the second stage on, a still state is its value plus 0. This differs from the first stage for −0.
    for (const i of states) this.lines.push(`if (S[${i}] === 0 && 1 / S[${i}] < 0) ${GUARDED}`);
    for (const item of items) this.item(item);
    for (const [node, cell] of this.handed) this.lines.push(`V[${cell}] = ${this.text(node)};`);
    return [...this.lines, "return true;"].join("\n");
  }

  private isInvariant(node: Node): boolean {
    return node.op === "constant" || (!this.isPreparing && this.invariants?.nodes.has(node) === true);
  }

  private storeWhenKnown(array: string, values: ReadonlyMap<number, Value>): void {
    for (const [index, value] of values) {
      const store = `${array}[${index}] = `;
      if (!isNode(value) || this.isInvariant(value)) this.lines.push(`${store}${this.text(value)};`);
      else this.stores.set(value, [...(this.stores.get(value) ?? []), store]);
    }
  }

  /** One check for all values: a sum is finite only if its terms are. */
  private checkFinite(values: readonly Node[]): void {
    if (values.length === 0) return;
    const sum = `t${(this.count += 1) - 1}`;
    this.lines.push(`const ${sum} = ${sumOf(values.map((value) => this.text(value)))};`);
    this.lines.push(`if (!(${sum} - ${sum} === 0)) ${GUARDED}`);
  }

  private item(item: Item): void {
    if (item.kind === "node") this.node(item.node);
    else if (item.kind === "guard")
      this.lines.push(`if (${item.holds ? "!" : ""}${this.text(item.condition)}) ${GUARDED}`);
    else if (!this.uses.live.has(item)) return;
    else if (item.kind === "call") this.call(item);
    else this.branch(item);
  }

  private node(node: Node): void {
    const uses = this.uses.of(node);
    if (uses === 0 || node.op === "constant") return;
    if (uses > 1) this.declare(node, this.operation(node));
    this.store(node);
  }

  private store(node: Node): void {
    for (const store of this.stores.get(node) ?? []) this.lines.push(`${store}${this.text(node)};`);
  }

  private call({ name, args, stores, loads }: OpaqueCallItem): void {
    for (const [cell, value] of stores) this.lines.push(`W[${cell}] = ${this.text(value)};`);
    const given = args.map((arg) => (typeof arg === "number" ? numberText(arg) : this.arrayName(arg)));
    this.lines.push(`F${this.options.calls.indexOf(name)}(${given.join(", ")});`);
    for (const load of loads) {
      if (this.uses.of(load) === 0) continue;
      this.declare(load, `W[${load.a as number}]`);
      this.store(load);
    }
  }

  private arrayName(name: string): string {
    if (name === "x") return this.options.state;
    if (name === "u") return this.options.input;
    return ARRAYS.get(name) ?? `A${this.options.tables.indexOf(name)}`;
  }

  private branch({ condition, merged, yes, no }: Branch): void {
    const text = this.text(condition);
    const used = merged.filter((node) => this.uses.of(node) > 0);
    for (const node of used) this.lines.push(`let ${this.name(node)};`);
    const side = ({ items, assumedFinite }: Block, value: (node: Node) => Value) => {
      for (const item of items) this.item(item);
      this.checkFinite([...assumedFinite]);
      for (const node of used) this.lines.push(`${this.names.get(node)!} = ${this.text(value(node))};`);
    };
    this.lines.push(`if (${text}) {`);
    side(yes, (node) => node.a);
    this.lines.push("} else {");
    side(no, (node) => node.b);
    this.lines.push("}");
    for (const node of used) this.store(node);
  }

  private declare(node: Node, text: string): void {
    this.lines.push(`const ${this.name(node)} = ${text};`);
  }

  private name(node: Node): string {
    const name = `t${this.count}`;
    this.count += 1;
    this.names.set(node, name);
    return name;
  }

  private text(value: Value): string {
    if (!isNode(value)) return typeof value === "boolean" ? String(value) : numberText(value);
    const name = this.names.get(value);
    if (name !== undefined) return name;
    // V holds numbers, so a comparison is printed again and only its operands are stored in V.
    const isHanded = this.isInvariant(value) && !isLeaf(value) && (!value.isCondition || value.op === "phi");
    if (!isHanded) return `(${this.operation(value)})`;
    if (!this.handed.has(value)) this.handed.set(value, this.handed.size);
    return `V[${this.handed.get(value)!}]`;
  }

  private operation({ op, a, b, table }: Node): string {
    switch (op) {
      case "state":
        return `${this.options.state}[${a as number}]`;
      case "input":
        return `${this.options.input}[${a as number}]`;
      case "time":
        return `T[${a as number}]`;
      case "constant":
        return `C[${a as number}]`;
      case "table":
        return `A${this.options.tables.indexOf(table)}[${this.text(a)}]`;
      case "neg":
        return `-${this.text(a)}`;
      case "not":
        return `!${this.text(a)}`;
      case "sqrt":
      case "abs":
      case "floor":
        return `Math.${op}(${this.text(a)})`;
      case "min":
      case "max":
        return this.bound(op, a, b);
      case "and":
        return `${this.text(a)} && ${this.text(b)}`;
      case "or":
        return `${this.text(a)} || ${this.text(b)}`;
      default:
        return `${this.text(a)} ${op} ${this.text(b)}`;
    }
  }

  /**
   * A bound by a constant is printed as a conditional expression, which is faster. The bits are the same: the
   * comparison is false for NaN, so the result is NaN; NaN bounds, and zeros of different sign, are excluded.
   */
  private bound(op: "min" | "max", a: Value, b: Value): string {
    const isConstant = (value: Value) => !isNode(value) || value.op === "constant";
    const [known, other] = isConstant(a) ? [a, b] : [b, a];
    if (!isConstant(known) || Object.is(known, op === "min" ? 0 : -0) || Number.isNaN(known))
      return `Math.${op}(${this.text(a)}, ${this.text(b)})`;
    const [bound, value] = [this.text(known), this.text(other)];
    return `${value} ${op === "min" ? ">=" : "<="} ${bound} ? ${bound} : ${value}`;
  }
}

function isLeaf({ op }: Node): boolean {
  return op === "state" || op === "input" || op === "time" || op === "constant" || op === "scratch";
}

/** Whether a quotient or a root is among the last operations of a value. */
function isCostly(value: Value, depth: number): boolean {
  if (!isNode(value) || isLeaf(value)) return false;
  if (value.op === "/" || value.op === "sqrt") return true;
  return depth > 0 && value.op !== "phi" && (isCostly(value.a, depth - 1) || isCostly(value.b, depth - 1));
}

function numberText(value: number): string {
  if (Object.is(value, -0)) return "-0";
  if (Number.isNaN(value)) return "(0 / 0)";
  return Number.isFinite(value) ? String(value) : value > 0 ? "1e999" : "-1e999";
}

/** A sum in four chains, because each addition waits for the previous one. Used only to test for finite values. */
export function sumOf(values: readonly string[]): string {
  const chains: string[][] = [[], [], [], []];
  values.forEach((value, i) => chains[i % 4]!.push(value));
  const sums = chains.filter((chain) => chain.length > 0).map((chain) => `(${chain.join(" + ")})`);
  return sums.length === 0 ? "0" : sums.join(" + ");
}
