/**
 * Whether a flight runs code compiled for its vehicle, and if not, why.
 *
 * Code changes the speed of a flight and no bit of it. So it is not part of the definition; the result reports it.
 */
import type { IntegratorContext, Plant } from "../engine/index.ts";
import { compile, NotCompilable } from "../compile/index.ts";
import { readyKernels } from "./ready-kernels.ts";

interface FlightCode {
  /** "specialised", and whether it was ready-made; or "reference: " and why. */
  readonly text: string;
  /** Adds the code to what an integrator is made with. */
  readonly given: (context: IntegratorContext) => IntegratorContext;
}

/** Compiles the plant unless `isWanted` is false. Outputs use the code from then on, and the integrator if it asks for it. */
export function codeFor(plant: Plant, isWanted = true): FlightCode {
  const reference = (why: string): FlightCode => ({ text: `reference: ${why}`, given: (context) => context });
  if (!isWanted) return reference("code generation is switched off");
  const made = compile(plant, readyKernels);
  if (made instanceof NotCompilable) return reference(made.message);
  plant.equations?.adopt?.(made.evaluation);
  let text = "reference: the integrator makes its steps without code";
  return {
    get text() {
      return text;
    },
    given: (context) => ({
      ...context,
      code: (tableau) => {
        try {
          const method = made.method(tableau);
          text = made.isAheadOfTime ? "specialised, ready-made" : "specialised";
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
