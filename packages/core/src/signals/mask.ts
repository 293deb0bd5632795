/**
 * Bits of a mask that is held in a float64, which represents 53 of them exactly. The operators of JavaScript would cut
 * it at 32.
 */

/** Changes of one mask that a flight may have. */
export const MOST_BITS = 50;

/** The bit of the i-th change, a power of two. */
export function bitAt(index: number): number {
  let bit = 1;
  for (let i = 0; i < index; i += 1) bit *= 2;
  return bit;
}

/** A mask with every bit. */
export const ALL_BITS = bitAt(MOST_BITS) - 1;

/** Whether a mask has a bit, given as a power of two. */
export function hasBit(mask: number, bit: number): boolean {
  return Math.floor(mask / bit) % 2 === 1;
}
