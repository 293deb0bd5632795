/** Values that requirements compute from cells: sums, products and functions. */

/** Operations of a value's program. Their arguments are in `args`. */
export const OP = {
  cell: 0,
  number: 1,
  add: 2,
  subtract: 3,
  multiply: 4,
  divide: 5,
  negate: 6,
  abs: 7,
  min: 8,
  max: 9,
  norm: 10,
} as const;
type Operation = (typeof OP)[keyof typeof OP];

/** A value as operations on a stack. */
export interface ValueProgram {
  readonly ops: Uint8Array;
  readonly args: Float64Array;
}

/** The stack, with room for the deepest program: a requirement has at most 1000 parts. */
const STACK = new Float64Array(1024);

/** Evaluates a program at the first `count` samples of a block. Cells are the indices of columns. */
export function evaluateColumn(
  out: Float64Array,
  count: number,
  program: ValueProgram,
  columns: readonly Float64Array[],
): void {
  for (let k = 0; k < count; k += 1) evaluateInto(out, k, program, columns);
}

function evaluateInto(
  out: Float64Array,
  at: number,
  { ops, args }: ValueProgram,
  columns: readonly Float64Array[],
): void {
  let top = -1;
  for (let i = 0; i < ops.length; i += 1) {
    const arg = args[i]!;
    const op = ops[i]! as Operation;
    switch (op) {
      case OP.cell:
        STACK[++top] = columns[arg]![at]!;
        break;
      case OP.number:
        STACK[++top] = arg;
        break;
      case OP.add:
        STACK[top - 1]! += STACK[top]!;
        top -= 1;
        break;
      case OP.subtract:
        STACK[top - 1]! -= STACK[top]!;
        top -= 1;
        break;
      case OP.multiply:
        STACK[top - 1]! *= STACK[top]!;
        top -= 1;
        break;
      case OP.divide:
        STACK[top - 1]! /= STACK[top]!;
        top -= 1;
        break;
      case OP.negate:
        STACK[top] = -STACK[top]!;
        break;
      case OP.abs:
        STACK[top] = Math.abs(STACK[top]!);
        break;
      case OP.min:
        STACK[top - 1] = Math.min(STACK[top - 1]!, STACK[top]!);
        top -= 1;
        break;
      case OP.max:
        STACK[top - 1] = Math.max(STACK[top - 1]!, STACK[top]!);
        top -= 1;
        break;
      case OP.norm:
        STACK[top - arg + 1] = lengthOfLast(arg, top);
        top -= arg - 1;
        break;
      default:
        op satisfies never;
    }
  }
  out[at] = STACK[0]!;
}

/** Returns the length of the vector of the last `count` values of the stack. */
function lengthOfLast(count: number, top: number): number {
  let squares = 0;
  for (let k = 0; k < count; k += 1) squares += STACK[top - k]! * STACK[top - k]!;
  return Math.sqrt(squares);
}
