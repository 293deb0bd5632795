/** Compares the atmospheres with the published standard, golden numbers of PX4Lockstep.jl and the exact formulas. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkParams } from "../../params/index.ts";
import type { Diagnostic } from "../../params/index.ts";
import { SimError } from "../../errors/index.ts";
import { atmosphereKinds, isaReference, us76 } from "./index.ts";

const FIXTURE = new URL("../../../../../tests/fixtures/us76.csv", import.meta.url);

function sample(kind: (typeof atmosphereKinds)[number], altitudeM: number, given = {}): Float64Array {
  const diagnostics: Diagnostic[] = [];
  const air = new Float64Array(3);
  kind.make(checkParams(kind.params, given, diagnostics) as never).sampleInto(air, Float64Array.of(altitudeM));
  expect(diagnostics).toEqual([]);
  return air;
}

const near = (actual: number, expected: number, relative: number) =>
  expect(Math.abs(actual / expected - 1), `${actual} against ${expected}`).toBeLessThanOrEqual(relative);

describe("us76", () => {
  const rows = readFileSync(FIXTURE, "utf8").trim().split("\n").slice(1);

  it.each(rows)("agrees with the published table: %s", (row) => {
    const [altitude, , temperature, pressure, density] = row.split(",").map(Number);
    const [densityKgM3, temperatureK, pressurePa] = sample(us76, altitude!);
    // The tolerance is half a unit of the last printed digit: four decimals of temperature, six significant digits of
    // pressure and density.
    expect(Math.abs(temperatureK! - temperature!)).toBeLessThanOrEqual(0.5001e-4);
    near(pressurePa!, pressure!, 5.1e-6);
    near(densityKgM3!, density!, 5.1e-6);
  });

  it("[D20] uses geopotential altitude and continues below sea level", () => {
    const [density, temperature] = sample(us76, -500);
    expect(density!).toBeGreaterThan(sample(us76, 0)[0]!);
    expect(temperature!).toBeCloseTo(288.15 + (0.0065 * 500) / (1 - 500 / 6356766), 10);
    expect(sample(us76, 10000)[0]).toBeGreaterThan(sample(isaReference, 10000)[0]!);
  });

  it("is continuous and decreases across every layer border up to 86 km", () => {
    for (const geopotentialM of [11000, 20000, 32000, 47000, 51000, 71000]) {
      const h = geopotentialM / (1 - geopotentialM / 6356766);
      const below = sample(us76, h - 1e-6);
      const above = sample(us76, h + 1e-6);
      for (let i = 0; i < 3; i += 1) near(above[i]!, below[i]!, 2e-9);
      expect(above[2]!).toBeLessThan(below[2]!);
    }
    // The last row of table 1 of the standard.
    near(sample(us76, 86000)[2]!, 0.37338, 1e-4);
    near(sample(us76, 86000)[0]!, 6.958e-6, 1e-4);
  });

  it("stays in hydrostatic balance: dp/dh = −ρ·g0·(r0/(r0 + h))²", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -5000, max: 85000, noNaN: true }),
        fc.double({ min: -40, max: 40, noNaN: true }),
        (h, dT) => {
          const options = { temperatureOffsetK: dT, qnhPa: 99000 };
          const step = 1;
          const slope = (sample(us76, h + step, options)[2]! - sample(us76, h - step, options)[2]!) / (2 * step);
          const ratio = 6356766 / (6356766 + h);
          near(slope, -sample(us76, h, options)[0]! * 9.80665 * ratio * ratio, 2e-5);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("offsets shift temperature and sea-level pressure", () => {
    const hot = sample(us76, 0, { temperatureOffsetK: 15, qnhPa: 100000 });
    expect(hot[1]).toBeCloseTo(303.15, 12);
    expect(hot[2]).toBeCloseTo(100000, 8);
    expect(() => sample(us76, 0, { temperatureOffsetK: -90 })).toThrow(SimError);
  });

  it("[L10] rejects altitudes outside the standard, and returns NaN for NaN", () => {
    expect(() => sample(us76, 86000.1)).toThrow(/AIR-001.*86000/);
    expect(() => sample(us76, -10000.1)).toThrow(/AIR-001/);
    expect(sample(us76, NaN)[0]).toBeNaN();
  });
});

describe("isa-reference", () => {
  // Golden numbers of PX4Lockstep.jl: altitude, temperature, pressure, density.
  const golden: [number, number | undefined, number | undefined, number][] = [
    [0, 288.15, 101325, 1.22500001812],
    [488, 284.978, 95598.2793491, 1.16862950772],
    [1000, 281.65, 89874.5629162, 1.11164250031],
    [1488, undefined, undefined, 1.05932945198],
    [2488, undefined, undefined, 0.958027546432],
    [3488, undefined, undefined, 0.864308857071],
    [5000, 255.65, 54019.8881881, 0.736115547399],
    [11000, 216.65, 22632.040095, 0.363917648102],
    [15000, undefined, 12044.5528072, 0.193673451956],
    [20000, undefined, 5474.87742428, 0.0880346847887],
  ];

  it.each(golden)("reproduces PX4Lockstep.jl at %d m", (altitude, temperature, pressure, density) => {
    const [densityKgM3, temperatureK, pressurePa] = sample(isaReference, altitude);
    // The numbers have 12 significant digits, so half a unit of the last is at most 5e-12 relative.
    near(densityKgM3!, density, 5.1e-12);
    if (temperature !== undefined) near(temperatureK!, temperature, 1e-14);
    if (pressure !== undefined) near(pressurePa!, pressure, 5.1e-12);
  });

  it("[D20] clamps below sea level, which us76 does not", () => {
    expect(sample(isaReference, -300)).toEqual(sample(isaReference, 0));
    expect(sample(isaReference, 80000)[1]).toBeCloseTo(216.65, 12);
  });
});

describe("the range and the borders", () => {
  it.each(atmosphereKinds.map((kind) => [kind.name, kind] as const))(
    "%s is smooth between its break altitudes",
    (_, kind) => {
      const atmosphere = kind.make(checkParams(kind.params, {}, []) as never);
      const marks = [atmosphere.minAltitudeM, ...atmosphere.breaksM, atmosphere.maxAltitudeM];
      expect([...marks].sort((a, b) => a - b)).toEqual(marks);
      // The gradient of the temperature changes at every border and nowhere else.
      const gradient = (h: number) => sample(kind, h + 0.5)[1]! - sample(kind, h - 0.5)[1]!;
      for (let i = 1; i + 1 < marks.length; i += 1) {
        expect(Math.abs(gradient(marks[i]! + 2) - gradient(marks[i]! - 2))).toBeGreaterThan(5e-4);
        const middle = (marks[i]! + marks[i + 1]!) / 2;
        expect(Math.abs(gradient(middle + 2) - gradient(middle - 2))).toBeLessThan(1e-6);
      }
    },
  );
});
