/**
 * A right-hand side as data: what `tools/specialise` makes from its source, and the specialiser runs on symbols.
 *
 * The language is the small part of TypeScript that equations are written in: plain functions over flat arrays, local
 * numbers, branches and loops. Names are gone: locals are numbered slots (parameters first), functions are indices, and
 * constants of modules are numbers. Arrays are nested JSON, the first element of each says what it is.
 */

/** Operators and functions of one and two numbers. */
export type Unary = "neg" | "not" | "sqrt" | "abs" | "floor";
export type Binary = "+" | "-" | "*" | "/" | "min" | "max" | "<" | "<=" | ">" | ">=" | "===" | "!==" | "and" | "or";

export type Expression =
  | number
  | boolean
  | readonly ["slot", number]
  /** Array in a slot, index. */
  | readonly ["at", number, Expression]
  | readonly [Unary, Expression]
  | readonly [Binary, Expression, Expression]
  | readonly ["choose", Expression, Expression, Expression]
  | readonly ["call", number, ...Expression[]];

export type Statement =
  | readonly ["set", number, Expression]
  /** Array in a slot, index, value. */
  | readonly ["put", number, Expression, Expression]
  | readonly ["if", Expression, Block, Block]
  /** While the condition holds: the body, then what a `for` does after it. */
  | readonly ["loop", Expression, Block, Block]
  | readonly ["do", Expression]
  | readonly ["return"]
  | readonly ["return", Expression]
  | readonly ["continue"];

export type Block = readonly Statement[];

export interface FunctionData {
  /** For messages, and to find those that are called as they stand. */
  readonly name: string;
  /** Names of the parameters, which are the first slots. */
  readonly params: readonly string[];
  readonly slots: number;
  /** Absent: not part of the program, called as it stands. */
  readonly body?: Block;
}

export interface Program {
  /** The first is the right-hand side itself. */
  readonly functions: readonly FunctionData[];
  /** Place of the function that makes outputs of an evaluation, if there is one. */
  readonly outputs?: number;
}
