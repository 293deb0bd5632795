/**
 * Runs a program once with known parameters and a symbolic state, and builds a graph of the remaining computation.
 *
 * Calls are inlined, loops with a known end are unrolled, and branches on known conditions are taken. At a branch on
 * the state both sides run, and values that differ afterwards are merged; a loop whose end depends on the state becomes
 * such branches. The program also runs on example states. If no example takes one of the sides, only the other side
 * runs, behind a guard. If the evaluator cannot follow a program, it throws `NotCompilable` with the reason.
 */
import type { Equations } from "../integrate/contract.ts";
import { FoldingGraph } from "./fold.ts";
import { Block, isCondition, isNode, keyOf, type Node, sampleOf, type Value } from "./graph.ts";
import {
  type Binary,
  type Block as Code,
  type Expression,
  isOperation,
  isPlain,
  leaves,
  NotCompilable,
  type Program,
  type Statement,
  type Unary,
} from "./program.ts";

/** An array of the program, named like the parameter of the right-hand side. */
class ArrayRef {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type Slot = Value | ArrayRef | undefined;
/** How a list of statements ended: at its end or by `continue` (`through`), or by `return` (`returned`). */
type Completion = "through" | "returned";
type If = Extract<Statement, readonly ["if", ...unknown[]]>;
type Loop = Extract<Statement, readonly ["loop", ...unknown[]]>;

/** Everything that may differ between the two sides of a branch. */
interface Bindings {
  readonly slots: readonly Slot[];
  readonly result: Value | undefined;
  readonly cells: ReadonlyMap<string, Value>;
}

const MAX_DEPTH = 64;
const MAX_ITERATIONS = 1000;

export class Evaluator {
  readonly graph: FoldingGraph;
  readonly inputsRead = new Set<number>();
  private readonly program: Program;
  private readonly equations: Equations;
  /** The arrays of each example. */
  private readonly examples: readonly Readonly<Record<string, Float64Array | Int32Array>>[];
  /** Examples that reach the current block. */
  private active: readonly number[];
  /** Elements of dx and w that were written, by name and index. */
  private cells = new Map<string, Value>();
  private slots: Slot[] = [];
  private result: Value | undefined;
  private depth = 0;

  constructor(program: Program, equations: Equations, size: number) {
    const { constants, exampleCount, inputSize, scratchSize } = equations;
    this.program = program;
    this.equations = equations;
    this.graph = new FoldingGraph(exampleCount);
    this.active = Array.from({ length: exampleCount }, (_, k) => k);
    this.examples = this.active.map((k) => {
      const [x, u] = [new Float64Array(size), new Float64Array(inputSize)];
      equations.exampleInto(x, u, k);
      return { ...constants, x, u, timeS: new Float64Array(1), w: new Float64Array(scratchSize) };
    });
  }

  /** Runs a function over the arrays that its parameters name. */
  run(index: number): void {
    this.call(
      index,
      this.program.functions[index]!.params.map((name) => new ArrayRef(name)),
    );
  }

  /** Returns everything written to an array. */
  written(name: string): Map<number, Value> {
    const found = [...this.cells].filter(([key]) => key.startsWith(`${name} `));
    return new Map(found.map(([key, value]) => [Number(key.slice(name.length + 1)), value]));
  }

  private call(index: number, args: readonly Slot[]): Value | undefined {
    const { name, slots, body } = this.program.functions[index]!;
    if (body === undefined) {
      this.callOpaque(name, args);
      return undefined;
    }
    if (this.depth > MAX_DEPTH) throw new NotCompilable(`calls are nested more than ${MAX_DEPTH} deep at "${name}"`);
    const caller = { slots: this.slots, result: this.result };
    this.slots = Array.from<Slot>({ length: slots });
    this.result = undefined;
    args.forEach((arg, i) => (this.slots[i] = arg));
    this.depth += 1;
    this.exec(body, 0, () => "returned");
    this.depth -= 1;
    const { result } = this;
    Object.assign(this, caller);
    return result;
  }

  /** Runs statements from index `at`, and then `after`. */
  private exec(code: Code, at: number, after: () => Completion): Completion {
    for (let i = at; i < code.length; i += 1) {
      const statement = code[i]!;
      switch (statement[0]) {
        case "set": {
          // Evaluate the expression first, because this may replace `slots`.
          const value = this.value(statement[2]);
          this.slots[statement[1]] = value;
          break;
        }
        case "put":
          this.write(this.array(statement[1]), this.value(statement[2]), this.value(statement[3]));
          break;
        case "do":
          this.evaluate(statement[1]);
          break;
        case "loop":
          if (this.loop(statement, 0) === "returned") return "returned";
          break;
        case "return":
          if (statement.length === 2) this.result = this.value(statement[1]);
          return "returned";
        case "continue":
          return "through";
        case "if":
          return this.branch(statement, () => this.exec(code, i + 1, after));
      }
    }
    return after();
  }

  private branch([, test, yes, no]: If, rest: () => Completion): Completion {
    const condition = this.decide(this.value(test));
    if (!isNode(condition)) return this.exec(condition === true ? yes : no, 0, rest);
    // If neither side leaves the function or loop, the paths meet after the branch. Otherwise each side that continues
    // runs the rest itself.
    const meets = !leaves(yes) && !leaves(no);
    const after = meets ? () => "through" as const : rest;
    const end = this.fork(
      condition,
      () => this.exec(yes, 0, after),
      () => this.exec(no, 0, after),
    );
    return meets ? rest() : end;
  }

  private loop(statement: Loop, firstIteration: number): Completion {
    const [, test, body, update] = statement;
    const through = () => "through" as const;
    const once = () => (this.exec(body, 0, through) === "returned" ? "returned" : this.exec(update, 0, through));
    for (let iteration = firstIteration; iteration < MAX_ITERATIONS; iteration += 1) {
      const condition = this.decide(this.value(test));
      if (condition === false) return "through";
      if (isNode(condition)) {
        if (iteration > MAX_DEPTH)
          throw new NotCompilable(`a loop whose end depends on the state has more than ${MAX_DEPTH} iterations`);
        const goOn = () => (once() === "returned" ? "returned" : this.loop(statement, iteration + 1));
        return this.fork(condition, goOn, through);
      }
      if (once() === "returned") return "returned";
    }
    throw new NotCompilable(`a loop has more than ${MAX_ITERATIONS} iterations`);
  }

  /**
   * Returns the condition, or its value if it is known here. If all examples agree on it, adds a guard and returns that
   * value.
   */
  private decide(given: Value): Value {
    const { block } = this.graph;
    const condition = this.settled(given);
    if (!isNode(condition)) return condition;
    const outcomes = new Set(this.active.map((k) => condition.samples[k]));
    if (outcomes.size === 0) throw new NotCompilable("no example reaches a branch");
    if (outcomes.size === 2) return condition;
    const holds = outcomes.has(true);
    block.guard(condition, holds);
    return holds;
  }

  /** Runs both sides of a branch on the state, and merges the values that differ after them. */
  private fork(condition: Node, yes: () => Completion, no: () => Completion): Completion {
    const { graph, active } = this;
    const outside = graph.block;
    const before: Bindings = { slots: this.slots, result: this.result, cells: this.cells };
    const side = (run: () => Completion, holds: boolean): [Block, Bindings, Completion] => {
      this.slots = [...before.slots];
      this.result = before.result;
      this.cells = new Map(before.cells);
      this.active = active.filter((k) => condition.samples[k] === holds);
      const block = new Block(outside);
      block.assume(condition, holds);
      graph.block = block;
      const completion = run();
      graph.block = outside;
      this.active = active;
      return [block, { slots: this.slots, result: this.result, cells: this.cells }, completion];
    };
    const [yesBlock, first, yesEnd] = side(yes, true);
    const [noBlock, second, noEnd] = side(no, false);
    if (yesEnd !== noEnd) throw new NotCompilable("whether a function returns from inside a loop depends on the state");
    const merged = new Map<string, Node>();
    const isEmpty = yesBlock.items.length === 0 && noBlock.items.length === 0;
    const merge = (a: Slot, b: Slot): Slot =>
      (isEmpty ? this.combined(condition, a, b) : undefined) ?? this.merge(condition, a, b, merged);
    this.slots = first.slots.map((value, i) => merge(value, second.slots[i]));
    this.result = merge(first.result, second.result) as Value | undefined;
    this.cells = new Map();
    for (const [key, value] of first.cells) {
      const both = merge(value, second.cells.get(key));
      if (both !== undefined) this.cells.set(key, both as Value);
    }
    outside.items.push({ kind: "branch", condition, yes: yesBlock, no: noBlock, merged: [...merged.values()] });
    return yesEnd;
  }

  /** Returns a choice with one constant side as a single condition: `a ? b : false` is `a && b`. */
  private combined(condition: Node, a: Slot, b: Slot): Value | undefined {
    const { graph } = this;
    if (b === false && isCondition(a)) return graph.binary("and", condition, a as Value);
    if (a === true && isCondition(b)) return graph.binary("or", condition, b as Value);
    if (a === false && isCondition(b)) return graph.binary("and", graph.unary("not", condition), b as Value);
    if (b === true && isCondition(a)) return graph.binary("or", graph.unary("not", condition), a as Value);
    return undefined;
  }

  /** Merges the values of two sides. A value that only one side has cannot be used afterwards. */
  private merge(condition: Node, a: Slot, b: Slot, merged: Map<string, Node>): Slot {
    if (a === undefined || b === undefined || a instanceof ArrayRef || b instanceof ArrayRef)
      return a === b ? a : undefined;
    const key = `${keyOf(a)} ${keyOf(b)}`;
    if (keyOf(a) === keyOf(b)) return a;
    const node =
      merged.get(key) ?? this.graph.fresh("phi", a, b, (k) => sampleOf(condition.samples[k] === true ? a : b, k));
    merged.set(key, node);
    return node;
  }

  private value(expression: Expression): Value {
    const value = this.evaluate(expression);
    if (value === undefined || value instanceof ArrayRef)
      throw new NotCompilable("a value is used that is an array or is not set on every path");
    return value;
  }

  private evaluate(expression: Expression): Slot {
    if (typeof expression === "number" || typeof expression === "boolean") return expression;
    switch (expression[0]) {
      case "slot":
        return this.slots[expression[1]];
      case "at":
        return this.read(this.array(expression[1]), this.value(expression[2]));
      case "call": {
        const [, index, ...args] = expression;
        return this.call(
          index,
          args.map((arg) => this.evaluate(arg)),
        );
      }
      case "choose":
        return this.choose(expression[1], expression[2], expression[3]);
      case "and":
      case "or":
        return this.logic(expression[0], expression[1], expression[2]!);
      default: {
        const [op, first, second] = expression;
        if (!isOperation(op)) throw new NotCompilable("an operation is not part of the language");
        const a = this.value(first);
        if (second === undefined) return this.graph.unary(op as Unary, a);
        return this.graph.binary(op as Binary, a, this.value(second));
      }
    }
  }

  /**
   * Evaluates `and` and `or`. A right side with calls or choices runs only if the left side does not decide the outcome;
   * one without (`isPlain`) also runs if the outcome of the left side is not known.
   */
  private logic(op: "and" | "or", left: Expression, right: Expression): Value {
    if (!isPlain(right)) return op === "or" ? this.choose(left, true, right) : this.choose(left, right, false);
    const first = this.settled(this.value(left));
    if (!isNode(first)) return first === (op === "or") ? first : this.settled(this.value(right));
    return this.graph.binary(op, first, this.settled(this.value(right)));
  }

  /** Returns a condition, or its value if that is known here. */
  private settled(value: Value): Value {
    if (!isCondition(value)) throw new NotCompilable("a number is used as a condition");
    return isNode(value) ? this.graph.block.settle(value) : value;
  }

  private choose(test: Expression, yes: Expression, no: Expression): Value {
    const condition = this.decide(this.value(test));
    if (!isNode(condition)) return this.value(condition === true ? yes : no);
    const at = this.slots.length;
    const put = (chosen: Expression) => (): Completion => {
      const value = this.value(chosen);
      this.slots[at] = value;
      return "through";
    };
    this.fork(condition, put(yes), put(no));
    return this.slots.splice(at)[0] as Value;
  }

  private array(slot: number): ArrayRef {
    const array = this.slots[slot];
    if (!(array instanceof ArrayRef)) throw new NotCompilable("a number is used as an array");
    return array;
  }

  private read({ name }: ArrayRef, index: Value): Value {
    const { graph, examples } = this;
    const isReadOnly = READ_ONLY_ARRAYS.has(name);
    if (!isReadOnly && name !== "dx" && name !== "w") return this.constant(name, index);
    if (isNode(index)) throw new NotCompilable(`which element of "${name}" is read depends on the state`);
    if (isReadOnly) {
      if (name === "u") this.inputsRead.add(index as number);
      return graph.node("read", index, 0, (k) => examples[k]![name]![index as number] ?? NaN, name);
    }
    const value = this.cells.get(`${name} ${String(index)}`);
    if (value === undefined)
      throw new NotCompilable(`element ${String(index)} of "${name}" is read before it is written`);
    return value;
  }

  private constant(name: string, index: Value): Value {
    const array = this.equations.constants[name];
    if (array === undefined) throw new NotCompilable(`there is no array "${name}"`);
    const node = this.graph.node("element", index, 0, (k) => array[sampleOf(index, k) as number] ?? NaN, name);
    if (!node.isConstant) return node;
    if (!((sampleOf(index, 0) as number) in array)) throw new NotCompilable(`"${name}" has no element ${keyOf(index)}`);
    const [value] = node.samples as readonly [number];
    // Integers select variants and end loops, so the code is valid for these values only.
    if (array instanceof Int32Array) this.graph.decided(this.graph.operation("===", node, value));
    return array instanceof Int32Array ? value : node;
  }

  private write({ name }: ArrayRef, index: Value, value: Value): void {
    if (isNode(index)) throw new NotCompilable(`which element of "${name}" is written depends on the state`);
    if (name !== "dx" && name !== "w")
      throw new NotCompilable(`"${name}" is written, which a right-hand side must not do`);
    this.cells.set(`${name} ${String(index)}`, value);
  }

  /**
   * Adds a call of an opaque function to the graph, with stores of the cells that it reads and loads of those that it
   * writes, and runs it for the examples.
   */
  private callOpaque(name: string, args: readonly Slot[]): void {
    const { graph, cells, examples, active } = this;
    const { calls, inputSize } = this.equations;
    const call = Object.hasOwn(calls, name) ? calls[name] : undefined;
    if (call === undefined) throw new NotCompilable(`"${name}" is not part of the program`);
    const given = args.map((arg) => {
      if (arg instanceof ArrayRef) return arg.name;
      if (typeof arg !== "number")
        throw new NotCompilable(`"${name}" is called with a number that depends on the state`);
      return arg;
    });
    if (given.includes("u")) for (let i = 0; i < inputSize; i += 1) this.inputsRead.add(i);
    const selector = given.find((arg) => typeof arg === "number") ?? 0;
    const stores = call.reads(selector).flatMap((cell) => {
      const value = cells.get(`w ${cell}`);
      return value === undefined ? [] : [[cell, value] as const];
    });
    for (const k of active) {
      const arrays = examples[k]!;
      for (const [cell, value] of stores) arrays["w"]![cell] = sampleOf(value, k) as number;
      (call.run as (...all: unknown[]) => void)(...given.map((arg) => (typeof arg === "string" ? arrays[arg] : arg)));
    }
    const loads = call
      .writes(selector)
      .map((cell) => graph.fresh("read", cell, 0, (k) => examples[k]!["w"]![cell]!, "w"));
    graph.block.items.push({ kind: "call", name, args: given, stores, loads });
    for (const load of loads) cells.set(`w ${String(load.a)}`, load);
  }
}

/** The arrays that a right-hand side only reads. */
const READ_ONLY_ARRAYS: ReadonlySet<string> = new Set(["x", "u", "timeS"]);
