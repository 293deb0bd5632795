/** Compares the unrolled sums with one plain formula, for every number of terms and for sizes of any remainder by 4. */
import { expect, it } from "vitest";
import { combineInto, type Row } from "./combine.ts";

it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 11])("sums %i slopes in the order given, the base last", (terms) => {
  for (const size of [1, 3, 4, 5, 8, 23]) {
    const random = sequence(terms * 100 + size);
    const base = Float64Array.from({ length: size }, random);
    const slopes = Float64Array.from({ length: size * 12 }, random);
    const weights = Float64Array.from({ length: terms }, random);
    const at = Int32Array.from({ length: terms }, (_, j) => ((j * 5) % 12) * size);
    const row: Row = { coefficients: weights, weights, at };
    const expected = Array.from(base, (value, i) => {
      let sum = 0;
      for (let j = 0; j < terms; j += 1) sum += weights[j]! * slopes[at[j]! + i]!;
      return value + sum;
    });
    const out = new Float64Array(size);
    combineInto(out, base, slopes, row);
    expect(Array.from(out)).toEqual(expected);
    combineInto(base, base, slopes, row);
    expect(Array.from(base)).toEqual(expected);
  }
});

/** Returns a generator of pseudo-random numbers in (−1, 1). */
function sequence(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return (2 * state) / 2147483647 - 1;
  };
}
