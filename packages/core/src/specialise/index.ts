/**
 * The specialiser: code for the plant at hand, made at assembly from its equations as data.
 *
 * The plant and the methods are written once, readable; here a partial evaluator runs them with the vehicle's numbers
 * known and its state as symbols, and what remains becomes straight-line code with the same bits. Where that cannot be
 * had, the reference runs and the flight says why.
 */
import type { Dynamics, Evaluation, MethodCode } from "../integrate/contracts.ts";
import type { Tableau } from "../integrate/tableau.ts";
import { type Binding, Kernel } from "./kernel.ts";
import { methodCode } from "./method-code.ts";
import { Refusal } from "./refusal.ts";

export interface Specialised {
  /** "specialised", or "reference: " and why. */
  readonly code: string;
  /** Code for an integration method. */
  readonly method?: (tableau: Tableau) => MethodCode | undefined;
  /** The right-hand side in place of the reference, for outputs. */
  readonly evaluation?: Evaluation;
}

/** Kernels of a program that are kept for the next flight; more structures than this are unusual. */
const MOST_KERNELS = 8;
const kernels = new Map<string, Kernel[]>();

/** Code for a plant, if it can be had. */
export function specialise(plant: Dynamics): Specialised {
  const { equations } = plant;
  if (equations === undefined) return { code: "reference: the plant's equations are not given as data" };
  try {
    const [kernel, binding] = kernelFor(plant);
    return {
      code: "specialised",
      method: (tableau) => methodCode(kernel, binding, tableau),
      evaluation: new CodeEvaluation(kernel, binding),
    };
  } catch (error) {
    if (error instanceof Refusal) return { code: `reference: ${error.message}` };
    throw error;
  }
}

function kernelFor(plant: Dynamics): [Kernel, Binding] {
  const equations = plant.equations!;
  const known = kernels.get(equations.program) ?? [];
  for (const kernel of known) {
    const binding = kernel.bindingOf(plant, equations);
    if (binding !== undefined) return [kernel, binding];
  }
  const kernel = new Kernel(plant, equations);
  kernels.set(equations.program, [kernel, ...known].slice(0, MOST_KERNELS));
  return [kernel, kernel.bound!];
}

/** A flight's way to single evaluations. */
class CodeEvaluation implements Evaluation {
  readonly slope: Float64Array;
  readonly scratch: Float64Array;
  private readonly kernel: Kernel;
  private readonly binding: Binding;

  constructor(kernel: Kernel, binding: Binding) {
    this.kernel = kernel;
    this.binding = binding;
    this.slope = kernel.slope;
    this.scratch = kernel.scratch;
  }

  evaluate(timeS: Float64Array, x: Float64Array, u: Float64Array): void {
    const { kernel, binding } = this;
    if (kernel.bound !== binding) kernel.bind(binding);
    kernel.clock[0] = timeS[0]!;
    kernel.given = u;
    if (!kernel.evaluate(x, u)) kernel.byReference();
  }
}
