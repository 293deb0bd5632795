/**
 * A right-hand side in code of its own: made, tried against the reference, and shared by all flights whose parameters
 * have the same structure.
 *
 * The program is first run on the plant's examples, counting which way every branch goes. A side of a branch that no
 * example takes is not written: there the reference is run. What is written has been taken, and has given the
 * reference's bits on every example. The arrays that the code works on belong to it, since engines make the fastest code for arrays
 * that never change; a flight that uses it binds its own numbers first, if another one did in between.
 */
import type { Dynamics, Equations } from "../integrate/contracts.ts";
import { Arena } from "./arena.ts";
import { ConstantRecipes } from "./constants.ts";
import { Branches, Evaluator } from "./evaluator.ts";
import { LEAST_CONSTANT, MOST_CONSTANT, vouch, type Vouching } from "./finite.ts";
import { Graph, type Value } from "./graph.ts";
import { makeFunction } from "./make-function.ts";
import { NumberMemory, SymbolMemory } from "./memory.ts";
import { printBody } from "./printer.ts";
import type { Program } from "./program.ts";
import { Refusal } from "./refusal.ts";
import { Rules } from "./rules.ts";
import { printEvaluate } from "./step-printer.ts";

/** Characters of text from which on engines no longer optimise a function (V8: 60 kB of bytecode). */
const LONGEST_TEXT = 60_000;
/** Short typed arrays lie among the objects and are slower to reach. */
const LEAST_LENGTH = 16;

/** The plant whose numbers a kernel holds at present. */
export interface Binding {
  readonly plant: Dynamics;
  readonly equations: Equations;
  readonly numbers: Float64Array;
}

export class Kernel {
  readonly size: number;
  readonly state: Float64Array;
  readonly slope: Float64Array;
  readonly input: Float64Array;
  readonly scratch: Float64Array;
  readonly clock: Float64Array;
  /** Where its arrays lie, and those of methods that work on it. */
  readonly arena: Arena;
  /** States whose slope is always +0. */
  readonly still: ReadonlySet<number>;
  readonly inputsRead: readonly number[];
  readonly usesTime: boolean;
  readonly vouching: Vouching;
  /** Once an interval, before the rest: what follows from the input and from states that do not move. */
  readonly prepare: () => boolean;
  /** From state, input and clock to slope. */
  readonly rhs: () => void;
  /** From a state and an input of others' to slope and scratch; false: not to be trusted. */
  readonly evaluate: (x: Float64Array, u: Float64Array) => boolean;
  bound: Binding | undefined;
  /** The whole input, where the reference is run; the code has taken over what it reads. */
  given: Float64Array;
  /** Rises when another flight takes over. */
  generation = 0;

  private readonly recipes: ConstantRecipes;
  private readonly numbers: Float64Array;
  private readonly tableNames: readonly string[];
  private readonly tables: readonly (Float64Array | Int32Array)[];

  constructor(plant: Dynamics, equations: Equations) {
    const made = evaluate(plant.layout.size, equations);
    const stateSize = plant.layout.size;
    this.arena = new Arena(24 * stateSize + 2 * equations.inputSize + made.recipes.count + equations.scratchSize + 256);
    const vector = (length: number) => this.arena.reserve(length);
    this.clock = vector(LEAST_LENGTH);
    this.size = plant.layout.size;
    this.recipes = made.recipes;
    this.vouching = made.vouching;
    this.usesTime = made.usesTime || equations.refusedAt !== undefined;
    this.inputsRead = made.inputsRead;
    this.still = new Set([...made.slope].filter(([, value]) => Object.is(value, 0)).map(([i]) => i));
    this.state = vector(this.size);
    this.slope = vector(this.size);
    this.input = vector(equations.inputSize);
    this.given = this.input;
    this.numbers = vector(made.recipes.count);
    this.tableNames = Object.keys(equations.constants);
    this.tables = this.tableNames.map((name) => equations.constants[name]!.slice());
    this.scratch = this.arena.reserve(equations.scratchSize);
    const first = this.bindingOf(plant, equations);
    if (first === undefined) throw new Refusal("a parameter is too large or too small");
    this.bind(first);
    [this.prepare, this.rhs] = this.compile(made, equations, false);
    this.evaluate = this.compileEvaluate(...this.compile(made, equations, true));
    this.compareAll(made, equations);
  }

  /** What a plant needs to use this code, or undefined if its structure is another one. */
  bindingOf(plant: Dynamics, equations: Equations): Binding | undefined {
    const fits = this.tableNames.every((name, i) => equations.constants[name]?.length === this.tables[i]!.length);
    if (!fits || plant.layout.size !== this.size || equations.inputSize > this.input.length) return undefined;
    const numbers = this.recipes.valuesFor(equations.constants);
    const isSound = (value: number) =>
      value === 0 || (Math.abs(value) >= LEAST_CONSTANT && Math.abs(value) <= MOST_CONSTANT);
    return numbers !== undefined && numbers.every(isSound) ? { plant, equations, numbers } : undefined;
  }

  bind(binding: Binding): void {
    this.numbers.set(binding.numbers);
    this.tableNames.forEach((name, i) => this.tables[i]!.set(binding.equations.constants[name]!));
    this.slope.fill(0);
    this.bound = binding;
    this.generation += 1;
  }

  /** The reference, in the arrays of the code. */
  readonly byReference = (): void => {
    const { plant, equations } = this.bound!;
    const [slope, state] = [this.slope.subarray(0, this.size), this.state.subarray(0, this.size)];
    equations.into(slope, this.clock, state, this.given, this.scratch);
    const { refusedAt } = equations;
    if (refusedAt !== undefined && this.scratch[refusedAt] !== 0)
      plant.derivativesInto(slope, this.clock, state, this.given);
  };

  private compareAll({ scratch: written }: Evaluated, equations: Equations): void {
    const slope = new Float64Array(this.size);
    const scratch = new Float64Array(equations.scratchSize);
    const [x, u] = [new Float64Array(this.size), new Float64Array(equations.inputSize)];
    for (let k = 0; k < equations.exampleCount; k += 1) {
      equations.exampleInto(x, u, k);
      equations.into(slope, this.clock, x, u, scratch);
      if (equations.refusedAt !== undefined && scratch[equations.refusedAt] !== 0) continue;
      this.given = u;
      if (!this.evaluate(x, u)) continue;
      let same = slope.every((value, i) => Object.is(value, this.slope[i]));
      for (const cell of written.keys()) same = same && Object.is(scratch[cell], this.scratch[cell]);
      this.slope.fill(0);
      this.prepare();
      this.rhs();
      same = same && slope.every((value, i) => Object.is(value, this.slope[i]));
      if (!same) throw new Refusal(`code and reference differ at example ${k}`);
    }
  }

  private compileEvaluate(prepare: () => boolean, rhs: () => void): Kernel["evaluate"] {
    const { vouching, inputsRead, size } = this;
    const text = printEvaluate({ size, inputs: inputsRead, watched: vouching.states, watchedInputs: vouching.inputs });
    const given = { S: this.state, U: this.input, K: this.slope, prepare, rhs };
    return makeFunction(given, "evaluate(x, u)", text) as Kernel["evaluate"];
  }

  private compile(made: Evaluated, equations: Equations, keepsScratch: boolean): [() => boolean, () => void] {
    const functions = Object.keys(equations.calls);
    const { refusedAt = -1 } = equations;
    const mustBeZero = made.scratch.get(refusedAt) ?? 0;
    const { prepare, body, handed } = printBody({
      root: made.root,
      slopes: new Map([...made.slope].filter(([i]) => !this.still.has(i))),
      scratch: made.scratch,
      keepsScratch,
      mustBeZero,
      tables: this.tableNames,
      functions,
      checked: made.vouching.others,
      still: this.still,
    });
    if (body.length > LONGEST_TEXT) throw new Refusal(`the code would be too long (${body.length} characters)`);
    const given: Record<string, unknown> = {
      S: this.state,
      U: this.input,
      T: this.clock,
      K: this.slope,
      W: this.scratch,
      C: this.numbers,
      V: this.arena.reserve(handed),
      bail: this.byReference,
    };
    this.tables.forEach((table, i) => (given[`A${i}`] = table));
    functions.forEach((name, i) => (given[`F${i}`] = equations.calls[name]!.run));
    return [
      makeFunction(given, "prepare()", prepare) as () => boolean,
      makeFunction(given, keepsScratch ? "outputs()" : "slopes()", body) as () => void,
    ];
  }
}

/** What running the program on symbols leaves. */
interface Evaluated {
  readonly root: Graph["root"];
  readonly slope: ReadonlyMap<number, Value>;
  readonly scratch: ReadonlyMap<number, Value>;
  readonly recipes: ConstantRecipes;
  readonly vouching: Vouching;
  readonly usesTime: boolean;
  readonly inputsRead: readonly number[];
}

function evaluate(size: number, equations: Equations): Evaluated {
  const program = JSON.parse(equations.program) as Program;
  const { constants, calls } = equations;
  const recipes = new ConstantRecipes(constants);
  const graph = new Graph();
  const rules = new Rules(graph, recipes);
  const branches = new Branches();
  runExamples(size, equations, (arrays) => {
    new Evaluator({ program, graph, rules, branches, memory: new NumberMemory(arrays, calls) }).run();
  });
  const memory = new SymbolMemory({ graph, rules, recipes, constants, calls });
  new Evaluator({ program, graph, rules, branches, memory }).run();
  const slope = memory.written("dx");
  const inputs = graph.leaves.filter(({ op }) => op === "input").map(({ a }) => a as number);
  return {
    root: graph.root,
    slope,
    scratch: memory.written("w"),
    recipes,
    vouching: vouch(rules.relied, slope.values()),
    usesTime: graph.leaves.some(({ op }) => op === "time"),
    inputsRead: [...new Set(inputs)].sort((a, b) => a - b),
  };
}

/** Runs the program on the numbers of every example. */
function runExamples(
  size: number,
  equations: Equations,
  run: (arrays: Record<string, Float64Array | Int32Array>) => void,
): void {
  const [x, u, dx] = [new Float64Array(size), new Float64Array(equations.inputSize), new Float64Array(size)];
  const w = new Float64Array(equations.scratchSize);
  for (let k = 0; k < equations.exampleCount; k += 1) {
    equations.exampleInto(x, u, k);
    run({ ...equations.constants, x, u, dx, w, timeS: new Float64Array(1) });
  }
}
