/**
 * Property tests draw the same cases in every run, so a failing test fails again; `FC_SEED` selects other cases.
 */
import fc from "fast-check";
import { expect } from "vitest";

fc.configureGlobal({ seed: Number(process.env["FC_SEED"] ?? 1) });

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => Buffer.from(buffer, byteOffset, byteLength);

/**
 * Compares typed arrays of the same type by their bytes first. Otherwise `toEqual` compares the elements one by one,
 * which takes seconds for the arrays of a flight.
 */
function haveSameBytes(a: unknown, b: unknown): true | undefined {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.constructor !== b.constructor) return undefined;
  return bytesOf(a).equals(bytesOf(b)) ? true : undefined;
}
expect.addEqualityTesters([haveSameBytes]);
