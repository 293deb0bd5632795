// Exact powers of two, and the high word of a double. 2^k comes from a table. Assembling it from two 32-bit words is
// slower, because the processor stalls until both are stored. Only `highWord` reads the bits of a double.

const SMALLEST = -1074;
const LARGEST = 1023;

/** POWER_OF_TWO[k + POWER_OF_TWO_ZERO] = 2^k for −1074 ≤ k ≤ 1023, subnormals included. */
export const POWER_OF_TWO = new Float64Array(LARGEST - SMALLEST + 1);
export const POWER_OF_TWO_ZERO = -SMALLEST;

POWER_OF_TWO[POWER_OF_TWO_ZERO] = 1;
for (let k = 1; k <= LARGEST; k++) POWER_OF_TWO[POWER_OF_TWO_ZERO + k] = 2 * POWER_OF_TWO[POWER_OF_TWO_ZERO + k - 1];
for (let k = -1; k >= SMALLEST; k--) POWER_OF_TWO[POWER_OF_TWO_ZERO + k] = POWER_OF_TWO[POWER_OF_TWO_ZERO + k + 1] / 2;

const float = new Float64Array(1);
const words = new Int32Array(float.buffer);
float[0] = 1;
const HIGH = words[1] === 0x3ff00000 ? 1 : 0; // index of the word with sign and exponent

/**
 * Returns the sign, the 11 bits of the biased exponent and the 20 leading bits of the fraction, as a signed 32-bit
 * integer.
 */
export function highWord(x: number): number {
  float[0] = x;
  return words[HIGH];
}

/**
 * Returns y·2^k with one rounding, for y in [1, 4) and −1100 ≤ k ≤ 1025: overflow gives Infinity, underflow subnormals
 * or 0.
 */
export function scaleByPowerOfTwo(y: number, k: number): number {
  return k > -1022 && k < 1022 ? y * POWER_OF_TWO[POWER_OF_TWO_ZERO + k] : scaleToEdge(y, k);
}

function scaleToEdge(y: number, k: number): number {
  const shift = k < 0 ? 200 : -200;
  return y * POWER_OF_TWO[POWER_OF_TWO_ZERO + k + shift] * POWER_OF_TWO[POWER_OF_TWO_ZERO - shift];
}
