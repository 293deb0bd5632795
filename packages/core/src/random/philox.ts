/**
 * Philox4x32-10: a counter-based generator. The n-th block of a stream is a pure function of (key, n), so streams are
 * independent by construction, can be entered anywhere, and saving one is saving a counter.
 *
 * Source: Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. Known answers from the
 * Random123 distribution stand in the tests.
 */

const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
/** Weyl constants: golden ratio and √3 − 1, as 32-bit fractions. */
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;
const ROUNDS = 10;

/** High 32 bits of the 64-bit product of two 32-bit words, from 16-bit halves: no intermediate exceeds 2^53. */
function highProduct(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const carry = aLow * bHigh + (middle & 0xffff);
  return (aHigh * bHigh + Math.floor(middle / 0x10000) + Math.floor(carry / 0x10000)) >>> 0;
}

/** Encrypts the counter block `c[0..3]` in place under the key. */
export function philox4x32(c: Uint32Array, key0: number, key1: number): void {
  let k0 = key0;
  let k1 = key1;
  for (let round = 0; round < ROUNDS; round += 1) {
    const c0 = c[0]!;
    const c2 = c[2]!;
    const high0 = highProduct(MULTIPLIER_0, c0);
    const high1 = highProduct(MULTIPLIER_1, c2);
    c[0] = high1 ^ c[1]! ^ k0;
    c[1] = Math.imul(MULTIPLIER_1, c2);
    c[2] = high0 ^ c[3]! ^ k1;
    c[3] = Math.imul(MULTIPLIER_0, c0);
    k0 = (k0 + WEYL_0) | 0;
    k1 = (k1 + WEYL_1) | 0;
  }
}
