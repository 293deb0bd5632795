/**
 * Code from text: the one place of the core that makes any.
 *
 * The text comes from the printers of this folder, which write operations, places in arrays and a few numbers, and never
 * a name or a text of the flight's.
 */
import { NotCompilable } from "./not-compilable.ts";

/** A function in text: its name, for profiles, and its parameters; its body; the names of things that never change. */
export interface FunctionText {
  readonly head: string;
  readonly body: string;
  readonly given: readonly string[];
}

/** Makes a function over things that never change. */
export type Maker = (given: Readonly<Record<string, unknown>>) => unknown;

/**
 * An expression whose value is a maker. What is given is named by const, and in one closure: engines then take the arrays
 * for what they are, at a fixed place in memory.
 */
export function makerText({ head, body, given }: FunctionText): string {
  return `(given) => { const { ${given.join(", ")} } = given; return function ${head} {\n${body}\n}; }`;
}

/** Forbidden where a content-security policy says so. Text that is none is a printer's slip: it costs speed, no flight. */
export function makerOf(text: FunctionText): Maker {
  try {
    return new Function(`"use strict"; return ${makerText(text)};`)() as Maker;
  } catch (error) {
    if (error instanceof SyntaxError) throw new NotCompilable(`what was printed is not code: ${error.message}`);
    throw new NotCompilable("code generation is not allowed here");
  }
}
