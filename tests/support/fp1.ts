/**
 * Known answers of the digest format fp1: calls to `feed` and the resulting text. They never change;
 * docs/determinism.md shows them.
 */
export const FP1_KNOWN_ANSWERS: readonly (readonly [calls: readonly (readonly number[])[], text: string])[] = [
  [[], "76da-4f25-fbc5-991d"],
  [[[0]], "7816-401e-2dbe-6022"],
  [[[-0]], "f15b-ee68-2699-eb05"],
  [[[1, 2, 3]], "c0c8-6c09-a66e-b8f8"],
  [[[1], [2, 3]], "2136-3b0b-167b-63ab"],
  [[[0.1, -1e300, 5e-324, 1_000_000]], "ad78-d8e8-bfd4-ee26"],
];
