/**
 * A guard on the length of code: engines do not optimise functions beyond a certain one, and code that is interpreted is
 * slower than the reference.
 *
 * V8 stops at 61 440 bytes of bytecode. Characters do not tell them well: right-hand sides have 0.9 to 1.2 bytes a
 * character, steps up to 1.8. Accesses and operations do: with 13 and 10 bytes each an estimate is at most 1 % below what
 * V8 makes of the built-in vehicles and of odd ones, and for long functions at most a fifth above it (a test asks V8). The
 * eight rotors of `octa` take 45 kB.
 */
import { NotCompilable } from "./not-compilable.ts";

const BYTES_AN_ACCESS = 13;
const BYTES_AN_OPERATION = 10;
/** With room for what the estimate is wrong by, and other versions of the engine. */
export const MOST_BYTES = 57_000;

const ACCESS = /\[/g;
const OPERATION = / (?:[-+*/?=]|[<>]=?|[=!]==|&&|\|\|) |Math\./g;

/** About how many bytes of bytecode an engine makes of a function's body. */
export function estimatedBytes(body: string): number {
  const count = (pattern: RegExp) => body.match(pattern)?.length ?? 0;
  return BYTES_AN_ACCESS * count(ACCESS) + BYTES_AN_OPERATION * count(OPERATION);
}

export function refuseLong(body: string): void {
  const bytes = estimatedBytes(body);
  if (bytes > MOST_BYTES) throw new NotCompilable(`the code would be too long (about ${Math.round(bytes / 1000)} kB)`);
}
