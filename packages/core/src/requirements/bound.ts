/**
 * A bound of a formula's margin over a block of samples. Without windows, and with one predicate, it is the best margin
 * of the block.
 *
 * For most blocks the bound shows that no sample is better than the best one so far. A monitor does not process these
 * blocks.
 */
import type { Formula } from "./compile.ts";
import { GREATEST, LEAST, type Predicate } from "./predicate.ts";

export interface BoundOptions {
  /** Whether margins are divided by the scale of their quantity. */
  readonly isScaled: boolean;
  /** Whether the least margin counts, so that a smaller margin is better. */
  readonly isMin: boolean;
}

/**
 * Writes a margin that no instant of the block improves on: infinite if it depends on other samples, NaN if a margin is
 * unknown. Each level of the formula uses one more cell. The bound is written, not returned, because V8 allocates a
 * returned number.
 *
 * A window that contains the current instant and takes the opposite extreme is no better than the current sample.
 */
export function boundInto(
  out: Float64Array,
  at: number,
  formula: Formula,
  predicates: readonly Predicate[],
  options: BoundOptions,
): void {
  const { isScaled, isMin } = options;
  out[at] = isMin ? -Infinity : Infinity;
  switch (formula.is) {
    case "predicate": {
      const predicate = predicates[formula.index]!;
      predicate.boundInto(out, at, isMin === (formula.sign === 1) ? LEAST : GREATEST);
      out[at]! *= formula.sign;
      if (isScaled) out[at]! /= predicate.info.scale;
      break;
    }
    case "both":
      boundInto(out, at, formula.left, predicates, options);
      boundInto(out, at + 1, formula.right, predicates, options);
      out[at] = formula.isMin ? Math.min(out[at]!, out[at + 1]!) : Math.max(out[at]!, out[at + 1]!);
      break;
    case "window": {
      const hasPresent = formula.fromUs <= 0 && formula.toUs >= 0;
      if (hasPresent && formula.isMin !== isMin) boundInto(out, at, formula.of, predicates, options);
    }
  }
}

/** Returns the number of cells that the bound of a formula needs. */
export function boundCells(formula: Formula): number {
  switch (formula.is) {
    case "both":
      return Math.max(boundCells(formula.left), 1 + boundCells(formula.right));
    case "window":
      return boundCells(formula.of);
    default:
      return 1;
  }
}
