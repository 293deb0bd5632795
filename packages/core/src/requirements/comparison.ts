/** Comparisons and their margins. */
import type { Comparator } from "./tree.ts";

/** Comparators by their codes. */
export const COMPARATORS: readonly Comparator[] = [">=", ">", "<=", "<", "==", "!="];

/** Whether the margin rises with the left value. */
export function risesWithLeft(code: number): boolean {
  return code <= 1;
}

export function isEquality(code: number): boolean {
  return code >= 4;
}

/** Returns the margin of a comparison: +0 if it just holds, −0 if it just does not. */
export function marginOf(code: number, left: number, right: number): number {
  switch (code) {
    case 0:
      return left - right + 0;
    case 1:
      return -(right - left);
    case 2:
      return right - left + 0;
    case 3:
      return -(left - right);
    case 4:
      return left === right ? Infinity : -Infinity;
    default:
      return left === right ? -Infinity : Infinity;
  }
}

/**
 * Writes the margins of measured values at many samples; a comparison with NaN is false. The comparator is chosen once,
 * not at every sample.
 */
export function marginsInto(
  out: Float64Array,
  count: number,
  code: number,
  left: Float64Array,
  right: Float64Array,
): void {
  switch (code) {
    case 0:
      for (let k = 0; k < count; k += 1) out[k] = left[k]! - right[k]! + 0;
      break;
    case 1:
      for (let k = 0; k < count; k += 1) out[k] = -(right[k]! - left[k]!);
      break;
    case 2:
      for (let k = 0; k < count; k += 1) out[k] = right[k]! - left[k]! + 0;
      break;
    case 3:
      for (let k = 0; k < count; k += 1) out[k] = -(left[k]! - right[k]!);
      break;
    default:
      for (let k = 0; k < count; k += 1) out[k] = marginOf(code, left[k]!, right[k]!);
  }
  for (let k = 0; k < count; k += 1) if (out[k] !== out[k]) out[k] = -Infinity;
}

/** Whether a margin means that the statement holds: greater than zero, or +0. */
export function isSatisfied(margin: number): boolean {
  return margin > 0 || (margin === 0 && 1 / margin > 0);
}

/** Returns the margin of a fact: infinite, because a fact has no distance from a limit. */
export function factMargin(margin: number): number {
  return isSatisfied(margin) ? Infinity : -Infinity;
}
