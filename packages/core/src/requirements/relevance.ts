/**
 * The samples and margins that may still change a verdict, as cells.
 *
 * If a requirement takes the least margin, only margins below the least so far change its result. So the least so far
 * is an upper limit of the relevant margins. Every operator of a formula takes the least or the greatest of margins, so
 * each margin of a predicate above the limit can be replaced by the limit: a result below the limit stays the same.
 * Most blocks of samples become one segment in this way. If the requirement takes the greatest margin, the greatest so
 * far is a lower limit.
 */

/**
 * Cells: the limits of the relevant margins (NaN if there is none), and the index of the block's first relevant sample.
 */
export const LOWER = 0;
export const UPPER = 1;
export const FIRST = 2;

/** Returns cells in which everything is relevant. */
export function everything(): Float64Array {
  return Float64Array.of(NaN, NaN, 0);
}

/**
 * Writes the limits for the margins of a predicate. With polarity −1 the formula's margin rises when the predicate's
 * margin falls, so the limits change places and signs.
 */
export function limitsInto(out: Float64Array, relevant: Float64Array, polarity: number): void {
  out[LOWER] = polarity > 0 ? relevant[LOWER]! : -relevant[UPPER]!;
  out[UPPER] = polarity > 0 ? relevant[UPPER]! : -relevant[LOWER]!;
}

/**
 * Whether the k-th value is below the lower limit or equal to it. A zero is never equal, because the sign of a zero
 * matters.
 */
export function isBelow(values: Float64Array, k: number, limits: Float64Array): boolean {
  const value = values[k]!;
  return value < limits[LOWER]! || (value === limits[LOWER] && value !== 0);
}

/** Whether the k-th value is above the upper limit or equal to it. A zero is never equal. */
export function isAbove(values: Float64Array, k: number, limits: Float64Array): boolean {
  const value = values[k]!;
  return value > limits[UPPER]! || (value === limits[UPPER] && value !== 0);
}
