/**
 * Operations on a bit mask that marks which parameter or setting changes are active. The mask is a float64, which holds
 * 53 bits exactly; JavaScript's bitwise operators would truncate it to 32 bits.
 */

/** Largest number of changes that one mask can hold. */
export const MAX_BITS = 50;

/** Returns the bit of the i-th change, a power of two. */
export function bitAt(index: number): number {
  let bit = 1;
  for (let i = 0; i < index; i += 1) bit *= 2;
  return bit;
}

/** A mask with every bit. */
export const ALL_BITS = bitAt(MAX_BITS) - 1;

/** Whether a mask has a bit, given as a power of two. */
export function hasBit(mask: number, bit: number): boolean {
  return Math.floor(mask / bit) % 2 === 1;
}
