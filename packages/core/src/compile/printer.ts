/**
 * Prints a graph as the bodies of straight-line functions, with the branches that remain.
 *
 * Each value has a level: it is constant over a flight, constant over an interval, or different at each stage. A
 * function computes the values of one level and reads values of lower levels from cells that an earlier function has
 * filled. A value with one reader is printed inline; other values get numbered names. The only data of a flight in the
 * text are integers and array indices.
 *
 * Arrays: S state, U input, T time, K slope, W scratch, C cells of values that are constant over a flight, V cells of
 * values that are constant over an interval, R cells of values that a jump does not change, P a cell that is never read
 * (see `COSTLY`), A0 … the plant's constants. Functions: F0 … the opaque functions. A body returns false if a guard
 * fails, and true at its end.
 */
import { type Block, type Branch, isNode, type Item, type Node, type OpaqueCallItem, type Value } from "./graph.ts";

export const FLIGHT = 0;
export const INTERVAL = 1;
export const STAGE = 2;
type Level = typeof FLIGHT | typeof INTERVAL | typeof STAGE;

/**
 * Returns the level of each value. The level of a value inside a branch is at least that of the condition. `isHeld`
 * returns whether a leaf keeps its value over an interval.
 */
export function levelsOf(items: readonly Item[], isHeld: (leaf: Node) => boolean): (value: Value) => Level {
  const levels = new Map<Node, Level>();
  const of = (value: Value) => (isNode(value) ? (levels.get(value) ?? STAGE) : FLIGHT);
  const ofNode = (node: Node, least: Level) => {
    if (node.op === "read") return isHeld(node) ? highest(least, INTERVAL) : STAGE;
    return node.isConstant ? FLIGHT : highest(least, of(node.a), of(node.b));
  };
  const visit = (some: readonly Item[], least: Level): void => {
    for (const item of some) {
      if (item.kind === "node") levels.set(item.node, ofNode(item.node, least));
      // The level of a call's results follows from the cells that the call reads, unless a whole array that changes is
      // passed to the function.
      if (item.kind === "call" && !item.args.some((arg) => CHANGING.has(arg))) {
        const level = highest(least, INTERVAL, ...item.stores.map(([, value]) => of(value)));
        for (const node of item.loads) levels.set(node, level);
      }
      if (item.kind !== "branch") continue;
      const inside = highest(least, of(item.condition));
      visit(item.yes.items, inside);
      visit(item.no.items, inside);
      for (const node of item.merged) levels.set(node, highest(inside, of(node.a), of(node.b)));
    }
  };
  visit(items, FLIGHT);
  return of;
}

const CHANGING: ReadonlySet<string | number> = new Set(["x", "u", "timeS"]);

function highest(...levels: readonly Level[]): Level {
  return Math.max(...levels) as Level;
}

/** Cells of an array, assigned to values when a function first reads them. */
export class Cells {
  private readonly array: string;
  private readonly indices = new Map<Node, number>();

  constructor(array: string) {
    this.array = array;
  }

  get count(): number {
    return this.indices.size;
  }

  /** The stores that fill the cells. */
  get stores(): Store[] {
    return [...this.indices].map(([node, i]) => [`${this.array}[${i}]`, node]);
  }

  read(node: Node): string {
    const index = this.indices.get(node) ?? this.indices.size;
    this.indices.set(node, index);
    return `${this.array}[${index}]`;
  }
}

type Store = readonly [target: string, value: Value];

interface PrintOptions {
  readonly items: readonly Item[];
  readonly levelOf: (value: Value) => Level;
  /** The level of the values that the function computes. */
  readonly level: Level;
  /** The values that the function stores, each as soon as it is computed. */
  readonly stores: readonly Store[];
  /** The cells of lower levels. */
  readonly cells: readonly Cells[];
  readonly tables: readonly string[];
  readonly calls: readonly string[];
}

/** Finds the items that a function needs and counts the readers of its nodes, from the last item to the first. */
class Uses {
  readonly live = new Set<Item>();
  private readonly counts = new Map<Node, number>();
  private readonly options: PrintOptions;

  constructor(options: PrintOptions) {
    this.options = options;
    for (const [, value] of options.stores) this.use(value);
    this.visit(options.items, FLIGHT);
  }

  of(node: Node): number {
    return this.isHere(node) ? (this.counts.get(node) ?? 0) : 0;
  }

  private isHere(value: Value): boolean {
    return this.options.levelOf(value) === this.options.level;
  }

  private use(value: Value): void {
    if (!isNode(value)) return;
    this.counts.set(value, (this.counts.get(value) ?? 0) + 1);
    // A condition of a lower level has no cell. It is printed again, so its operands are read.
    if (!this.isHere(value) && !hasCell(value)) [value.a, value.b].forEach((operand) => this.use(operand));
  }

  /** Returns whether any item is needed. */
  private visit(items: readonly Item[], least: Level): boolean {
    for (const item of [...items].reverse()) if (this.isLive(item, least)) this.live.add(item);
    return items.some((item) => this.live.has(item));
  }

  private isLive(item: Item, least: Level): boolean {
    const { levelOf, level } = this.options;
    if (item.kind === "node") return this.useOperands(item.node);
    if (item.kind === "guard") {
      if (highest(least, levelOf(item.condition)) !== level) return false;
      this.use(item.condition);
      return true;
    }
    if (item.kind === "call") {
      if (!item.loads.some((load) => this.of(load) > 0)) return false;
      for (const [, value] of item.stores) this.use(value);
      return true;
    }
    const inside = highest(least, levelOf(item.condition));
    const isRead = item.merged.filter((node) => this.useOperands(node)).length > 0;
    const [yes, no] = [this.visit(item.yes.items, inside), this.visit(item.no.items, inside)];
    if (!isRead && !yes && !no) return false;
    this.use(item.condition);
    return true;
  }

  private useOperands(node: Node): boolean {
    if (this.of(node) === 0) return false;
    if (node.op === "read") return true;
    this.use(node.a);
    this.use(node.b);
    return true;
  }
}

/**
 * Whether a node has a cell. A leaf is read from its own array, except a result of an opaque function, which the next
 * call of the function overwrites. A comparison has no cell and is printed again, because cells hold numbers.
 */
function hasCell(node: Node): boolean {
  if (node.op === "read") return node.array === "w";
  return !node.isCondition || node.op === "phi";
}

export function printBody(options: PrintOptions): string {
  return new Printer(options).print();
}

const ARRAYS: ReadonlyMap<string, string> = new Map([
  ["dx", "K"],
  ["x", "S"],
  ["u", "U"],
  ["timeS", "T"],
  ["w", "W"],
]);
const GUARDED = "return false;";
/**
 * Matches quotients and roots. V8 computes a value at each place that needs it, possibly several times; a store forces
 * it to compute the value once.
 */
const COSTLY = / \/ |sqrt/;

class Printer {
  private readonly options: PrintOptions;
  private readonly uses: Uses;
  private readonly lines: string[] = [];
  private readonly names = new Map<Node, string>();
  /** Stores to print as soon as a node is computed. */
  private readonly stores = new Map<Node, string[]>();

  constructor(options: PrintOptions) {
    this.options = options;
    this.uses = new Uses(options);
  }

  print(): string {
    const { items, levelOf, level, stores } = this.options;
    for (const [target, value] of stores) {
      if (!isNode(value) || levelOf(value) < level) this.lines.push(`${target} = ${this.text(value)};`);
      else this.stores.set(value, [...(this.stores.get(value) ?? []), target]);
    }
    this.items(items);
    return [...this.lines, "return true;"].join("\n");
  }

  private items(items: readonly Item[]): void {
    for (const item of items) {
      if (!this.uses.live.has(item)) continue;
      if (item.kind === "node") this.node(item.node);
      else if (item.kind === "guard")
        this.lines.push(`if (${item.holds ? "!" : ""}${this.text(item.condition)}) ${GUARDED}`);
      else if (item.kind === "call") this.call(item);
      else this.branch(item);
    }
  }

  private node(node: Node): void {
    if (this.uses.of(node) > 1) {
      const text = this.operation(node);
      const name = this.name(node);
      this.lines.push(`const ${name} = ${text};`);
      if (this.options.level === STAGE && COSTLY.test(text)) this.lines.push(`P[0] = ${name};`);
    }
    this.store(node);
  }

  private store(node: Node): void {
    for (const target of this.stores.get(node) ?? []) this.lines.push(`${target} = ${this.text(node)};`);
  }

  private call({ name, args, stores, loads }: OpaqueCallItem): void {
    for (const [cell, value] of stores) this.lines.push(`W[${cell}] = ${this.text(value)};`);
    const given = args.map((arg) => (typeof arg === "number" ? numberText(arg) : this.arrayName(arg)));
    this.lines.push(`F${this.options.calls.indexOf(name)}(${given.join(", ")});`);
    for (const load of loads.filter((each) => this.uses.of(each) > 0)) {
      this.lines.push(`const ${this.name(load)} = ${this.operation(load)};`);
      this.store(load);
    }
  }

  private arrayName(name: string): string {
    return ARRAYS.get(name) ?? `A${this.options.tables.indexOf(name)}`;
  }

  private branch({ condition, merged, yes, no }: Branch): void {
    const text = this.text(condition);
    const read = merged.filter((node) => this.uses.of(node) > 0);
    for (const node of read) this.lines.push(`let ${this.name(node)};`);
    const side = ({ items }: Block, value: (node: Node) => Value) => {
      this.items(items);
      for (const node of read) this.lines.push(`${this.names.get(node)!} = ${this.text(value(node))};`);
    };
    this.lines.push(`if (${text}) {`);
    side(yes, (node) => node.a);
    this.lines.push("} else {");
    side(no, (node) => node.b);
    this.lines.push("}");
    for (const node of read) this.store(node);
  }

  private name(node: Node): string {
    const name = `t${this.names.size}`;
    this.names.set(node, name);
    return name;
  }

  private text(value: Value): string {
    if (!isNode(value)) return typeof value === "boolean" ? String(value) : numberText(value);
    const { cells, level, levelOf } = this.options;
    const lower = levelOf(value) < level && hasCell(value) ? cells[levelOf(value)]!.read(value) : undefined;
    return lower ?? this.names.get(value) ?? `(${this.operation(value)})`;
  }

  private operation({ op, a, b, array }: Node): string {
    const first = this.text(a);
    if (op === "read" || op === "element") return `${this.arrayName(array)}[${first}]`;
    if (op === "neg" || op === "not") return `${SYMBOLS[op]}${first}`;
    if (op === "sqrt" || op === "abs" || op === "floor") return `Math.${op}(${first})`;
    const second = this.text(b);
    if (op === "min" || op === "max") return `Math.${op}(${first}, ${second})`;
    return `${first} ${op === "and" || op === "or" ? SYMBOLS[op] : op} ${second}`;
  }
}

/** The operators whose names are words. */
const SYMBOLS = { neg: "-", not: "!", and: "&&", or: "||" } as const;

function numberText(value: number): string {
  if (Object.is(value, -0)) return "-0";
  if (Number.isNaN(value)) return "(0 / 0)";
  return Number.isFinite(value) ? String(value) : value > 0 ? "1e999" : "-1e999";
}
