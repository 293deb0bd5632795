/** Compares the density table with the atmospheres it was made from. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isaReference, us76 } from "../../../world/atmosphere/index.ts";
import { referenceEnvironment, rig } from "../../../../../../tests/support/plant.ts";
import { airInto } from "./air.ts";
import { densityInto } from "./density.ts";

describe.each([
  ["us76", us76],
  ["isa-reference", isaReference],
])("density of %s", (_name, kind) => {
  const atmosphere = kind.make({ temperatureOffsetK: 0, qnhPa: 101325 } as never);
  const testRig = rig("iris-reference", {}, { ...referenceEnvironment(), atmosphere });
  const { w, x, u, vehicle } = testRig.views();
  const density = (h: number) => {
    w.altitude[0] = h;
    densityInto(w, vehicle);
    return w.density[0]!;
  };
  const exact = (h: number) => {
    const air = new Float64Array(3);
    atmosphere.sampleInto(air, Float64Array.of(h));
    return air[0]!;
  };

  it("follows the atmosphere to the last digits over its whole range", () => {
    const { minAltitudeM: min, maxAltitudeM: max } = atmosphere;
    fc.assert(
      fc.property(fc.double({ min, max, noNaN: true }), (h) => {
        expect(Math.abs(density(h) / exact(h) - 1)).toBeLessThan(5e-14);
      }),
      { numRuns: 5000 },
    );
  });

  it("finds the right segment on and beside every border", () => {
    for (const border of [...atmosphere.breaksM, 0, 1000, 11000, 488]) {
      for (const h of [border - 1e-7, border, border + 1e-7]) {
        expect(Math.abs(density(h) / exact(h) - 1)).toBeLessThan(5e-14);
      }
    }
  });

  it("is evaluated at the vehicle's altitude in the equations", () => {
    for (const altitude of [-200, 0, 488.25, 3210, 10999.9, 11500]) {
      testRig.set({ posNed: [0, 0, 488 - altitude] });
      airInto(w, x, u, vehicle);
      const found = w.density[0];
      expect(found).toBe(density(488 - (488 - altitude)));
    }
  });

  it("extrapolates beyond its ends, so that trial steps do not fail", () => {
    expect(density(atmosphere.maxAltitudeM + 10)).toBeGreaterThan(0);
    expect(density(atmosphere.minAltitudeM - 10)).toBeGreaterThan(0);
  });
});
