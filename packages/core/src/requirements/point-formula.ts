/**
 * The margin of a formula without windows, from the present sample alone.
 *
 * Most requirements have such a formula, and most samples do not improve on the one that has decided so far. A monitor
 * then skips its nodes, which would only pass the sample on to be discarded.
 */
import type { Formula } from "./compile.ts";
import type { Sample } from "./sample.ts";
import { isLess, VALUE } from "./segments.ts";

/** Operations of the program: a predicate pushes its margin; the others replace two margins by one. */
const PREDICATE = 0;
const LESSER = 1;
const GREATER = 2;

interface Operation {
  readonly op: number;
  /** Of a predicate: its index, and the factors of its margin. */
  readonly index: number;
  readonly sign: number;
  readonly scale: number;
}

export class PointFormula {
  private readonly sample: Sample;
  private readonly ops: Uint8Array;
  private readonly indices: Int32Array;
  private readonly signs: Float64Array;
  private readonly scales: Float64Array;
  private readonly stack: Float64Array;

  private constructor(sample: Sample, operations: readonly Operation[]) {
    this.sample = sample;
    this.ops = Uint8Array.from(operations, ({ op }) => op);
    this.indices = Int32Array.from(operations, ({ index }) => index);
    this.signs = Float64Array.from(operations, ({ sign }) => sign);
    this.scales = Float64Array.from(operations, ({ scale }) => scale);
    this.stack = new Float64Array(operations.length);
  }

  /** Undefined if the formula has a window, or an event, which lasts only a microsecond. */
  static of(formula: Formula, sample: Sample, isScaled: boolean): PointFormula | undefined {
    const operations = operationsOf(formula, sample, isScaled);
    return operations === undefined ? undefined : new PointFormula(sample, operations);
  }

  /** Whether the present margin is known and not below (or, if the greatest counts, above) that of a segment. */
  isNoBetterThan(best: Float64Array, isMin: boolean): boolean {
    const { ops, indices, signs, scales, stack } = this;
    const { margins } = this.sample;
    let top = -1;
    for (let i = 0; i < ops.length; i += 1) {
      if (ops[i] === PREDICATE) {
        top += 1;
        stack[top] = (signs[i]! * margins[indices[i]!]!) / scales[i]!;
        // Not a number: a value of a log that is not known.
        if (stack[top] !== stack[top]) return false;
        continue;
      }
      top -= 1;
      const takesRight =
        ops[i] === LESSER ? isLess(stack[top + 1]!, stack[top]!) : isLess(stack[top]!, stack[top + 1]!);
      if (takesRight) stack[top] = stack[top + 1]!;
    }
    return isMin ? !isLess(stack[0]!, best[VALUE]!) : !isLess(best[VALUE]!, stack[0]!);
  }
}

function operationsOf(formula: Formula, sample: Sample, isScaled: boolean): readonly Operation[] | undefined {
  if (formula.is === "predicate") {
    const { isEvent, scale } = sample.predicates[formula.index]!;
    if (isEvent) return undefined;
    return [{ op: PREDICATE, index: formula.index, sign: formula.sign, scale: isScaled ? scale : 1 }];
  }
  if (formula.is !== "both") return undefined;
  const left = operationsOf(formula.left, sample, isScaled);
  const right = operationsOf(formula.right, sample, isScaled);
  if (left === undefined || right === undefined) return undefined;
  return [...left, ...right, { op: formula.isMin ? LESSER : GREATER, index: 0, sign: 1, scale: 1 }];
}
