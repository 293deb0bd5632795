/** Converts the equations of a plant to the graph of its slopes and outputs. */
import type { Equations } from "../integrate/contract.ts";
import { Evaluator } from "./evaluator.ts";
import { isNode, type Item, type Value } from "./graph.ts";
import { NotCompilable, type Program } from "./program.ts";

/** The graph of a plant's slopes and outputs. */
interface SymbolicRun {
  /** Value of each slope. */
  readonly slopes: ReadonlyMap<number, Value>;
  /** Value of each cell of scratch after the outputs. */
  readonly scratch: ReadonlyMap<number, Value>;
  /** The items that compute the slopes, and those that compute slopes and outputs. */
  readonly slopeItems: readonly Item[];
  readonly items: readonly Item[];
  readonly inputsRead: readonly number[];
}

export function runOnSymbols(size: number, program: Program, equations: Equations): SymbolicRun {
  const evaluator = new Evaluator(program, equations, size);
  const { graph } = evaluator;
  const { root } = graph;
  evaluator.run(0);
  const slopes = evaluator.written("dx");
  const refused = evaluator.written("w").get(equations.refusedAt ?? -1) ?? 0;
  // If there is no result, the reference runs instead and handles the case.
  if (isNode(refused)) root.guard(graph.operation("===", refused, 0), true);
  const slopeItems = [...root.items];
  if (program.outputs !== undefined) evaluator.run(program.outputs);
  for (const [i, value] of evaluator.written("dx"))
    if (!Object.is(slopes.get(i), value)) throw new NotCompilable(`outputs change element ${i} of "dx"`);
  for (let i = 0; i < size; i += 1)
    if (!slopes.has(i)) throw new NotCompilable(`element ${i} of "dx" is not written on every path`);
  const inputsRead = [...evaluator.inputsRead].sort((a, b) => a - b);
  return { slopes, scratch: evaluator.written("w"), slopeItems, items: root.items, inputsRead };
}
