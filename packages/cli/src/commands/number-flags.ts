/** Parses flags whose values are numbers. */
import { cliErrors } from "../errors.ts";

/** Parses the number given to a flag. Throws CLI-010 if it is not a number or out of range. */
export function numberOf(flag: string, text: string, low: number, high: number): number {
  const value = text.trim() === "" ? NaN : Number(text);
  if (value >= low && value <= high) return value;
  throw cliErrors.badCount({ what: `${flag} ${text} is not in range`, fix: `use a number from ${low} to ${high}` });
}
