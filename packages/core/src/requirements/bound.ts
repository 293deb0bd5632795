/**
 * A bound of a formula's margin over a block of samples. Without windows, and with one predicate, it is the best margin
 * of the block.
 *
 * For most blocks the bound shows that no sample is better than the best one so far. The nodes of a monitor skip these
 * blocks, because their result would be discarded.
 */
import type { Formula } from "./compile.ts";
import { GREATEST, LEAST, type Predicate } from "./predicate.ts";

interface BoundOptions {
  /** Whether margins are divided by the scale of their quantity. */
  readonly isScaled: boolean;
  /** Whether the least margin counts, so that a smaller margin is better. */
  readonly isMin: boolean;
}

/**
 * Returns a margin that no instant of the block improves on: infinite if nothing can be said without other samples, not
 * a number if a margin is not known.
 *
 * A window that contains the current instant and takes the opposite extreme is no better than the current sample.
 */
export function bestPossible(formula: Formula, predicates: readonly Predicate[], options: BoundOptions): number {
  const { isScaled, isMin } = options;
  switch (formula.is) {
    case "predicate": {
      const { extremes, scale } = predicates[formula.index]!;
      const extreme = extremes[isMin === (formula.sign === 1) ? LEAST : GREATEST]!;
      return (formula.sign * extreme) / (isScaled ? scale : 1);
    }
    case "both": {
      const left = bestPossible(formula.left, predicates, options);
      const right = bestPossible(formula.right, predicates, options);
      return formula.isMin ? Math.min(left, right) : Math.max(left, right);
    }
    case "window": {
      const hasPresent = formula.fromUs <= 0 && formula.toUs >= 0;
      if (hasPresent && formula.isMin !== isMin) return bestPossible(formula.of, predicates, options);
    }
  }
  return isMin ? -Infinity : Infinity;
}
