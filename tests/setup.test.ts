/** Tests that the shortcut for typed arrays in `vitest.setup.ts` accepts nothing that differs. */
import { expect, it } from "vitest";

it.each([
  ["a value", Float64Array.of(1, 2), Float64Array.of(1, 3)],
  ["the sign of zero", Float64Array.of(0), Float64Array.of(-0)],
  ["the length", Float64Array.of(1, 2), Float64Array.of(1)],
  ["the type", Float64Array.of(1), new BigInt64Array(Float64Array.of(1).buffer)],
])("typed arrays that differ in %s are not equal", (_what, a, b) => {
  expect(a).not.toEqual(b);
  expect({ nested: [a] }).not.toEqual({ nested: [b] });
});

it("typed arrays with the same bytes are equal, also as parts of larger buffers", () => {
  const whole = Float64Array.of(9, NaN, -0, 9);
  expect(whole.subarray(1, 3)).toEqual(Float64Array.of(NaN, -0));
});
