/**
 * The samples and margins that may still change a verdict, as cells.
 *
 * A requirement that takes the least margin is changed only by lesser margins than the least so far. Every operator of
 * a formula takes the least or the greatest of margins, so each margin of a predicate above that limit can be replaced
 * by the limit: the result is the same up to the limit. Most blocks of samples become one segment in this way. If the
 * requirement takes the greatest margin, the same applies with a lower limit.
 */

/** Cells: the limits of the relevant margins (NaN if there is none), and the index of the block's first relevant sample. */
export const LOWER = 0;
export const UPPER = 1;
export const FIRST = 2;

/** Returns cells in which everything is relevant. */
export function everything(): Float64Array {
  return Float64Array.of(NaN, NaN, 0);
}

/**
 * Writes the limits for the margins of a predicate. With polarity −1 the formula rises when they fall, so the limits
 * change places and signs.
 */
export function limitsInto(out: Float64Array, relevant: Float64Array, polarity: number): void {
  out[LOWER] = polarity > 0 ? relevant[LOWER]! : -relevant[UPPER]!;
  out[UPPER] = polarity > 0 ? relevant[UPPER]! : -relevant[LOWER]!;
}

/** Whether the k-th value is at the limit or below it. Zeros are not, because their signs differ in meaning. */
export function isBelow(values: Float64Array, k: number, limits: Float64Array): boolean {
  const value = values[k]!;
  return value < limits[LOWER]! || (value === limits[LOWER] && value !== 0);
}

/** Whether the k-th value is at the limit or above it; not for zeros. */
export function isAbove(values: Float64Array, k: number, limits: Float64Array): boolean {
  const value = values[k]!;
  return value > limits[UPPER]! || (value === limits[UPPER] && value !== 0);
}
