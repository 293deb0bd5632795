/**
 * Code from text: the one place of the core that makes any.
 *
 * The text comes from the printers of this folder, which write operations, places in arrays and a few numbers, and never
 * a name or a text of the flight's.
 */
import { Refusal } from "./refusal.ts";

/**
 * A function from text, over things that never change. `head` is its name, for profiles, and its parameters. Forbidden
 * where a content-security policy says so.
 */
export function makeFunction(given: Readonly<Record<string, unknown>>, head: string, body: string): unknown {
  // Named by const, and in one closure: engines then take the arrays for what they are, at a fixed place in memory.
  const names = Object.keys(given).join(", ");
  let maker: (given: Readonly<Record<string, unknown>>) => unknown;
  try {
    maker = new Function(
      "given",
      `"use strict"; const { ${names} } = given; return function ${head} {\n${body}\n};`,
    ) as typeof maker;
  } catch (error) {
    if (error instanceof SyntaxError) throw error;
    throw new Refusal("code generation is not allowed here");
  }
  return maker(given);
}
