/**
 * The compiler: when a flight is assembled, it makes straight-line code for the plant's equations. The code computes
 * the same bits as the source.
 *
 * `evaluator.ts` runs the equations on symbols and builds a graph (`graph.ts`) of the remaining computation;
 * `kernel-printer.ts`, `printer.ts` and `step-printer.ts` print it; `kernel.ts` and `method.ts` bind the code to a
 * flight and switch to the reference if a guard fails. Code made during the build of the package is preferred. If no
 * code can be made, the flight runs on the reference and reports why.
 */
import type { CompiledMethod, Dynamics, Evaluation } from "../integrate/contract.ts";
import { CachedBits } from "../integrate/bits.ts";
import type { Tableau } from "../integrate/tableau.ts";
import { requireCodeGeneration } from "./function-text.ts";
import { ALL, type Binding, bindingOf, Kernel, type KernelCode } from "./kernel.ts";
import { makeKernelCode } from "./kernel-printer.ts";
import { FlightMethod } from "./method.ts";
import { NotCompilable } from "./program.ts";

export { type FunctionText, makerText } from "./function-text.ts";
export type { KernelCode } from "./kernel.ts";
export { printKernel } from "./kernel-printer.ts";
export { methodKey, printMethod } from "./method.ts";
export { CodeDiffers, NotCompilable } from "./program.ts";

export interface CompiledPlant {
  /** Compiles an integration method. Throws `NotCompilable`. */
  readonly method: (tableau: Tableau) => CompiledMethod;
  /** Evaluates the right-hand side with outputs, in place of the reference. */
  readonly evaluation: Evaluation;
  readonly isAheadOfTime: boolean;
}

/** Number of kernels kept for later flights. */
const MAX_KERNELS = 8;
const kernels: Kernel[] = [];

/** Compiles a plant, or returns the reason why it cannot be compiled. */
export function compile(plant: Dynamics, ready: readonly KernelCode[] = []): CompiledPlant | NotCompilable {
  if (plant.equations === undefined) return new NotCompilable("the plant's equations are not given as data");
  try {
    const [kernel, binding] = kernelFor(plant, ready);
    return {
      method: (tableau) => new FlightMethod(kernel, binding, tableau),
      evaluation: evaluationOf(kernel, binding),
      isAheadOfTime: ready.includes(kernel.code),
    };
  } catch (error) {
    if (error instanceof NotCompilable) return error;
    throw error;
  }
}

/** Returns the first code that fits a plant. */
export function findCode(plant: Dynamics, codes: readonly KernelCode[]): KernelCode | undefined {
  if (plant.equations === undefined) return undefined;
  return codes.find((code) => bindingOf(code, plant) !== undefined);
}

function kernelFor(plant: Dynamics, ready: readonly KernelCode[]): [Kernel, Binding] {
  for (const kernel of kernels) {
    const binding = bindingOf(kernel.code, plant);
    if (binding === undefined || !kernel.fits(binding)) continue;
    kernel.check(binding);
    return [kernel, binding];
  }
  const found = findCode(plant, ready);
  if (found === undefined) requireCodeGeneration();
  const code = found ?? makeKernelCode(plant.layout.size, plant.equations!);
  const binding = bindingOf(code, plant)!;
  // Code that the build made has already been compared with the reference on all examples.
  const kernel = new Kernel(code, binding, { hasPassed: found !== undefined });
  kernel.check(binding);
  kernels.unshift(kernel);
  kernels.length = Math.min(kernels.length, MAX_KERNELS);
  return [kernel, binding];
}

/** Makes the evaluation of one flight. Evaluating the previous state and input again costs nothing. */
function evaluationOf(kernel: Kernel, binding: Binding): Evaluation {
  const xBits = new CachedBits();
  const uBits = new CachedBits();
  const { take, evaluate } = kernel.functions;
  return {
    slope: kernel.outputSlope,
    scratch: kernel.scratch,
    evaluate: (timeS, x, u) => {
      if (kernel.bound !== binding) kernel.bind(binding);
      kernel.hasOutputRequest = true;
      if (kernel.knownOf(xBits.of(x), uBits.of(u)) === ALL) return;
      kernel.clock[0] = timeS[0]!;
      take(x, u);
      const isDone = evaluate();
      if (!isDone) kernel.evaluateByReference(x, u);
      kernel.isEvaluated = isDone && !kernel.code.usesTime;
    },
  };
}
