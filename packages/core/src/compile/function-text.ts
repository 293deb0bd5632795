/**
 * Functions as text, and the one place of the core that turns text into code.
 *
 * The text comes from the printers of this folder, which write operations, places in arrays and a few numbers, and never a
 * name or a text of the flight.
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
 * An expression whose value is a maker. What is given is bound by `const` in a closure of its own: V8 then compiles the
 * arrays into the code as constants.
 */
export function makerText({ head, body, given }: FunctionText): string {
  return `(given) => { const { ${given.join(", ")} } = given; return function ${head} {\n${body}\n}; }`;
}

/** Fails where a policy forbids code from strings. A syntax error is a bug of a printer: it costs speed, not the flight. */
export function makerOf(text: FunctionText): Maker {
  try {
    return new Function(`"use strict"; return ${makerText(text)};`)() as Maker;
  } catch (error) {
    if (error instanceof SyntaxError) throw new NotCompilable(`the printed text is not code: ${error.message}`);
    throw new NotCompilable("code generation is not allowed here");
  }
}

const BYTES_PER_ACCESS = 13;
const BYTES_PER_OPERATION = 10;
/** V8 does not optimise functions above 61 440 bytes of bytecode. This leaves room for the error of the estimate. */
export const MAX_BYTES = 57_000;

const ACCESS = /\[/g;
const OPERATION = / (?:[-+*/?=]|[<>]=?|[=!]==|&&|\|\|) |Math\./g;

/** About how much bytecode V8 makes of a body. A test compares this with V8's own count. */
export function estimatedBytes(body: string): number {
  const count = (pattern: RegExp) => body.match(pattern)?.length ?? 0;
  return BYTES_PER_ACCESS * count(ACCESS) + BYTES_PER_OPERATION * count(OPERATION);
}

/** Interpreted straight-line code is slower than the optimised reference. */
export function requireOptimisable(body: string): void {
  const bytes = estimatedBytes(body);
  if (bytes > MAX_BYTES) throw new NotCompilable(`the code would be too long (about ${Math.round(bytes / 1000)} kB)`);
}
