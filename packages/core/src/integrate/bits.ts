/** Comparison of arrays of numbers bit for bit, so that −0 differs from 0. */

/** Returns the numbers as 32-bit words, over the same memory. */
export function bitsOf(values: Float64Array): Int32Array {
  return new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
}

/**
 * Compares from the end, because the last inputs are the commands, which change most often. Compares four words per
 * iteration, because this runs before every interval.
 */
export function sameBits(a: Int32Array, b: Int32Array): boolean {
  let i = a.length - 1;
  for (; i > 2; i -= 4) {
    const differing = (a[i]! ^ b[i]!) | (a[i - 1]! ^ b[i - 1]!) | (a[i - 2]! ^ b[i - 2]!) | (a[i - 3]! ^ b[i - 3]!);
    if (differing !== 0) return false;
  }
  for (; i >= 0; i -= 1) if (a[i] !== b[i]) return false;
  return true;
}

/** Caches the 32-bit view of the last array, because nearly all calls are for the same array. */
export class CachedBits {
  private values = new Float64Array(0);
  private bits = new Int32Array(0);

  of(values: Float64Array): Int32Array {
    if (values !== this.values) {
      this.values = values as Float64Array<ArrayBuffer>;
      this.bits = bitsOf(values) as Int32Array<ArrayBuffer>;
    }
    return this.bits;
  }
}
