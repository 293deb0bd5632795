/** Checks the numbers in plans. */
import { planErrors } from "./errors.ts";

const MAX_FLIGHTS = 4294967296;

/** Returns the value if it is a whole number from `min` on; throws a typed error otherwise. */
export function wholeNumber(value: number, key: string, min: number): number {
  if (Number.isInteger(value) && value >= min && value <= MAX_FLIGHTS) return value;
  throw planErrors.badCount({
    what: `${key} is ${value}`,
    where: { key: `plan.${key}` },
    fix: `write a whole number from ${min} to ${MAX_FLIGHTS}`,
  });
}
