/** Deviations from IEEE 754 double arithmetic are detected, and no flight is assembled on a machine that deviates. */
import { describe, expect, it } from "vitest";
import { arithmeticFaults, IS_LITTLE_ENDIAN, type Arithmetic } from "./arithmetic.ts";
import { checkArithmetic } from "../engine/flight.ts";

const exact: Arithmetic = { add: (a, b) => a + b, multiply: (a, b) => a * b };
const x87: Arithmetic = {
  ...exact,
  // A 64-bit mantissa has steps of 2^-10 near 10^16.
  add: (a, b) => a + Math.round(b * 1024) / 1024,
};
const flushing: Arithmetic = {
  ...exact,
  multiply: (a, b) => (Math.abs(a * b) < 2.2250738585072014e-308 ? 0 : a * b),
};

describe("arithmetic", () => {
  it("of this machine has no faults, and its byte order is detected", () => {
    expect(arithmeticFaults()).toEqual([]);
    const bytes = new Uint8Array(Float64Array.of(-1.5).buffer);
    expect(new DataView(bytes.buffer).getFloat64(0, IS_LITTLE_ENDIAN)).toBe(-1.5);
  });

  it.each([
    ["x87", x87, "rounded twice"],
    ["flush-to-zero", flushing, "subnormal numbers"],
  ])("detects %s", (_, arithmetic, text) => {
    expect(arithmeticFaults(arithmetic)).toEqual([expect.stringContaining(text)]);
    expect(() => checkArithmetic(arithmetic)).toThrow("ENGINE-015");
  });
});
