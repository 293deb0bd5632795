/**
 * Functions as text. This is the only place in the core that turns text into code.
 *
 * The printers of this folder write the text. It contains operations, positions in arrays and a few numbers, but never
 * a name or other text from a flight's description.
 */
import { NotCompilable } from "./program.ts";

/** Name and parameters of a function, its body, and the names of the arrays and functions that it is bound to. */
export interface FunctionText {
  readonly head: string;
  readonly body: string;
  readonly given: readonly string[];
}

/** Makes a function over arrays and functions that never change. */
export type Maker = (given: Readonly<Record<string, unknown>>) => unknown;

/**
 * Returns an expression whose value is a maker. `const` binds the arrays in a closure that only this function has, so
 * that V8 compiles them into the code as constants.
 */
export function makerText({ head, body, given }: FunctionText): string {
  return `(given) => { const { ${given.join(", ")} } = given; return function ${head} {\n${body}\n}; }`;
}

/**
 * Throws `NotCompilable` if a policy forbids code from strings. Call it before the equations are analysed, because the
 * analysis takes time.
 */
export function requireCodeGeneration(): void {
  try {
    new Function("");
  } catch {
    throw new NotCompilable("code generation is not allowed here");
  }
}

/**
 * Makes a maker from its text. Throws `NotCompilable` if a policy forbids code from strings, or on a syntax error,
 * which is a bug in a printer; the flight then runs on the slower reference.
 */
export function makerOf(text: FunctionText): Maker {
  requireCodeGeneration();
  try {
    return new Function(`"use strict"; return ${makerText(text)};`)() as Maker;
  } catch (error) {
    throw new NotCompilable(`the printed text is not code: ${(error as Error).message}`);
  }
}

/** Applies a function to every value of a record. */
export function mapped<K extends string, A, B>(given: Readonly<Record<K, A>>, change: (value: A, name: K) => B) {
  const entries = Object.entries<A>(given) as [K, A][];
  return Object.fromEntries(entries.map(([name, value]) => [name, change(value, name)])) as Record<K, B>;
}

const BYTES_PER_ACCESS = 13;
const BYTES_PER_OPERATION = 10;
const BYTES_PER_CALL = 60;
/**
 * V8 does not optimise functions above 61 440 bytes of bytecode. This limit is lower, because the estimate has an error
 * of up to 2 %.
 */
export const MAX_BYTES = 60_000;

const ACCESS = /\[/g;
const CALL = /\bF\d/g;
const OPERATION = / (?:[-+*/?=]|[<>]=?|[=!]==|&&|\|\|) |Math\./g;

/** Estimates the bytecode size of a body in V8. A test compares it with V8's own count. */
export function estimatedBytes(body: string): number {
  const count = (pattern: RegExp) => body.match(pattern)?.length ?? 0;
  return BYTES_PER_ACCESS * count(ACCESS) + BYTES_PER_OPERATION * count(OPERATION) + BYTES_PER_CALL * count(CALL);
}

/**
 * Throws if the code is too long to be optimised, because interpreted straight-line code is slower than the optimised
 * reference.
 */
export function requireOptimisable(body: string): void {
  const bytes = estimatedBytes(body);
  if (bytes > MAX_BYTES) throw new NotCompilable(`the code would be too long (about ${Math.round(bytes / 1000)} kB)`);
}
