/**
 * A bound of a formula's margin, from the present sample alone. Without windows it is the margin itself.
 *
 * Most formulas have such a bound, and for most samples it shows that they are no better than the best one so far. The
 * nodes of a monitor skip these samples, because their result would be discarded.
 */
import type { Formula } from "./compile.ts";
import type { Sample } from "./sample.ts";

/** A predicate pushes its margin; the others replace two margins by one. */
export const PREDICATE = 0;
export const LESSER = 1;
const GREATER = 2;

export interface BoundOperation {
  readonly op: number;
  /** Of a predicate: its index, and the factors of its margin. */
  readonly index: number;
  readonly sign: number;
  readonly scale: number;
}

interface BoundOptions {
  /** Whether margins are divided by the scale of their quantity. */
  readonly isScaled: boolean;
  /** Whether the least margin counts, so that a smaller margin is better. */
  readonly isMin: boolean;
}

/**
 * Returns the operations of a bound; empty if there is none. No instant of the present sample is better than the bound.
 */
export function boundOf(formula: Formula, sample: Sample, options: BoundOptions): readonly BoundOperation[] {
  return looksBack(formula) ? [] : (operationsOf(formula, sample, options) ?? []);
}

/**
 * Returns the operations that bound a formula. A window that contains the current instant and takes the opposite
 * extreme is no better than the current sample, and the greater of two margins is not less than either of them.
 */
function operationsOf(formula: Formula, sample: Sample, options: BoundOptions): readonly BoundOperation[] | undefined {
  const { isScaled, isMin } = options;
  switch (formula.is) {
    case "predicate": {
      const { isEvent, scale } = sample.predicates[formula.index]!;
      // An event lasts only a microsecond.
      if (isEvent) return undefined;
      return [{ op: PREDICATE, index: formula.index, sign: formula.sign, scale: isScaled ? scale : 1 }];
    }
    case "window": {
      const hasPresent = formula.fromUs <= 0 && formula.toUs >= 0;
      return hasPresent && formula.isMin !== isMin ? operationsOf(formula.of, sample, options) : undefined;
    }
    case "until":
      return undefined;
    case "both": {
      const left = operationsOf(formula.left, sample, options);
      const right = operationsOf(formula.right, sample, options);
      if (left !== undefined && right !== undefined) {
        return [...left, ...right, { op: formula.isMin ? LESSER : GREATER, index: 0, sign: 1, scale: 1 }];
      }
      return formula.isMin === isMin ? undefined : (left ?? right);
    }
  }
}

function looksBack(formula: Formula): boolean {
  switch (formula.is) {
    case "predicate":
      return false;
    case "window":
      return formula.fromUs < 0 || looksBack(formula.of);
    default:
      return looksBack(formula.left) || looksBack(formula.right);
  }
}
