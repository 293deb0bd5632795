/**
 * Philox4x32-10: a counter-based generator. The n-th block of a stream is a pure function of (key, n), so streams are
 * independent by construction, can start at any block, and a stream is saved as one counter.
 *
 * Source: Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. The tests
 * compare with the known answers of the Random123 distribution.
 */

const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
/** Halves of the multipliers, 16 bits each. */
const LOW_0 = 0x1f53;
const HIGH_0 = 0xd251;
const LOW_1 = 0x8d57;
const HIGH_1 = 0xcd9e;
/** Weyl constants: golden ratio and √3 − 1, as 32-bit fractions. */
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;
const ROUNDS = 10;

/**
 * Encrypts the counter block `c[0..3]` in place under the key.
 *
 * The upper half of a 64-bit product is assembled from products of 16-bit halves. No sum exceeds 32 bits, so engines
 * use integer arithmetic. The products are written inline: in a helper function engines would not use integer
 * arithmetic, and the run time would double.
 */
export function philox4x32(c: Uint32Array, key0: number, key1: number): void {
  let k0 = key0;
  let k1 = key1;
  let c0 = c[0]!;
  let c1 = c[1]!;
  let c2 = c[2]!;
  let c3 = c[3]!;
  for (let round = 0; round < ROUNDS; round += 1) {
    const low0 = c0 & 0xffff;
    const high0 = c0 >>> 16;
    const middle0 = HIGH_0 * low0 + ((LOW_0 * low0) >>> 16);
    const carry0 = LOW_0 * high0 + (middle0 & 0xffff);
    const upper0 = HIGH_0 * high0 + (middle0 >>> 16) + (carry0 >>> 16);
    const low2 = c2 & 0xffff;
    const high2 = c2 >>> 16;
    const middle2 = HIGH_1 * low2 + ((LOW_1 * low2) >>> 16);
    const carry2 = LOW_1 * high2 + (middle2 & 0xffff);
    const upper2 = HIGH_1 * high2 + (middle2 >>> 16) + (carry2 >>> 16);
    const lower0 = Math.imul(MULTIPLIER_0, c0);
    c0 = upper2 ^ c1 ^ k0;
    c1 = Math.imul(MULTIPLIER_1, c2);
    c2 = upper0 ^ c3 ^ k1;
    c3 = lower0;
    k0 = (k0 + WEYL_0) | 0;
    k1 = (k1 + WEYL_1) | 0;
  }
  c[0] = c0;
  c[1] = c1;
  c[2] = c2;
  c[3] = c3;
}
