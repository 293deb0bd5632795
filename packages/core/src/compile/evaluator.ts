/**
 * Runs a program: with its parameters known and its state as symbols, leaving the operations that remain; or with the
 * numbers of an example, to see which way every branch goes.
 *
 * Loops with a known end are unrolled, functions are followed, branches on known conditions are taken. A branch on the
 * state stays one: both sides are run, and what differs after them becomes a merged value. Of a branch that no example
 * takes on one side, only the other is run, behind a guard. What cannot be followed is refused, with a reason.
 */
import { Block, type Graph, isNode, keyOf, type Node, type Value } from "./graph.ts";
import { ArrayRef, type Kept, type Memory, NumberMemory, SymbolMemory } from "./memory.ts";
import type { Binary, Block as Code, Expression, Program, Statement, Unary } from "./program.ts";
import { NotCompilable } from "./not-compilable.ts";
import type { Rules } from "./rules.ts";

/** Every place in a run at which something can go one way or the other, and which ways were taken. */
export class Branches {
  private readonly ids = new Map<object, number>();
  private readonly places = new Map<string, number>();
  private readonly taken = new Map<number, { yes: number; no: number }>();

  /** A place inside another: which call or loop of the program, and in which turn. */
  inside(place: number, what: object, turn = 0): number {
    let id = this.ids.get(what);
    if (id === undefined) {
      id = this.ids.size;
      this.ids.set(what, id);
    }
    const key = `${place} ${id} ${turn}`;
    let found = this.places.get(key);
    if (found === undefined) {
      found = this.places.size + 1;
      this.places.set(key, found);
    }
    return found;
  }

  take(place: number, holds: boolean): void {
    const counts = this.taken.get(place) ?? { yes: 0, no: 0 };
    if (holds) counts.yes += 1;
    else counts.no += 1;
    this.taken.set(place, counts);
  }

  /** The only way an example went, if it was always the same. */
  onlyWay(place: number): boolean | "never there" | undefined {
    const counts = this.taken.get(place);
    if (counts === undefined) return "never there";
    return counts.yes > 0 && counts.no > 0 ? undefined : counts.yes > 0;
  }
}

type Slot = Value | ArrayRef | undefined;
/** How a stretch of code ended: it ran through to where paths meet again, or it left its function. */
type Completion = "through" | "returned";
type If = Extract<Statement, readonly ["if", ...unknown[]]>;
type Loop = Extract<Statement, readonly ["loop", ...unknown[]]>;
type Logic = readonly ["and" | "or", Expression, Expression];

interface Frame {
  slots: Slot[];
  result: Value | undefined;
}

interface Moment {
  readonly slots: readonly Slot[];
  readonly result: Value | undefined;
  readonly kept: Kept;
}

const DEEPEST = 64;
const MOST_TURNS = 1000;
const UNARY: ReadonlySet<string> = new Set(["neg", "not", "sqrt", "abs", "floor"]);
const BINARY: ReadonlySet<string> = new Set(["+", "-", "*", "/", "min", "max", "<", "<=", ">", ">=", "===", "!=="]);

export class Evaluator {
  private readonly program: Program;
  private readonly graph: Graph;
  private readonly rules: Rules;
  private readonly memory: Memory;
  private readonly branches: Branches;
  private frame: Frame = { slots: [], result: undefined };
  private depth = 0;
  /** Where in the program the run stands. */
  private place = 0;

  constructor(parts: { program: Program; graph: Graph; rules: Rules; memory: Memory; branches: Branches }) {
    this.program = parts.program;
    this.graph = parts.graph;
    this.rules = parts.rules;
    this.memory = parts.memory;
    this.branches = parts.branches;
  }

  /** Runs the right-hand side, or another function over the same arrays. */
  run(index = 0): void {
    const { params } = this.program.functions[index]!;
    this.call(
      index,
      params.map((name) => new ArrayRef(name)),
    );
  }

  private call(index: number, args: readonly Slot[]): Value | undefined {
    const { name, slots, body } = this.program.functions[index]!;
    if (body === undefined) {
      this.memory.call(name, args as (Value | ArrayRef)[]);
      return undefined;
    }
    if (this.depth > DEEPEST) throw new NotCompilable(`"${name}" calls itself too often`);
    const caller = this.frame;
    this.frame = { slots: Array.from<Slot>({ length: slots }), result: undefined };
    args.forEach((arg, i) => (this.frame.slots[i] = arg));
    this.depth += 1;
    this.exec(body, 0, () => "returned");
    this.depth -= 1;
    const { result } = this.frame;
    this.frame = caller;
    return result;
  }

  /** From statement `at` on, and then whatever comes after the list. */
  private exec(code: Code, at: number, after: () => Completion): Completion {
    for (let i = at; i < code.length; i += 1) {
      const statement = code[i]!;
      switch (statement[0]) {
        case "set":
          this.set(statement[1], this.value(statement[2]));
          break;
        case "put":
          this.memory.write(this.array(statement[1]), this.value(statement[2]), this.value(statement[3]));
          break;
        case "do":
          this.evaluate(statement[1]);
          break;
        case "loop":
          if (this.loop(statement, 0) === "returned") return "returned";
          break;
        case "return":
          if (statement.length === 2) this.frame.result = this.value(statement[1]);
          return "returned";
        case "continue":
          return "through";
        case "if":
          return this.branch(statement, () => this.exec(code, i + 1, after));
      }
    }
    return after();
  }

  private branch(statement: If, rest: () => Completion): Completion {
    const [, test, yes, no] = statement;
    const condition = this.decide(this.value(test), statement, 0);
    if (!isNode(condition)) return this.exec(condition === true ? yes : no, 0, rest);
    // Where neither side leaves, they meet right after; otherwise the side that goes on takes the rest with it.
    if (!leaves(yes) && !leaves(no)) {
      const through = () => "through" as const;
      this.fork(
        condition,
        () => this.exec(yes, 0, through),
        () => this.exec(no, 0, through),
      );
      return rest();
    }
    return this.fork(
      condition,
      () => this.exec(yes, 0, rest),
      () => this.exec(no, 0, rest),
    );
  }

  private loop(statement: Loop, turn: number): Completion {
    const [, test, body, update] = statement;
    const outside = this.place;
    const once = (turns: number): Completion => {
      this.place = this.branches.inside(outside, statement, turns);
      const end =
        this.exec(body, 0, () => "through") === "returned" ? "returned" : this.exec(update, 0, () => "through");
      this.place = outside;
      return end;
    };
    for (let turns = turn; turns < MOST_TURNS; turns += 1) {
      const condition = this.decide(this.value(test), statement, turns);
      if (condition === false) return "through";
      if (isNode(condition)) {
        if (turns > DEEPEST) throw new NotCompilable("the end of a loop depends on the state");
        const on = () => (once(turns) === "returned" ? "returned" : this.loop(statement, turns + 1));
        return this.fork(condition, on, () => "through");
      }
      if (once(turns) === "returned") return "returned";
    }
    throw new NotCompilable("a loop does not end");
  }

  /** The condition, or what is known of it: by what holds here, or because no example went the other way. */
  private decide(given: Value, what: object, turn: number): Value {
    const condition = this.graph.block.settled(truth(given));
    const place = this.branches.inside(this.place, what, turn);
    if (!isNode(condition)) {
      if (this.memory instanceof NumberMemory) this.branches.take(place, condition === true);
      return condition;
    }
    const only = this.branches.onlyWay(place);
    if (only === "never there") throw new NotCompilable("no example comes by a branch");
    if (only === undefined) return condition;
    this.graph.block.items.push({ kind: "guard", condition, holds: only });
    this.graph.block.assume(condition, only);
    return only;
  }

  /** Both sides of a branch on the state, and what differs after them. */
  private fork(condition: Node, yes: () => Completion, no: () => Completion): Completion {
    const { graph, memory, frame } = this;
    if (!(memory instanceof SymbolMemory)) throw new NotCompilable("an example leaves a condition open");
    const outside = graph.block;
    const before: Moment = { slots: frame.slots, result: frame.result, kept: memory.kept };
    const side = (run: () => Completion, holds: boolean): [Block, Moment, Completion] => {
      frame.slots = [...before.slots];
      frame.result = before.result;
      memory.restore(before.kept);
      graph.block = new Block(outside);
      graph.block.assume(condition, holds);
      const completion = run();
      const { block } = graph;
      graph.block = outside;
      return [block, { slots: frame.slots, result: frame.result, kept: memory.kept }, completion];
    };
    const [yesBlock, first, yesEnd] = side(yes, true);
    const [noBlock, second, noEnd] = side(no, false);
    if (yesEnd !== noEnd) throw new NotCompilable("a function is left in the middle of a loop, depending on the state");
    const merged: Node[] = [];
    const join = (a: Slot, b: Slot): Slot => this.merge(condition, a, b, merged);
    frame.slots = first.slots.map((value, i) => join(value, second.slots[i]));
    frame.result = join(first.result, second.result) as Value | undefined;
    const kept = new Map<string, Value>();
    for (const [key, value] of first.kept) {
      const both = join(value, second.kept.get(key));
      if (both !== undefined) kept.set(key, both as Value);
    }
    memory.restore(kept);
    outside.items.push({ kind: "branch", condition, yes: yesBlock, no: noBlock, merged });
    return yesEnd;
  }

  /** One value out of two; what only one side has is not to be used after. */
  private merge(condition: Node, a: Slot, b: Slot, merged: Node[]): Slot {
    if (a === undefined || b === undefined || a instanceof ArrayRef || b instanceof ArrayRef) {
      return a === b ? a : undefined;
    }
    if (keyOf(a) === keyOf(b)) return a;
    const { rules, graph } = this;
    // A truth that one side settles is said without a branch.
    if (b === false && graph.isHere(a)) return rules.binary("and", condition, a);
    if (a === true && graph.isHere(b)) return rules.binary("or", condition, b);
    if (a === false && graph.isHere(b)) return rules.binary("and", rules.unary("not", condition), b);
    if (b === true && graph.isHere(a)) return rules.binary("or", rules.unary("not", condition), a);
    const same = merged.find((other) => Object.is(other.a, a) && Object.is(other.b, b));
    if (same !== undefined) return same;
    const node = graph.fresh("phi", a, b, {
      isTruth: isTruth(a) || isTruth(b),
      isNeverMinusZero: rules.isNeverMinusZero(a) && rules.isNeverMinusZero(b),
      isNonNegative: rules.isNonNegative(a) && rules.isNonNegative(b),
    });
    merged.push(node);
    return node;
  }

  /** Evaluating a value may replace the slots: they are looked up only then. */
  private set(slot: number, value: Value): void {
    this.frame.slots[slot] = value;
  }

  private value(expression: Expression): Value {
    const value = this.evaluate(expression);
    if (value === undefined || value instanceof ArrayRef)
      throw new NotCompilable("a value is used that no path has set");
    return value;
  }

  private evaluate(expression: Expression): Slot {
    if (typeof expression === "number" || typeof expression === "boolean") return expression;
    const [op] = expression;
    switch (expression[0]) {
      case "slot":
        return this.frame.slots[expression[1]];
      case "at":
        return this.memory.read(this.array(expression[1]), this.value(expression[2]));
      case "call":
        return this.follow(expression);
      case "choose":
        return this.choose(expression, expression[1], expression[2], expression[3]);
      case "and":
      case "or":
        return this.logic(expression as Logic);
      default:
        if (UNARY.has(op)) return this.rules.unary(op as Unary, this.value(expression[1]));
        if (!BINARY.has(op)) throw new NotCompilable("an operation is not one of the language");
        return this.rules.binary(op as Binary, this.value(expression[1]), this.value(expression[2]!));
    }
  }

  private follow(expression: Extract<Expression, readonly ["call", ...unknown[]]>): Value | undefined {
    const [, index, ...given] = expression;
    const args = given.map((arg) => this.evaluate(arg));
    const outside = this.place;
    this.place = this.branches.inside(outside, expression);
    const result = this.call(index, args);
    this.place = outside;
    return result;
  }

  /** The right side is worked only where the left one leaves it open, which counts where it does more than compare. */
  private logic(expression: Logic): Value {
    const [op, left, right] = expression;
    if (!isPlain(right)) {
      return op === "or" ? this.choose(expression, left, true, right) : this.choose(expression, left, right, false);
    }
    const settled = (side: Expression) => this.graph.block.settled(truth(this.value(side)));
    const first = settled(left);
    if (!isNode(first)) return first === (op === "or") ? first : settled(right);
    return this.rules.binary(op, first, settled(right));
  }

  private choose(what: object, test: Expression, yes: Expression, no: Expression): Value {
    const condition = this.decide(this.value(test), what, 0);
    if (!isNode(condition)) return this.value(condition === true ? yes : no);
    const at = this.frame.slots.length;
    const give = (chosen: Expression) => (): Completion => {
      this.set(at, this.value(chosen));
      return "through";
    };
    this.fork(condition, give(yes), give(no));
    const chosen = this.frame.slots[at] as Value;
    this.frame.slots.length = at;
    return chosen;
  }

  private array(slot: number): ArrayRef {
    const array = this.frame.slots[slot];
    if (!(array instanceof ArrayRef)) throw new NotCompilable("a number is used as an array");
    return array;
  }
}

/** A number is no condition: what it means as one is not said by the rules. */
function truth(value: Value): Value {
  if (isTruth(value)) return value;
  throw new NotCompilable("a number is used as a condition");
}

/** Whether an expression neither calls nor chooses. */
function isPlain(expression: Expression): boolean {
  if (typeof expression !== "object") return true;
  const [op, ...parts] = expression as readonly [string, ...Expression[]];
  return op !== "call" && op !== "choose" && parts.every(isPlain);
}

/** Whether a list of statements leaves its loop or function somewhere. */
function leaves(code: Code): boolean {
  return code.some((statement) => {
    if (statement[0] === "return" || statement[0] === "continue") return true;
    return statement[0] === "if" && (leaves(statement[2]) || leaves(statement[3]));
  });
}

function isTruth(value: Value): boolean {
  return isNode(value) ? value.isTruth : typeof value === "boolean";
}
