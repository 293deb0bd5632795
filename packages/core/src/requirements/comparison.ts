/** Comparisons and their margins, and the order of margins. */
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

/**
 * Writes the margin of a comparison to `out[at]`: +0 if it just holds, −0 if it just does not. The values are
 * `left[i]` and `right[k]`. The values are read from arrays and the margin is written to one, because V8 allocates a
 * floating-point number that is passed or returned.
 */
export function marginInto(
  out: Float64Array,
  at: number,
  code: number,
  left: Float64Array,
  i: number,
  right: Float64Array,
  k: number,
): void {
  switch (code) {
    case 0:
      out[at] = left[i]! - right[k]! + 0;
      break;
    case 1:
      out[at] = -(right[k]! - left[i]!);
      break;
    case 2:
      out[at] = right[k]! - left[i]! + 0;
      break;
    case 3:
      out[at] = -(left[i]! - right[k]!);
      break;
    case 4:
      out[at] = left[i] === right[k] ? Infinity : -Infinity;
      break;
    default:
      out[at] = left[i] === right[k] ? -Infinity : Infinity;
  }
}

/**
 * Writes the margins of measured values at the samples from `first` up to but not including `end`. As in IEEE 754, a
 * comparison with NaN is false, except `!=`, which is true. The comparator is chosen once, not at every sample.
 */
export function marginsInto(
  out: Float64Array,
  first: number,
  end: number,
  code: number,
  left: Float64Array,
  right: Float64Array,
): void {
  switch (code) {
    case 0:
      for (let k = first; k < end; k += 1) out[k] = left[k]! - right[k]! + 0;
      break;
    case 1:
      for (let k = first; k < end; k += 1) out[k] = -(right[k]! - left[k]!);
      break;
    case 2:
      for (let k = first; k < end; k += 1) out[k] = right[k]! - left[k]! + 0;
      break;
    case 3:
      for (let k = first; k < end; k += 1) out[k] = -(left[k]! - right[k]!);
      break;
    default:
      for (let k = first; k < end; k += 1) marginInto(out, k, code, left, k, right, k);
  }
  for (let k = first; k < end; k += 1) if (out[k] !== out[k]) out[k] = -Infinity;
}

/** Whether a margin means that the statement holds: greater than zero, or +0. */
export function isSatisfied(margin: number): boolean {
  return margin > 0 || (margin === 0 && 1 / margin > 0);
}

/** Replaces the margin of a fact by an infinite one, because a fact has no distance from a limit. */
export function makeFact(margins: Float64Array, at: number): void {
  margins[at] = isSatisfied(margins[at]!) ? Infinity : -Infinity;
}

/**
 * Whether a[i] < b[k], with −0 below +0. The numbers are not passed, because V8 allocates them for a call that it does
 * not inline.
 */
export function isLess(a: Float64Array, i: number, b: Float64Array, k: number): boolean {
  const x = a[i]!;
  const y = b[k]!;
  return x < y || (x === 0 && y === 0 && 1 / x < 1 / y);
}

/** Whether two values are the same; +0 and −0 differ. */
export function isSame(a: number, b: number): boolean {
  return a === b && (a !== 0 || 1 / a === 1 / b);
}
