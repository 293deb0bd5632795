/**
 * The memory of a kernel: all of its arrays in one piece, one behind the other.
 *
 * Processors mistake two places for the same for a moment if their addresses differ by a multiple of 4096, and then make
 * loads wait for stores that do not concern them. Arrays that lie side by side rarely meet like that; those of one page never.
 */
const LINE = 8;

export class Arena {
  private readonly buffer: ArrayBuffer;
  private used = 0;

  /** Room for so many numbers; those beyond it get memory of their own. */
  constructor(numbers: number) {
    this.buffer = new ArrayBuffer(8 * numbers);
  }

  /** An array of zeros that starts on a cache line. */
  reserve(length: number): Float64Array {
    const at = this.used;
    if (8 * (at + length) > this.buffer.byteLength)
      return new Float64Array(Math.max(length, 2 * LINE)).subarray(0, length);
    this.used = LINE * Math.ceil((at + length) / LINE);
    return new Float64Array(this.buffer, 8 * at, length);
  }
}
