/**
 * Computes the distance between two numbers in units in the last place: the number of steps from one double to the
 * next.
 *
 * The bits of a double, read as a sign-and-magnitude integer, are ordered like the numbers themselves (Kahan), so the
 * distance is a difference of integers. +0 and −0 are one apart, because a fingerprint distinguishes them.
 */
const number = new Float64Array(1);
const bits = new BigInt64Array(number.buffer);

export function ulpsBetween(a: number, b: number): number {
  const distance = toOrderedInteger(a) - toOrderedInteger(b);
  return Number(distance < 0n ? -distance : distance);
}

/**
 * Returns the bits as an integer that increases with the number: +0 gives 0, −0 gives −1, other negative
 * numbers give integers below −1.
 */
function toOrderedInteger(value: number): bigint {
  number[0] = value;
  const raw = bits[0]!;
  return raw >= 0n ? raw : -(raw & 0x7fffffffffffffffn) - 1n;
}
