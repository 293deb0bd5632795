/** The codes in the signal table are complete and distinct, and the description of each signal lists them. */
import { describe, expect, it } from "vitest";
import { SIGNAL_NAMES, signalSpec, SIGNALS, valueName } from "./table.ts";

const coded = SIGNAL_NAMES.filter((name) => ["enum", "mask", "flag"].includes(signalSpec(name).unit));

describe("signals that hold codes", () => {
  it.each(coded)("%s: lists its values with unique numbers", (name) => {
    const { values = {}, about, unit } = signalSpec(name);
    const numbers = Object.values(values);
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const [label, value] of Object.entries(values)) expect(about).toContain(`${value} ${label}`);
    if (unit === "mask") for (const bit of numbers) expect(Number.isInteger(Math.log2(bit))).toBe(true);
    if (unit === "flag") expect(numbers).toEqual([0, 1]);
  });

  it.each(coded.filter((name) => signalSpec(name).unit !== "mask"))("%s: has one of these values initially", (name) => {
    expect(Object.values(signalSpec(name).values!)).toContain(signalSpec(name).initial);
  });

  it("no other signal has values", () => {
    expect(SIGNAL_NAMES.filter((name) => signalSpec(name).values !== undefined)).toEqual(coded);
  });

  it("names a value, and prints the number if it has no name", () => {
    expect(valueName("failsafe", SIGNALS.failsafe.values["outside the fence"])).toBe("outside the fence");
    expect(valueName("navState", 99)).toBe("99");
  });
});
