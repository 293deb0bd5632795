/**
 * Distance between two numbers in units of the last place: how many doubles lie between them.
 *
 * The bits of a double, read as a sign-and-magnitude integer, are ordered like the numbers themselves (Kahan), so the
 * distance is a difference of integers. +0 and −0 are one apart here, because for a fingerprint they differ.
 */
const number = new Float64Array(1);
const bits = new BigInt64Array(number.buffer);

export function ulpsBetween(a: number, b: number): number {
  const distance = ordered(a) - ordered(b);
  return Number(distance < 0n ? -distance : distance);
}

/** Bits as an integer that rises with the number; negative ones below −1, −0 at −1, +0 at 0. */
function ordered(value: number): bigint {
  number[0] = value;
  const raw = bits[0]!;
  return raw >= 0n ? raw : -(raw & 0x7fffffffffffffffn) - 1n;
}
