/**
 * Decides whether a flight runs code compiled for its vehicle, and if not, gives the reason.
 *
 * Compiled code changes the speed of a flight but no bit of it. So the result reports which code ran, but the
 * definition does not mention code.
 */
import type { IntegratorContext, Plant } from "../engine/index.ts";
import { CodeDiffers, compile, findCode, NotCompilable } from "../compile/index.ts";
import { readyKernels } from "./ready-kernels.ts";

interface FlightCode {
  /**
   * "compiled" or "compiled at build time"; otherwise "reference: " and the reason, or "ALARM, reference: " if the code
   * and the equations gave different bits, which means that one of them is wrong.
   */
  readonly text: string;
  /** Adds the code to the context of an integrator. */
  readonly addTo: (context: IntegratorContext) => IntegratorContext;
}

/** Returns true if code for the plant was compiled at build time and is loaded. */
export function hasReadyCode(plant: Plant): boolean {
  return findCode(plant, readyKernels) !== undefined;
}

/**
 * Compiles the plant, unless `isEnabled` is false. The outputs use the compiled code, and so do integrators that
 * request it.
 */
export function codeFor(plant: Plant, isEnabled = true): FlightCode {
  const reference = (why: string, how = "reference"): FlightCode => ({
    text: `${how}: ${why}`,
    addTo: (context) => context,
  });
  if (!isEnabled) return reference("code generation is switched off");
  const made = compile(plant, readyKernels);
  if (made instanceof CodeDiffers) return reference(made.message, "ALARM, reference");
  if (made instanceof NotCompilable) return reference(made.message);
  plant.equations?.adopt?.(made.evaluation);
  let text = "reference: the integrator does not use compiled code";
  return {
    get text() {
      return text;
    },
    addTo: (context) => ({
      ...context,
      code: (tableau) => {
        try {
          const method = made.method(tableau);
          text = made.isAheadOfTime ? "compiled at build time" : "compiled";
          return method;
        } catch (error) {
          if (!(error instanceof NotCompilable)) throw error;
          text = `reference: ${error.message}`;
          return undefined;
        }
      },
    }),
  };
}
