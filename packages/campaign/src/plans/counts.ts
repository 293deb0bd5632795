/** Checks of the numbers that plans take. */
import { planErrors } from "./errors.ts";

const MOST_FLIGHTS = 4294967296;

/** Returns a whole number from `least` on; anything else is a typed error. */
export function wholeNumber(value: number, key: string, least: number): number {
  if (Number.isInteger(value) && value >= least && value <= MOST_FLIGHTS) return value;
  throw planErrors.badCount({
    what: `${key} is ${value}`,
    where: { key: `plan.${key}` },
    fix: `write a whole number from ${least} to ${MOST_FLIGHTS}`,
  });
}
