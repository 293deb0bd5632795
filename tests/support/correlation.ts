/** Returns the autocorrelation of a zero-mean sequence at `lag` samples. */
export function correlationAt(values: readonly number[], lag: number): number {
  let top = 0;
  let bottom = 0;
  for (let k = 0; k + lag < values.length; k += 1) {
    top += values[k]! * values[k + lag]!;
    bottom += values[k]! * values[k]!;
  }
  return top / bottom;
}
