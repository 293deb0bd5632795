/**
 * Whether a flight runs code made for its vehicle, and if not, why.
 *
 * Code changes no bit; what it changes is time. So it is no part of what is flown, and the flight tells of it at its end.
 */
import type { IntegratorContext, Plant } from "../engine/index.ts";
import { compile, NotCompilable } from "../compile/index.ts";
import { readyKernels } from "./ready-kernels.ts";

export interface FlightCode {
  /** "specialised", and whether it was ready-made; or "reference: " and why. */
  readonly text: string;
  /** What the integrator is made with. */
  readonly given: (context: IntegratorContext) => IntegratorContext;
}

/** Makes code for the plant unless it is not wanted; outputs use it from then on, and the integrator if it asks for it. */
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
