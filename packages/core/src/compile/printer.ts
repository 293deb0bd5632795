/**
 * Graph → text: straight-line code with the branches that remain.
 *
 * A value that is read once stands where it is read; others are named by numbers. Nothing of a flight enters the text but
 * numbers that rules look for (0, 1 …) and places in arrays: parameters are read from an array, so that one text serves
 * every vehicle of the same structure.
 *
 * Scratch is written in full where outputs are to read it. Otherwise only what comes out of quotients and roots is
 * stored, where it is there anyway: an engine puts computations off to where their result is needed, and makes them
 * several times if that is several places; a store pins the costly ones down.
 */
import { type Block, isNode, type Item, type Node, type Value } from "./graph.ts";
import { Hoisting } from "./hoisting.ts";
import { Liveness } from "./liveness.ts";

/** How the target language writes things. */
export interface Syntax {
  readonly declare: (name: string, value: string, isTruth: boolean) => string;
  readonly declareLater: (name: string, isTruth: boolean) => string;
  readonly same: string;
  readonly differs: string;
  readonly sqrt: (a: string) => string;
  readonly abs: (a: string) => string;
  readonly floor: (a: string) => string;
  readonly min: (a: string, b: string) => string;
  readonly max: (a: string, b: string) => string;
  readonly number: (value: number) => string;
  readonly index: (text: string) => string;
}

export const javascript: Syntax = {
  declare: (name, value) => `const ${name} = ${value};`,
  declareLater: (name) => `let ${name};`,
  same: "===",
  differs: "!==",
  sqrt: (a) => `Math.sqrt(${a})`,
  abs: (a) => `Math.abs(${a})`,
  floor: (a) => `Math.floor(${a})`,
  min: (a, b) => `Math.min(${a}, ${b})`,
  max: (a, b) => `Math.max(${a}, ${b})`,
  number: (value) => {
    if (Object.is(value, -0)) return "-0";
    if (Number.isNaN(value)) return "(0 / 0)";
    return Number.isFinite(value) ? String(value) : value > 0 ? "1e999" : "-1e999";
  },
  index: (text) => text,
};

export interface PrintOptions {
  readonly root: Block;
  /** Value of each slope, and of each cell of scratch. */
  readonly slopes: ReadonlyMap<number, Value>;
  readonly scratch: ReadonlyMap<number, Value>;
  /** Whether all of scratch is to be written. */
  readonly keepsScratch?: boolean;
  /** A value that must be zero; otherwise the reference is run, which says what is wrong. */
  readonly mustBeZero?: Value;
  /** Places of tables and of functions called as they stand. */
  readonly tables: readonly string[];
  readonly functions: readonly string[];
  /** Values that must be finite; otherwise the reference is run. */
  readonly checked?: readonly Node[];
  /** State and input are parameters x and u, and where the reference is to be run false is returned; else S, U and `bail`. */
  readonly isOfParameters?: boolean;
  /** States that do not move in an interval; given: what stays the same is computed apart. */
  readonly still?: ReadonlySet<number>;
  readonly syntax?: Syntax;
}

/** Bodies of two functions. */
export interface PrintedBody {
  /** What stays the same over an interval, into V; false: run the reference. Empty unless asked for. */
  readonly prepare: string;
  readonly body: string;
  /** Cells of V. */
  readonly handed: number;
}

/** The text of functions' bodies; their arrays are S, U, T, K, W, C, V, A0 … and their functions F0 … and `bail`. */
export function printBody(options: PrintOptions): PrintedBody {
  return new Printer(options).print();
}

const ARRAYS: ReadonlyMap<string, string> = new Map([
  ["dx", "K"],
  ["timeS", "T"],
  ["w", "W"],
]);

class Printer {
  private readonly options: PrintOptions;
  private readonly syntax: Syntax;
  private readonly live: Liveness;
  private lines: string[] = [];
  private readonly hoisting: Hoisting;
  /** What a guard says that does not hold. */
  private refuse: string;
  private readonly state: string;
  private readonly input: string;
  private readonly names = new Map<Node, string>();
  /** What is stored as soon as a node is known. */
  private readonly stores = new Map<Node, string[]>();

  constructor(options: PrintOptions) {
    this.options = options;
    const isOfParameters = options.isOfParameters === true;
    this.refuse = isOfParameters ? "return false;" : "return bail();";
    this.state = isOfParameters ? "x" : "S";
    this.input = isOfParameters ? "u" : "U";
    this.syntax = options.syntax ?? javascript;
    const { slopes, scratch, mustBeZero = 0, checked = [] } = options;
    const kept = options.keepsScratch === true ? scratch.values() : [];
    this.live = new Liveness(options.root, [...slopes.values(), ...kept, mustBeZero], checked);
    const results = [...slopes.values(), mustBeZero, ...checked];
    this.hoisting = new Hoisting(options.root, options.still ?? new Set(), this.live, results);
  }

  print(): PrintedBody {
    const { slopes, scratch, mustBeZero = 0, root, still } = this.options;
    const isConstant = ({ op }: Node) => op === "constant";
    this.storeLater("W", this.storedScratch(scratch), isConstant);
    const prepare = still === undefined ? "" : this.prepare(root);
    const isEarly = (node: Node) => still !== undefined && this.hoisting.isEarly(node);
    this.storeLater("K", slopes, (node) => isConstant(node) || isEarly(node));
    for (const item of root.items) if (still === undefined || !this.hoisting.early.has(item)) this.item(item);
    if (isNode(mustBeZero)) this.lines.push(`if (${this.text(mustBeZero)} ${this.syntax.differs} 0) ${this.refuse}`);
    return { prepare, body: this.lines.join("\n"), handed: this.hoisting.handed.size };
  }

  private storedScratch(scratch: ReadonlyMap<number, Value>): ReadonlyMap<number, Value> {
    if (this.options.keepsScratch === true) return scratch;
    const isStored = (value: Value) => isNode(value) && this.live.usesOf(value) > 0 && isCostly(value, 1);
    return new Map([...scratch].filter(([, value]) => isStored(value)));
  }

  private prepare({ items }: Block): string {
    const { early, handed, states } = this.hoisting;
    this.refuse = "return false;";
    // After the first stage a state that does not move is itself plus +0, and so never −0.
    for (const i of states) this.lines.push(`if (S[${i}] === 0 && 1 / S[${i}] < 0) return false;`);
    for (const item of items) if (early.has(item)) this.item(item);
    for (const [node, cell] of handed) this.lines.push(`V[${cell}] = ${this.text(node)};`);
    this.lines.push("return true;");
    const text = this.lines.join("\n");
    this.lines = [];
    this.names.clear();
    for (const [node, cell] of handed) this.names.set(node, `V[${cell}]`);
    this.refuse = "return bail();";
    return text;
  }

  /** What is known already is stored at once, the rest where it is known. */
  private storeLater(array: string, values: ReadonlyMap<number, Value>, isKnown: (node: Node) => boolean): void {
    for (const [index, value] of values) {
      const store = `${array}[${index}] = `;
      if (isNode(value) && !isKnown(value)) this.stores.set(value, [...(this.stores.get(value) ?? []), store]);
      else this.lines.push(`${store}${this.text(value)};`);
    }
  }

  private block({ items }: Block): void {
    for (const item of items) this.item(item);
  }

  private item(item: Item): void {
    if (item.kind === "node") this.node(item.node);
    else if (item.kind === "guard") this.guard(item.condition, item.holds);
    else if (!this.live.items.has(item)) return;
    else if (item.kind === "call") this.call(item);
    else this.branch(item);
  }

  private guard(condition: Node, holds: boolean): void {
    const text = this.text(condition);
    this.lines.push(holds ? `if (!${text}) ${this.refuse}` : `if (${text}) ${this.refuse}`);
  }

  private node(node: Node): void {
    const uses = this.live.usesOf(node);
    if (uses === 0 || node.op === "constant") return;
    if (uses > 1) {
      const text = this.operation(node);
      this.lines.push(this.syntax.declare(this.name(node), text, node.isTruth));
    }
    this.store(node);
  }

  private store(node: Node): void {
    for (const store of this.stores.get(node) ?? []) this.lines.push(`${store}${this.text(node)};`);
    if (this.options.checked?.includes(node) !== true) return;
    this.lines.push(`if (!(${this.text(node)} - ${this.text(node)} ${this.syntax.same} 0)) ${this.refuse}`);
  }

  private call({ name, args, stores, loads }: Extract<Item, { kind: "call" }>): void {
    for (const [cell, value] of stores) this.lines.push(`W[${cell}] = ${this.text(value)};`);
    const given = args.map((arg) => (typeof arg === "number" ? this.syntax.number(arg) : this.arrayName(arg)));
    this.lines.push(`F${this.options.functions.indexOf(name)}(${given.join(", ")});`);
    for (const load of loads) {
      if (this.live.usesOf(load) === 0) continue;
      this.lines.push(this.syntax.declare(this.name(load), `W[${load.a as number}]`, false));
      this.store(load);
    }
  }

  private arrayName(name: string): string {
    if (name === "x") return this.state;
    if (name === "u") return this.input;
    return ARRAYS.get(name) ?? `A${this.options.tables.indexOf(name)}`;
  }

  private branch({ condition, merged, yes, no }: Extract<Item, { kind: "branch" }>): void {
    const text = this.text(condition);
    const kept = merged.filter((node) => this.live.usesOf(node) > 0);
    for (const node of kept) this.lines.push(this.syntax.declareLater(this.name(node), node.isTruth));
    this.lines.push(`if (${text}) {`);
    this.side(yes, kept, (node) => node.a);
    this.lines.push("} else {");
    this.side(no, kept, (node) => node.b);
    this.lines.push("}");
    for (const node of kept) this.store(node);
  }

  private side(block: Block, merged: readonly Node[], value: (node: Node) => Value): void {
    this.block(block);
    for (const node of merged) this.lines.push(`${this.names.get(node)!} = ${this.text(value(node))};`);
  }

  private name(node: Node): string {
    const name = `t${this.names.size}`;
    this.names.set(node, name);
    return name;
  }

  private text(value: Value): string {
    if (!isNode(value)) return typeof value === "boolean" ? String(value) : this.syntax.number(value);
    return this.names.get(value) ?? `(${this.operation(value)})`;
  }

  private operation(node: Node): string {
    const { syntax } = this;
    const { op, a, b } = node;
    switch (op) {
      case "state":
        return `${this.state}[${a as number}]`;
      case "input":
        return `${this.input}[${a as number}]`;
      case "time":
        return `T[${a as number}]`;
      case "constant":
        return `C[${a as number}]`;
      case "table":
        return `A${this.options.tables.indexOf(node.table!)}[${syntax.index(this.text(a))}]`;
      case "neg":
        return `-${this.text(a)}`;
      case "not":
        return `!${this.text(a)}`;
      case "sqrt":
      case "abs":
      case "floor":
        return syntax[op](this.text(a));
      case "min":
      case "max":
        return this.bound(op, a, b);
      case "and":
        return `${this.text(a)} && ${this.text(b)}`;
      case "or":
        return `${this.text(a)} || ${this.text(b)}`;
      case "===":
        return `${this.text(a)} ${syntax.same} ${this.text(b)}`;
      case "!==":
        return `${this.text(a)} ${syntax.differs} ${this.text(b)}`;
      default:
        return `${this.text(a)} ${op} ${this.text(b)}`;
    }
  }

  /**
   * min and max with a known side as a choice, which processors do faster. It gives the same bits: the comparison is
   * false for NaN, which is then passed on; and equal zeros of unlike sign are excluded.
   */
  private bound(op: "min" | "max", a: Value, b: Value): string {
    const [known, other] = isKnown(a) ? [a, b] : [b, a];
    const excluded = Object.is(known, op === "min" ? 0 : -0);
    if (!isKnown(known) || excluded) return this.syntax[op](this.text(a), this.text(b));
    const [bound, value] = [this.text(known), this.text(other)];
    return `${value} ${op === "min" ? ">=" : "<="} ${bound} ? ${bound} : ${value}`;
  }
}

function isKnown(value: Value): boolean {
  return !isNode(value) || value.op === "constant";
}

/** Whether a quotient or a root is among the last operations of a value. */
function isCostly(value: Value, depth: number): boolean {
  if (!isNode(value) || value.op === "/" || value.op === "sqrt") return isNode(value);
  if (depth === 0 || value.op === "phi" || value.op === "scratch" || value.op === "table") return false;
  return value.op !== "constant" && (isCostly(value.a, depth - 1) || isCostly(value.b, depth - 1));
}
