/** Checks of the numbers that plans take. */
import { planErrors } from "./errors.ts";

const MAX_FLIGHTS = 4294967296;

/** Returns a whole number from `least` on; anything else is a typed error. */
export function wholeNumber(value: number, key: string, least: number): number {
  if (Number.isInteger(value) && value >= least && value <= MAX_FLIGHTS) return value;
  throw planErrors.badCount({
    what: `${key} is ${value}`,
    where: { key: `plan.${key}` },
    fix: `write a whole number from ${least} to ${MAX_FLIGHTS}`,
  });
}
