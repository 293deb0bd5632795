/**
 * Tests blade fits: to coefficients computed from a known blade, to two measured propellers, and to rows that do not
 * determine every parameter.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { apcSlowFlyer } from "../describe/vehicles/parts.ts";
import { fitPropeller, type PropellerRow } from "./propeller-fit.ts";

function readMeasured(name: string): PropellerRow[] {
  return readFileSync(new URL(`../../../../tests/fixtures/uiuc-apc-sf-${name}.csv`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(",").map(Number) as [number, number, number, number, number])
    .map(([, rpm, advanceRatio, thrustCoefficient, powerCoefficient]) => ({
      rpm,
      advanceRatio,
      thrustCoefficient,
      powerCoefficient,
    }));
}

const strong = (rows: readonly PropellerRow[]) => {
  const largest = Math.max(...rows.map((row) => row.thrustCoefficient));
  return rows.filter((row) => row.thrustCoefficient >= 0.1 * largest);
};

describe("a fit to a measured propeller", () => {
  it("reproduces the blade of the built-in vehicles from every second row of the 10 × 4.7 propeller", () => {
    const { blade, kept } = fitPropeller(
      strong(readMeasured("10x4.7")).filter((_, i) => i % 2 === 0),
      { diameterM: 0.254 },
    );
    expect(kept).toEqual([]);
    for (const [name, value] of Object.entries(blade)) {
      expect(Math.abs(value / (apcSlowFlyer[name] as number) - 1), name).toBeLessThan(0.005);
    }
  });

  it("predicts held-out rows about as accurately as fitted rows", () => {
    const { error, heldOut, rows } = fitPropeller(readMeasured("11x4.7"), { diameterM: 0.2794 });
    expect(error.thrust).toBeLessThan(0.007);
    expect(error.power).toBeLessThan(0.015);
    expect(heldOut!.thrust).toBeLessThan(0.008);
    expect(heldOut!.power).toBeLessThan(0.015);
    expect(rows.every(({ isFitted }) => isFitted)).toBe(true);
  });

  it("does not fit rows with less than a tenth of the largest thrust", () => {
    const { rows } = fitPropeller(readMeasured("10x4.7"), { diameterM: 0.254 });
    for (const { measured: row, isFitted } of rows) expect(isFitted).toBe(row.thrustCoefficient >= 0.1 * 0.1299);
  });
});

describe("coefficients computed from a blade", () => {
  it("are fitted by the same blade", () => {
    const first = fitPropeller(readMeasured("10x4.7"), { diameterM: 0.254, solidity: 0.1, densityKgM3: 1.1 });
    const own = first.rows.map(({ measured: row, thrustCoefficient, powerCoefficient }) => ({
      ...row,
      thrustCoefficient,
      powerCoefficient,
    }));
    const again = fitPropeller(own, { diameterM: 0.254, solidity: 0.1, densityKgM3: 1.1 });
    expect(again.error.thrust).toBeLessThan(1e-4);
    expect(again.error.power).toBeLessThan(1e-4);
    expect(again.blade.pitchRad).toBeCloseTo(first.blade.pitchRad, 3);
  });
});

describe("rows that do not determine every parameter", () => {
  const statics = readMeasured("10x4.7").filter(({ advanceRatio }) => advanceRatio === 0);

  it("leave the parameters that they do not determine at the defaults", () => {
    expect(fitPropeller(statics, { diameterM: 0.254 }).kept).toEqual(["pitchRad", "inducedFactor"]);
    expect(fitPropeller(statics.slice(-4), { diameterM: 0.254 }).kept).toEqual([
      "pitchRad",
      "inducedFactor",
      "lowReynoldsLift",
      "lowReynoldsDrag",
      "reynoldsTransition",
    ]);
  });

  it("are rejected if fewer than three have a positive thrust coefficient", () => {
    expect(() => fitPropeller(statics.slice(0, 2), { diameterM: 0.254 })).toThrow(/PLANT-009.*2 of 2 rows/);
    const braking = statics.map((row) => ({ ...row, thrustCoefficient: -0.01 }));
    expect(() => fitPropeller(braking, { diameterM: 0.254 })).toThrow(/PLANT-009.*0 of 16 rows/);
    expect(() => fitPropeller([], { diameterM: 0.254 })).toThrow(/PLANT-009/);
  });
});
