/**
 * Checks for two deviations from IEEE 754 double arithmetic, because every bit of a flight depends on it.
 *
 * The x87 registers of 32-bit x86 round twice, and threads with flush-to-zero (audio worklets, processes that loaded a
 * library built with `-ffast-math`) flush subnormal numbers to zero. The numbers go through a typed array, so that no
 * compiler can compute the answers in advance.
 */
const cells = new Float64Array(3);
const words = new Int32Array(cells.buffer);

/** Whether the low half of a double comes first in memory. */
export const IS_LITTLE_ENDIAN = ((): boolean => {
  cells[0] = 1;
  return words[1] !== 0;
})();

/** The operations that are checked; tests replace them. */
export interface Arithmetic {
  add(a: number, b: number): number;
  multiply(a: number, b: number): number;
}

const MACHINE: Arithmetic = {
  add(a, b) {
    cells[0] = a;
    cells[1] = b;
    cells[2] = cells[0] + cells[1];
    return cells[2];
  },
  multiply(a, b) {
    cells[0] = a;
    cells[1] = b;
    cells[2] = cells[0] * cells[1];
    return cells[2];
  },
};

/**
 * Returns one sentence for each way in which the arithmetic deviates from IEEE 754 doubles; empty if it does not
 * deviate.
 */
export function arithmeticFaults({ add, multiply }: Arithmetic = MACHINE): string[] {
  const faults: string[] = [];
  // With a significand of 64 bits, the sum is first rounded to 1e16 + 3, and then this tie is rounded to 1e16 + 4.
  if (add(1e16, 2.9999) !== 10000000000000002) faults.push("sums are rounded twice, as by an x87 processor");
  if (multiply(1e-310, 0.5) === 0) faults.push("subnormal numbers are flushed to zero");
  return faults;
}
