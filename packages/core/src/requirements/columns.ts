/** Operations on columns: the first `count` samples of a block. */

/** Writes the negatives of a column. */
export function negate(out: Float64Array, values: Float64Array, count: number): void {
  for (let k = 0; k < count; k += 1) out[k] = -values[k]!;
}

/** Writes at each sample the value that `from` had at the last event; `kept` holds this value from block to block. */
export function freeze(
  out: Float64Array,
  kept: Float64Array,
  from: Float64Array,
  fired: Uint8Array,
  count: number,
): void {
  for (let k = 0; k < count; k += 1) {
    if (fired[k] === 1) kept[0] = from[k]!;
    out[k] = kept[0]!;
  }
}

/**
 * Detects the samples at which a column changes to a value. The memory is 0 before the first sample; later it is 1 if
 * the last sample had the value, and 2 if not.
 */
export function detectValue(
  fired: Uint8Array,
  count: number,
  column: Float64Array,
  value: number,
  memory: Float64Array,
): void {
  let before = memory[0]!;
  for (let k = 0; k < count; k += 1) {
    const now = column[k] === value ? 1 : 2;
    fired[k] = now === 1 && before === 2 ? 1 : 0;
    before = now;
  }
  memory[0] = before;
}
