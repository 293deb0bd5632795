/** Doubles of a big-endian machine become little-endian, and back. */
import { expect, it } from "vitest";
import { swapFileOrder } from "./byte-order.ts";

it("swapFileOrder reverses the bytes of every double on a big-endian machine", () => {
  const values = [1.5, -0, 5e-324, 1e300];
  const [big, little] = [false, true].map((isLittle) => {
    const view = new DataView(new ArrayBuffer(8 * values.length));
    values.forEach((value, i) => view.setFloat64(8 * i, value, isLittle));
    return new Uint8Array(view.buffer);
  }) as [Uint8Array, Uint8Array];
  expect(swapFileOrder(big.slice(), false)).toEqual(little);
  expect(swapFileOrder(swapFileOrder(big.slice(), false), false)).toEqual(big);
  expect(swapFileOrder(little.slice(), true)).toEqual(little);
});
