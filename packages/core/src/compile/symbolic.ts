/** Turns the equations of a plant into the graph of its slopes and outputs. */
import type { Equations } from "../integrate/contract.ts";
import type { ConstantRecipes } from "./constants.ts";
import { Evaluator } from "./evaluator.ts";
import type { Item, Node, Value } from "./graph.ts";
import { NotCompilable, type Program } from "./program.ts";

/** The graph after part of the run, and the value of each cell of scratch at that point. */
interface Remains {
  readonly items: readonly Item[];
  readonly scratch: ReadonlyMap<number, Value>;
  /** Values that must be finite. */
  readonly assumedFinite: readonly Node[];
}

interface SymbolicRun {
  /** Value of each slope. */
  readonly slopes: ReadonlyMap<number, Value>;
  readonly afterSlopes: Remains;
  readonly afterOutputs: Remains;
  readonly recipes: ConstantRecipes;
  readonly usesTime: boolean;
  readonly inputsRead: readonly number[];
}

export function runOnSymbols(size: number, equations: Equations): SymbolicRun {
  const program = JSON.parse(equations.program) as Program;
  const evaluator = new Evaluator(program, equations, size);
  const { graph, recipes } = evaluator;
  const remains = (): Remains => ({
    items: [...graph.root.items],
    scratch: evaluator.written("w"),
    assumedFinite: [...graph.root.assumedFinite],
  });
  evaluator.run(0);
  const slopes = evaluator.written("dx");
  const afterSlopes = remains();
  if (program.outputs !== undefined) evaluator.run(program.outputs);
  for (const [i, value] of evaluator.written("dx"))
    if (!Object.is(slopes.get(i), value)) throw new NotCompilable(`outputs change element ${i} of "dx"`);
  for (let i = 0; i < size; i += 1)
    if (!slopes.has(i)) throw new NotCompilable(`element ${i} of "dx" is not written on every path`);
  return {
    slopes,
    afterSlopes,
    afterOutputs: remains(),
    recipes,
    // An opaque function or the reference may read the time even if the graph does not.
    usesTime: program.functions[0]!.params.includes("timeS"),
    inputsRead: [...evaluator.inputsRead].sort((a, b) => a - b),
  };
}
