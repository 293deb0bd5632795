/**
 * A right-hand side in code, for all plants of one structure: made at assembly from its equations, or ready-made when the
 * package was built.
 *
 * The program is first run on the plant's examples, counting which way every branch goes. A side of a branch that no
 * example takes is not written: there the reference is run.
 */
import type { Equations } from "../integrate/contracts.ts";
import { ConstantRecipes, type Structure } from "./constants.ts";
import { Branches, Evaluator } from "./evaluator.ts";
import { vouch } from "./finite.ts";
import { Graph } from "./graph.ts";
import { refuseLong } from "./length.ts";
import { type FunctionText, type Maker, makerOf } from "./make-function.ts";
import { NumberMemory, SymbolMemory } from "./memory.ts";
import type { MethodMakers } from "./method-code.ts";
import { printBody } from "./printer.ts";
import type { Program } from "./program.ts";
import { Refusal } from "./refusal.ts";
import { Rules } from "./rules.ts";
import { printEvaluate } from "./step-printer.ts";

/** What has to be known about a right-hand side to use its code. */
export interface KernelFacts {
  /** The equations that it was made from. */
  readonly program: string;
  readonly structure: Structure;
  /** Numbers in a state. */
  readonly size: number;
  readonly usesTime: boolean;
  readonly inputsRead: readonly number[];
  /** States whose slope is always +0. */
  readonly still: readonly number[];
  /** States and inputs that must not be huge. */
  readonly watchedStates: readonly number[];
  readonly watchedInputs: readonly number[];
  /** Cells of scratch that are filled where outputs are to read them. */
  readonly written: readonly number[];
  /** Numbers that stay the same over an interval, for slopes and for outputs. */
  readonly handed: number;
  readonly handedToOutputs: number;
}

/** What stays the same over an interval, and the rest: for slopes alone, and with scratch for outputs. */
export const KERNEL_FUNCTIONS = ["prepare", "slopes", "prepareOutputs", "outputs", "evaluate"] as const;
export type KernelFunction = (typeof KERNEL_FUNCTIONS)[number];

export interface KernelText extends KernelFacts {
  readonly functions: Readonly<Record<KernelFunction, FunctionText>>;
}

export interface KernelCode extends KernelFacts {
  readonly functions: Readonly<Record<KernelFunction, Maker>>;
  /** Methods that are ready-made, by `methodKey`. */
  readonly methods: Readonly<Record<string, MethodMakers>>;
}

export function makeKernelCode(size: number, equations: Equations): KernelCode {
  const { functions, ...facts } = printKernel(size, equations);
  const makers = Object.fromEntries(KERNEL_FUNCTIONS.map((name) => [name, makerOf(functions[name])]));
  return { ...facts, functions: makers as KernelCode["functions"], methods: {} };
}

export function printKernel(size: number, equations: Equations): KernelText {
  const { root, slope, scratch, recipes, vouching, usesTime, inputsRead } = evaluated(size, equations);
  const still = [...slope].filter(([, value]) => Object.is(value, 0)).map(([i]) => i);
  if (still.length === size) throw new Refusal("no example moves the state");
  const { outputCells } = equations;
  const kept = outputCells === undefined ? scratch : new Map([...scratch].filter(([i]) => outputCells.includes(i)));
  const tables = Object.keys(equations.constants);
  const calls = Object.keys(equations.calls);
  const print = (keepsScratch: boolean) =>
    printBody({
      root,
      slopes: new Map([...slope].filter(([i]) => !still.includes(i))),
      scratch: keepsScratch ? kept : scratch,
      keepsScratch,
      mustBeZero: scratch.get(equations.refusedAt ?? -1) ?? 0,
      tables,
      functions: calls,
      checked: vouching.others,
      still: new Set(still),
    });
  const [slopes, outputs] = [print(false), print(true)];
  for (const { prepare, body } of [slopes, outputs]) [prepare, body].forEach(refuseLong);
  const arrays = ["S", "U", "T", "K", "W", "C", "V", "bail"];
  const given = [...arrays, ...tables.map((_, i) => `A${i}`), ...calls.map((_, i) => `F${i}`)];
  const text = (head: string, body: string): FunctionText => ({ head, body, given });
  const facts = {
    program: equations.program,
    structure: { steps: recipes.steps, decisions: recipes.decisions },
    size,
    usesTime,
    inputsRead,
    still,
    watchedStates: vouching.states,
    watchedInputs: vouching.inputs,
    written: [...kept.keys()],
    handed: slopes.handed,
    handedToOutputs: outputs.handed,
  };
  return {
    ...facts,
    functions: {
      prepare: text("prepare()", slopes.prepare),
      slopes: text("slopes()", slopes.body),
      prepareOutputs: text("prepareOutputs()", outputs.prepare),
      outputs: text("outputs()", outputs.body),
      evaluate: { head: "evaluate(x, u)", body: printEvaluate(facts), given: ["S", "U", "K", "prepare", "rhs"] },
    },
  };
}

/** What running the program on symbols leaves. */
function evaluated(size: number, equations: Equations) {
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
  for (let i = 0; i < size; i += 1)
    if (!slope.has(i)) throw new Refusal(`element ${i} of "dx" is not written on every path`);
  const symbols = graph.leaves.filter(({ op }) => op === "input").map(({ a }) => a as number);
  const inputs = memory.handsOutInput ? Array.from({ length: equations.inputSize }, (_, i) => i) : symbols;
  return {
    root: graph.root,
    slope,
    scratch: memory.written("w"),
    recipes,
    vouching: vouch(rules.relied, slope.values()),
    // Also where only a function that is called as it stands, or the reference behind a guard, looks at it.
    usesTime: program.functions[0]!.params.includes("timeS"),
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
