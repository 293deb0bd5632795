/**
 * A right-hand side as data: the output of `tools/compile`, and the input of the compiler.
 *
 * The language is the small subset of TypeScript used for equations: plain functions over flat arrays, local numbers,
 * branches and loops. Locals are numbered slots (parameters first), functions are indices, and module constants are
 * numbers. A program is nested JSON; the first element of each array names the operation.
 */

/** Operators and functions with one and with two arguments. */
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
  /** While the condition holds: the body, then the update of a `for`. */
  | readonly ["loop", Expression, Block, Block]
  | readonly ["do", Expression]
  | readonly ["return"]
  | readonly ["return", Expression]
  | readonly ["continue"];

export type Block = readonly Statement[];

/** A value that is known while code is made. */
export type Known = number | boolean;

export interface FunctionData {
  /** Used in messages and to find opaque functions. */
  readonly name: string;
  /** Names of the parameters, which occupy the first slots. */
  readonly params: readonly string[];
  readonly slots: number;
  /** Absent if the function is opaque: called, not translated. */
  readonly body?: Block;
}

export interface Program {
  /** The first is the right-hand side itself. */
  readonly functions: readonly FunctionData[];
  /** Index of the function that computes outputs after an evaluation, if there is one. */
  readonly outputs?: number;
}

/** The reason why there is no compiled code. The flight then runs on the reference and reports this message. */
export class NotCompilable extends Error {}

/** The compiled code gives different bits from the equations: the compiler, the engine or the processor is wrong. */
export class CodeDiffers extends NotCompilable {}

/** Whether an expression contains no call and no choice. */
export function isPlain(expression: Expression): boolean {
  if (typeof expression !== "object") return true;
  const [op, ...parts] = expression as readonly [string, ...Expression[]];
  return op !== "call" && op !== "choose" && parts.every(isPlain);
}

/** Whether a list of statements can leave its loop or function. */
export function leaves(code: Block): boolean {
  return code.some(
    (statement) =>
      statement[0] === "return" ||
      statement[0] === "continue" ||
      (statement[0] === "if" && (leaves(statement[2]) || leaves(statement[3]))),
  );
}

export function isOperation(op: string): boolean {
  return Object.hasOwn(OPERATIONS, op);
}

/** Returns the result of an operation. The arguments are numbers, except those of `not`, `and` and `or`. */
export function apply(op: Unary | Binary, left: Known, right: Known): Known {
  return OPERATIONS[op](left as number, right as number);
}

const OPERATIONS: Readonly<Record<Unary | Binary, (a: number, b: number) => Known>> = {
  neg: (a) => -a,
  not: (a) => !a,
  sqrt: (a) => Math.sqrt(a),
  abs: (a) => Math.abs(a),
  floor: (a) => Math.floor(a),
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  min: (a, b) => Math.min(a, b),
  max: (a, b) => Math.max(a, b),
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "===": (a, b) => a === b,
  "!==": (a, b) => a !== b,
  and: (a, b) => a && b,
  or: (a, b) => a || b,
};
