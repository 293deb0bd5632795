/**
 * Optimisers over the unit cube, generation by generation, and their common parts: reflection at the borders, and
 * coordinates with discrete values.
 *
 * An optimiser gets the values of a whole generation before it proposes the next one, so its points do not depend on
 * how many workers compute the values.
 */
import type { RandomStream } from "@escapement/core";

/** Minimises a function of a point in the unit cube. */
export interface Optimiser {
  /** Proposes the points of the next generation. */
  propose(): readonly Float64Array[];
  /** Learns from the values of the proposed points, in their order. */
  learn(values: readonly number[]): void;
}

/**
 * The space of a search. `sizes` has the number of discrete values of each coordinate; undefined if it is continuous.
 */
export interface SearchSpace {
  readonly sizes: readonly (number | undefined)[];
}

/**
 * More discrete values than this are searched like a continuous coordinate, because their order carries information.
 */
const MAX_CATEGORIES = 12;

export function isCategorical(size: number | undefined): size is number {
  return size !== undefined && size <= MAX_CATEGORIES;
}

/** Folds a number into [0, 1) by reflection at the borders, so that a search may step across them. */
export function reflect(x: number): number {
  const folded = Math.abs(x - 2 * Math.round(x / 2));
  return folded >= 1 ? 1 - 1.1102230246251565e-16 : folded;
}

/** Returns the indices of a generation, the best first. Equal values keep their order. */
export function rankedIndices(values: readonly number[]): number[] {
  return values.map((_, i) => i).sort((a, b) => values[a]! - values[b]! || a - b);
}

/**
 * Fraction of the old probabilities that is kept per generation, and the probability that is spread evenly over all
 * values.
 */
const KEPT_FRACTION = 0.7;
const EXPLORED_FRACTION = 0.1;

/**
 * The probabilities of discrete values, learned from the best points of each generation as in the cross-entropy method.
 */
export class Categories {
  private readonly probabilities: Float64Array;

  constructor(size: number) {
    this.probabilities = new Float64Array(size).fill(1 / size);
  }

  /** Returns the unit coordinate of a value drawn by its probability. */
  draw(random: RandomStream): number {
    const { probabilities } = this;
    const size = probabilities.length;
    let rest = random.uniform();
    for (let i = 0; i < size - 1; i += 1) {
      rest -= EXPLORED_FRACTION / size + (1 - EXPLORED_FRACTION) * probabilities[i]!;
      if (rest < 0) return (i + 0.5) / size;
    }
    return (size - 0.5) / size;
  }

  /** Moves the probabilities towards the values of the best points. */
  learn(best: readonly number[]): void {
    const { probabilities } = this;
    const size = probabilities.length;
    const counts = new Float64Array(size);
    for (const u of best) counts[Math.min(size - 1, Math.floor(u * size))]! += 1;
    for (let i = 0; i < size; i += 1)
      probabilities[i] = KEPT_FRACTION * probabilities[i]! + ((1 - KEPT_FRACTION) * counts[i]!) / best.length;
  }
}
