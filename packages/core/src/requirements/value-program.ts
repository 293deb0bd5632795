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

/** An operation that computes a column from others. */
type Computation = Exclude<Operation, typeof OP.cell | typeof OP.number>;

/** One operation on columns. */
interface ColumnStep {
  readonly op: Computation;
  readonly operands: readonly Float64Array[];
  readonly out: Float64Array;
}

/** A program that is evaluated for whole blocks: one loop over the samples per operation. */
export class ColumnProgram {
  /** The values of the program after `evaluate`. */
  readonly out: Float64Array;
  private readonly steps: ColumnStep[] = [];

  /** Cells are the indices of `columns`, which have `size` samples. */
  constructor({ ops, args }: ValueProgram, columns: readonly Float64Array[], size: number) {
    const stack: Float64Array[] = [];
    ops.forEach((code, i) => {
      const op = code as Operation;
      const arg = args[i]!;
      if (op === OP.cell) stack.push(columns[arg]!);
      else if (op === OP.number) stack.push(new Float64Array(size).fill(arg));
      else {
        const operands = stack.splice(-operandCount(op, arg));
        const out = new Float64Array(size);
        this.steps.push({ op, operands, out });
        stack.push(out);
      }
    });
    this.out = stack[0]!;
  }

  /** Whether the values are those of a cell or a number, so that nothing is evaluated. */
  get isPlain(): boolean {
    return this.steps.length === 0;
  }

  /** Evaluates the first `count` samples. */
  evaluate(count: number): void {
    for (const { op, operands, out } of this.steps) {
      if (op === OP.norm) lengthInto(out, operands, count);
      else if (op === OP.negate || op === OP.abs) applyToOne(out, op, operands[0]!, count);
      else applyToTwo(out, op, operands[0]!, operands[1]!, count);
    }
  }
}

function operandCount(op: Computation, arg: number): number {
  if (op === OP.norm) return arg;
  return op === OP.negate || op === OP.abs ? 1 : 2;
}

type OneOperand = typeof OP.negate | typeof OP.abs;
type TwoOperands = Exclude<Computation, OneOperand | typeof OP.norm>;

function applyToOne(out: Float64Array, op: OneOperand, of: Float64Array, count: number): void {
  if (op === OP.negate) for (let k = 0; k < count; k += 1) out[k] = -of[k]!;
  else for (let k = 0; k < count; k += 1) out[k] = Math.abs(of[k]!);
}

function applyToTwo(out: Float64Array, op: TwoOperands, left: Float64Array, right: Float64Array, count: number): void {
  switch (op) {
    case OP.add:
      for (let k = 0; k < count; k += 1) out[k] = left[k]! + right[k]!;
      break;
    case OP.subtract:
      for (let k = 0; k < count; k += 1) out[k] = left[k]! - right[k]!;
      break;
    case OP.multiply:
      for (let k = 0; k < count; k += 1) out[k] = left[k]! * right[k]!;
      break;
    case OP.divide:
      for (let k = 0; k < count; k += 1) out[k] = left[k]! / right[k]!;
      break;
    case OP.min:
      for (let k = 0; k < count; k += 1) out[k] = Math.min(left[k]!, right[k]!);
      break;
    case OP.max:
      for (let k = 0; k < count; k += 1) out[k] = Math.max(left[k]!, right[k]!);
      break;
    default:
      op satisfies never;
  }
}

/** Writes the length of a vector. The squares are added from the last component to the first. */
function lengthInto(out: Float64Array, components: readonly Float64Array[], count: number): void {
  out.fill(0, 0, count);
  for (let i = components.length - 1; i >= 0; i -= 1) {
    const component = components[i]!;
    for (let k = 0; k < count; k += 1) out[k]! += component[k]! * component[k]!;
  }
  for (let k = 0; k < count; k += 1) out[k] = Math.sqrt(out[k]!);
}
