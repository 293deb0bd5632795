/**
 * Runs a program once with known parameters and a symbolic state, and builds a graph of the remaining computation.
 *
 * Calls are inlined, loops with a known end are unrolled, and branches on known conditions are taken. At a branch on
 * the state both sides run, and values that differ afterwards are merged; a loop whose end depends on the state becomes
 * a series of such branches. The program also runs on example states. If no example takes one side of a branch, only
 * the other side runs, behind a guard. If the evaluator cannot follow a program, it throws `NotCompilable` with the
 * reason.
 */
import type { Equations } from "../integrate/contract.ts";
import { Block, Graph, isCondition, isNode, keyOf, type Node, sampleOf, type Value } from "./graph.ts";
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

/** A value, or the name of an array. */
type Slot = Value | string | undefined;
/** How a list of statements ended: at its end or by `continue` (`through`), or by `return` (`returned`). */
type Completion = "through" | "returned";
type If = Extract<Statement, readonly ["if", ...unknown[]]>;
type Loop = Extract<Statement, readonly ["loop", ...unknown[]]>;

/** Everything that may differ between the two sides of a branch. */
interface Bindings {
  readonly slots: Slot[];
  /** The value that the function returns. */
  result: Value | undefined;
  /** Elements of dx and w that were written, by name and index. */
  readonly cells: Map<string, Value>;
}

const MAX_DEPTH = 64;
const MAX_ITERATIONS = 1000;

/** Runs the equations of a plant, and returns the graph of its slopes and outputs. */
export function runOnSymbols(size: number, program: Program, equations: Equations) {
  const evaluator = new Evaluator(program, equations, size);
  const { graph } = evaluator;
  evaluator.run(0);
  const slopes = evaluator.written("dx");
  const refused = evaluator.written("w").get(equations.refusedAt ?? -1) ?? 0;
  // If the equations report that they have no result (`refusedAt`), this guard fails and the reference takes over.
  if (isNode(refused)) graph.root.guard(graph.operation("===", refused, 0), true);
  const slopeItems = [...graph.root.items];
  if (program.outputs !== undefined) evaluator.run(program.outputs);
  for (const [i, value] of evaluator.written("dx"))
    if (!Object.is(slopes.get(i), value)) throw new NotCompilable(`outputs change element ${i} of "dx"`);
  for (let i = 0; i < size; i += 1)
    if (!slopes.has(i)) throw new NotCompilable(`element ${i} of "dx" is not written on every path`);
  const inputsRead = [...evaluator.inputsRead].sort((a, b) => a - b);
  /** `slopeItems` compute the slopes; `items` also compute the scratch cells that the outputs write. */
  return { slopes, scratch: evaluator.written("w"), slopeItems, items: graph.root.items, inputsRead };
}

class Evaluator {
  readonly graph: Graph;
  readonly inputsRead = new Set<number>();
  private readonly program: Program;
  private readonly equations: Equations;
  /** The arrays of each example. */
  private readonly examples: readonly Readonly<Record<string, Float64Array | Int32Array>>[];
  /** Examples that reach the current block. */
  private active: readonly number[];
  private bindings: Bindings = { slots: [], result: undefined, cells: new Map() };
  private depth = 0;

  constructor(program: Program, equations: Equations, size: number) {
    const { constants, exampleCount, inputSize, scratchSize } = equations;
    this.program = program;
    this.equations = equations;
    this.graph = new Graph(exampleCount);
    this.active = Array.from({ length: exampleCount }, (_, k) => k);
    this.examples = this.active.map((k) => {
      const [x, u] = [new Float64Array(size), new Float64Array(inputSize)];
      equations.exampleInto(x, u, k);
      return { ...constants, x, u, timeS: new Float64Array(1), w: new Float64Array(scratchSize) };
    });
  }

  /** Runs a function over the arrays that its parameters name. */
  run(index: number): void {
    this.call(index, this.program.functions[index]!.params);
  }

  /** Returns everything written to an array. */
  written(name: string): Map<number, Value> {
    const found = [...this.bindings.cells].filter(([key]) => key.startsWith(`${name} `));
    return new Map(found.map(([key, value]) => [Number(key.slice(name.length + 1)), value]));
  }

  private call(index: number, args: readonly Slot[]): Value | undefined {
    const { name, slots, body } = this.program.functions[index]!;
    if (body === undefined) {
      this.callOpaque(name, args);
      return undefined;
    }
    if (this.depth > MAX_DEPTH) throw new NotCompilable(`calls are nested more than ${MAX_DEPTH} deep at "${name}"`);
    const caller = this.bindings;
    this.bindings = { ...caller, slots: Array.from({ length: slots }, (_, i) => args[i]), result: undefined };
    this.depth += 1;
    this.exec(body, 0, () => "returned");
    this.depth -= 1;
    const { result, cells } = this.bindings;
    this.bindings = { ...caller, cells };
    return result;
  }

  /** Runs statements from index `at`, and then `after`. */
  private exec(code: Code, at: number, after: () => Completion): Completion {
    for (let i = at; i < code.length; i += 1) {
      const statement = code[i]!;
      switch (statement[0]) {
        case "set": {
          // Evaluate the expression first, because this may replace `bindings`.
          const value = this.value(statement[2]);
          this.bindings.slots[statement[1]] = value;
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
          if (statement.length === 2) {
            const value = this.value(statement[1]);
            this.bindings.result = value;
          }
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
    const { graph, active, bindings: before } = this;
    const outside = graph.block;
    const side = (run: () => Completion, holds: boolean) => {
      const block = new Block(outside);
      block.assume(condition, holds);
      graph.block = block;
      this.active = active.filter((k) => condition.samples[k] === holds);
      this.bindings = { slots: [...before.slots], result: before.result, cells: new Map(before.cells) };
      const end = run();
      graph.block = outside;
      this.active = active;
      return { block, end, ...this.bindings };
    };
    const first = side(yes, true);
    const second = side(no, false);
    if (first.end !== second.end)
      throw new NotCompilable("whether a function returns from inside a loop depends on the state");
    const merged = new Map<string, Node>();
    const isEmpty = first.block.items.length === 0 && second.block.items.length === 0;
    const merge = (a: Slot, b: Slot): Slot =>
      (isEmpty ? this.combined(condition, a, b) : undefined) ?? this.merge(condition, a, b, merged);
    const slots = first.slots.map((value, i) => merge(value, second.slots[i]));
    const result = merge(first.result, second.result) as Value | undefined;
    const cells = [...first.cells].map(([key, value]) => [key, merge(value, second.cells.get(key))] as const);
    const known = cells.filter((cell): cell is [string, Value] => cell[1] !== undefined);
    this.bindings = { slots, result, cells: new Map(known) };
    outside.items.push({ kind: "branch", condition, yes: first.block, no: second.block, merged: [...merged.values()] });
    return first.end;
  }

  /** Returns a choice with a constant side as one condition: `a ? b : false` is `a && b`. */
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
    if (a === undefined || b === undefined || typeof a === "string" || typeof b === "string")
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
    if (value === undefined || typeof value === "string")
      throw new NotCompilable("a value is used that is an array or is not set on every path");
    return value;
  }

  private evaluate(expression: Expression): Slot {
    if (typeof expression === "number" || typeof expression === "boolean") return expression;
    switch (expression[0]) {
      case "slot":
        return this.bindings.slots[expression[1]];
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
   * Evaluates `and` and `or`. A right side with calls or choices runs only if the left side does not decide the
   * outcome. A right side without them (`isPlain`) also runs if the value of the left side is not known.
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
    const at = this.bindings.slots.length;
    const put = (chosen: Expression) => (): Completion => {
      const value = this.value(chosen);
      this.bindings.slots[at] = value;
      return "through";
    };
    this.fork(condition, put(yes), put(no));
    return this.bindings.slots.splice(at)[0] as Value;
  }

  private array(slot: number): string {
    const array = this.bindings.slots[slot];
    if (typeof array !== "string") throw new NotCompilable("a number is used as an array");
    return array;
  }

  private read(name: string, index: Value): Value {
    const { graph, examples } = this;
    const isReadOnly = READ_ONLY_ARRAYS.has(name);
    if (!isReadOnly && name !== "dx" && name !== "w") return this.constant(name, index);
    if (isNode(index)) throw new NotCompilable(`which element of "${name}" is read depends on the state`);
    if (isReadOnly) {
      if (name === "u") this.inputsRead.add(index as number);
      return graph.node("read", index, 0, (k) => examples[k]![name]![index as number] ?? NaN, name);
    }
    const value = this.bindings.cells.get(`${name} ${String(index)}`);
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

  private write(name: string, index: Value, value: Value): void {
    if (isNode(index)) throw new NotCompilable(`which element of "${name}" is written depends on the state`);
    if (name !== "dx" && name !== "w")
      throw new NotCompilable(`"${name}" is written, which a right-hand side must not do`);
    this.bindings.cells.set(`${name} ${String(index)}`, value);
  }

  /**
   * Adds a call of an opaque function to the graph, with stores of the cells that the function reads and loads of the
   * cells that it writes. Also runs the function for the examples.
   */
  private callOpaque(name: string, args: readonly Slot[]): void {
    const { graph, examples, active } = this;
    const { cells } = this.bindings;
    const { calls, inputSize } = this.equations;
    const call = Object.hasOwn(calls, name) ? calls[name] : undefined;
    if (call === undefined) throw new NotCompilable(`"${name}" is not part of the program`);
    const given = args.map((arg) => {
      if (typeof arg === "string" || typeof arg === "number") return arg;
      throw new NotCompilable(`"${name}" is called with a number that depends on the state`);
    });
    if (given.includes("u")) for (let i = 0; i < inputSize; i += 1) this.inputsRead.add(i);
    const which = given.find((arg) => typeof arg === "number") ?? 0;
    const stores = call.reads(which).flatMap((cell) => {
      const value = cells.get(`w ${cell}`);
      return value === undefined ? [] : [[cell, value] as const];
    });
    for (const k of active) {
      const arrays = examples[k]!;
      for (const [cell, value] of stores) arrays["w"]![cell] = sampleOf(value, k) as number;
      (call.run as (...all: unknown[]) => void)(...given.map((arg) => (typeof arg === "string" ? arrays[arg] : arg)));
    }
    const loads = call.writes(which).map((cell) => graph.fresh("read", cell, 0, (k) => examples[k]!["w"]![cell]!, "w"));
    graph.block.items.push({ kind: "call", name, args: given, stores, loads });
    for (const load of loads) cells.set(`w ${String(load.a)}`, load);
  }
}

/** The arrays that a right-hand side only reads. */
const READ_ONLY_ARRAYS: ReadonlySet<string> = new Set(["x", "u", "timeS"]);
