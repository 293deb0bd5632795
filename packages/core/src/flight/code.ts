/**
 * Whether a flight runs code made for its vehicle, and if not, why.
 *
 * Code changes no bit; what it changes is time. So it is no part of what is flown, and the flight tells of it at its end.
 */
import type { IntegratorContext, Plant } from "../engine/index.ts";
import { specialise } from "../specialise/index.ts";

export interface FlightCode {
  /** "specialised", or "reference: " and why. */
  readonly text: string;
  /** What the integrator is made with. */
  readonly given: (context: IntegratorContext) => IntegratorContext;
}

/** Makes code for the plant unless it is not wanted; outputs use it from then on, and the integrator if it asks for it. */
export function codeFor(plant: Plant, isWanted = true): FlightCode {
  if (!isWanted) return { text: "reference: code generation is switched off", given: (context) => context };
  const { code, method, evaluation } = specialise(plant);
  if (method === undefined || evaluation === undefined) return { text: code, given: (context) => context };
  plant.equations?.adopt?.(evaluation);
  let isAsked = false;
  return {
    get text() {
      return isAsked ? code : "reference: the integrator makes its steps without code";
    },
    given: (context) => ({
      ...context,
      code: (tableau) => {
        isAsked = true;
        return method(tableau);
      },
    }),
  };
}
