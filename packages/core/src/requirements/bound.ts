/**
 * Bounds the margin of a formula over a block of samples. For one comparison with a constant (not `==` or `!=`) and no
 * window, the bound is the best margin in the block: the least if `takesLeast`, otherwise the greatest.
 *
 * For most blocks the bound shows that no sample is better than the best one so far. A monitor does not process these
 * blocks.
 */
import type { Formula } from "./compile.ts";
import { GREATEST, LEAST, type Predicate } from "./predicate.ts";

export interface BoundOptions {
  /** Whether margins are divided by the scale of their quantity. */
  readonly isScaled: boolean;
  /** Whether the monitor searches for the least margin. Then a smaller margin is better. */
  readonly takesLeast: boolean;
}

/**
 * Writes a bound: the margin at no instant of the block is better. It is infinite if the margin depends on samples
 * outside the block, and NaN if a margin is unknown. The bound of a right-hand operand is written to the next cell of
 * `out`. Bounds are written, not returned, because V8 allocates a returned number.
 *
 * A window takes the least or the greatest margin of its operand. If it contains the current instant and takes the
 * extreme opposite to `takesLeast`, its margin is no better than the operand's current margin. So the operand's bound
 * holds for the window too.
 */
export function boundInto(
  out: Float64Array,
  at: number,
  formula: Formula,
  predicates: readonly Predicate[],
  options: BoundOptions,
): void {
  const { isScaled, takesLeast } = options;
  out[at] = takesLeast ? -Infinity : Infinity;
  switch (formula.is) {
    case "predicate": {
      const predicate = predicates[formula.index]!;
      predicate.boundInto(out, at, takesLeast === (formula.sign === 1) ? LEAST : GREATEST);
      out[at]! *= formula.sign;
      if (isScaled) out[at]! /= predicate.info.scale;
      break;
    }
    case "pair":
      boundInto(out, at, formula.left, predicates, options);
      boundInto(out, at + 1, formula.right, predicates, options);
      out[at] = formula.takesLeast ? Math.min(out[at]!, out[at + 1]!) : Math.max(out[at]!, out[at + 1]!);
      break;
    case "window": {
      const hasPresent = formula.fromUs <= 0 && formula.toUs >= 0;
      if (hasPresent && formula.takesLeast !== takesLeast) boundInto(out, at, formula.of, predicates, options);
    }
  }
}

/** Returns the number of cells that the bound of a formula needs. */
export function boundCells(formula: Formula): number {
  switch (formula.is) {
    case "pair":
      return Math.max(boundCells(formula.left), 1 + boundCells(formula.right));
    case "window":
      return boundCells(formula.of);
    default:
      return 1;
  }
}
