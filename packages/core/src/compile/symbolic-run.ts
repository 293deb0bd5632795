/**
 * Runs a program with its parameters known and its state as symbols, and tells what remains to be computed.
 *
 * It is first run on the plant's examples, counting which way every branch goes. A side of a branch that no example takes
 * is not followed: there the reference is run.
 */
import type { Equations } from "../integrate/contract.ts";
import { ConstantRecipes } from "./constants.ts";
import { Branches, Evaluator } from "./evaluator.ts";
import { type Block, Graph, type Node, type Value } from "./graph.ts";
import { NumberMemory, SymbolMemory } from "./memory.ts";
import type { Program } from "./program.ts";
import { NotCompilable } from "./not-compilable.ts";
import { Rules } from "./rules.ts";

/** What a run left behind up to some point. */
export interface Remains {
  readonly root: Block;
  /** Value of each cell of scratch. */
  readonly scratch: ReadonlyMap<number, Value>;
  /** Factors that must have been finite. */
  readonly relied: ReadonlySet<Node>;
}

export interface SymbolicRun {
  /** Value of each slope. */
  readonly slope: ReadonlyMap<number, Value>;
  readonly afterSlopes: Remains;
  readonly afterOutputs: Remains;
  readonly recipes: ConstantRecipes;
  readonly usesTime: boolean;
  readonly inputsRead: readonly number[];
}

export function runOnSymbols(size: number, equations: Equations): SymbolicRun {
  const program = JSON.parse(equations.program) as Program;
  const { constants, calls } = equations;
  const recipes = new ConstantRecipes(constants);
  const graph = new Graph();
  const rules = new Rules(graph, recipes);
  const branches = new Branches();
  runExamples(size, equations, (arrays) => {
    const evaluator = new Evaluator({ program, graph, rules, branches, memory: new NumberMemory(arrays, calls) });
    evaluator.run();
    if (program.outputs !== undefined) evaluator.run(program.outputs);
  });
  const memory = new SymbolMemory({ graph, rules, recipes, constants, calls });
  const evaluator = new Evaluator({ program, graph, rules, branches, memory });
  const remains = (): Remains => ({
    root: graph.root.soFar(),
    scratch: memory.written("w"),
    relied: new Set(rules.relied),
  });
  evaluator.run();
  const slope = memory.written("dx");
  const afterSlopes = remains();
  if (program.outputs !== undefined) evaluator.run(program.outputs);
  const afterOutputs = remains();
  for (const [i, value] of memory.written("dx"))
    if (!Object.is(slope.get(i), value)) throw new NotCompilable(`outputs change element ${i} of "dx"`);
  for (let i = 0; i < size; i += 1)
    if (!slope.has(i)) throw new NotCompilable(`element ${i} of "dx" is not written on every path`);
  const symbols = graph.leaves.filter(({ op }) => op === "input").map(({ a }) => a as number);
  const inputs = memory.handsOutInput ? Array.from({ length: equations.inputSize }, (_, i) => i) : symbols;
  return {
    slope,
    afterSlopes,
    afterOutputs,
    recipes,
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
