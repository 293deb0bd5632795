/**
 * The specialiser: code for the plant at hand, made at assembly from its equations as data.
 *
 * The plant and the methods are written once, readable; here a partial evaluator runs them with the vehicle's numbers
 * known and its state as symbols, and what remains becomes straight-line code with the same bits. What was made like that
 * when the package was built is used first: it needs no code generation where a flight is flown. Where code cannot be
 * had, the reference runs and the flight says why.
 */
import type { Dynamics, Evaluation, MethodCode } from "../integrate/contract.ts";
import type { Tableau } from "../integrate/tableau.ts";
import { type KernelCode, makeKernelCode } from "./kernel-code.ts";
import { type Binding, bindingOf, Kernel } from "./kernel.ts";
import { methodCode } from "./method-code.ts";
import { NotCompilable } from "./not-compilable.ts";

export { type KernelCode, KERNEL_FUNCTIONS, printKernel } from "./kernel-code.ts";
export { makerText } from "./make-function.ts";
export { methodKey, printMethod } from "./method-code.ts";
export { NotCompilable } from "./not-compilable.ts";

export interface Specialised {
  /** Code for an integration method. */
  readonly method: (tableau: Tableau) => MethodCode;
  /** The right-hand side in place of the reference, for outputs. */
  readonly evaluation: Evaluation;
  readonly isReadyMade: boolean;
}

/** Kernels that are kept for the next flight; more structures than this at a time are unusual. */
const MOST_KERNELS = 8;
const kernels: Kernel[] = [];

/** Code for a plant, or why there is none. A method may refuse as well, by throwing. */
export function specialise(plant: Dynamics, ready: readonly KernelCode[] = []): Specialised | NotCompilable {
  if (plant.equations === undefined) return new NotCompilable("the plant's equations are not given as data");
  try {
    const [kernel, binding] = kernelFor(plant, ready);
    return {
      method: (tableau) => methodCode(kernel, binding, tableau),
      evaluation: new CodeEvaluation(kernel, binding),
      isReadyMade: ready.includes(kernel.code),
    };
  } catch (error) {
    if (error instanceof NotCompilable) return error;
    throw error;
  }
}

function kernelFor(plant: Dynamics, ready: readonly KernelCode[]): [Kernel, Binding] {
  for (const kernel of kernels) {
    const binding = bindingOf(kernel.code, plant);
    if (binding === undefined || !kernel.holds(binding)) continue;
    kernel.tryOn(binding);
    return [kernel, binding];
  }
  const code =
    ready.find((each) => bindingOf(each, plant) !== undefined) ?? makeKernelCode(plant.layout.size, plant.equations!);
  const binding = bindingOf(code, plant);
  if (binding === undefined) throw new NotCompilable("a parameter is too large or too small");
  const kernel = new Kernel(code, binding);
  kernel.tryOn(binding);
  kernels.unshift(kernel);
  kernels.length = Math.min(kernels.length, MOST_KERNELS);
  return [kernel, binding];
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
    kernel.settle();
    kernel.clock[0] = timeS[0]!;
    kernel.given = u;
    if (!kernel.evaluate(x, u)) kernel.evaluateByReference(x);
  }
}
