/** The density table against the atmospheres it was made from. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isaReference, us76 } from "../../../world/atmosphere/index.ts";
import type { Atmosphere } from "../../../world/environment.ts";
import { referenceEnvironment, rig } from "../../../../../../tests/support/plant.ts";
import { N, P, W, W_SIZE } from "../../memory.ts";
import { airInto } from "./air.ts";
import { densityAt, densityTable } from "./density.ts";

function packed(atmosphere: Atmosphere): { p: Float64Array; n: Int32Array } {
  const table = densityTable(atmosphere);
  const p = new Float64Array(P.P_AIR + table.segments.length);
  const n = new Int32Array(N.N_AIR_CELL + table.cells.length);
  p[P.P_AIR_START] = table.startM;
  p[P.P_AIR_INV_CELL] = table.invCellPerM;
  p.set(table.segments, P.P_AIR);
  n[N.N_AIR_CELLS] = table.cells.length;
  n.set(table.cells, N.N_AIR_CELL);
  return { p, n };
}

describe.each([
  ["us76", us76],
  ["isa-reference", isaReference],
])("density of %s", (_name, kind) => {
  const atmosphere = kind.make({ temperatureOffsetK: 0, qnhPa: 101325 } as never);
  const { p, n } = packed(atmosphere);
  const exact = (h: number) => {
    const air = new Float64Array(3);
    atmosphere.sampleInto(air, Float64Array.of(h));
    return air[0]!;
  };

  it("follows the atmosphere to the last digits over its whole range", () => {
    const { minAltitudeM: min, maxAltitudeM: max } = atmosphere;
    fc.assert(
      fc.property(fc.double({ min, max, noNaN: true }), (h) => {
        expect(Math.abs(densityAt(p, n, h) / exact(h) - 1)).toBeLessThan(5e-14);
      }),
      { numRuns: 5000 },
    );
  });

  it("finds the right segment on and beside every border", () => {
    for (const border of [...atmosphere.breaksM, 0, 1000, 11000, 488]) {
      for (const h of [border - 1e-7, border, border + 1e-7]) {
        expect(Math.abs(densityAt(p, n, h) / exact(h) - 1)).toBeLessThan(5e-14);
      }
    }
  });

  it("is written out in the equations with the same bits", () => {
    const flown = rig("iris-reference", {}, { ...referenceEnvironment(), atmosphere });
    const w = new Float64Array(W_SIZE);
    for (const altitude of [-200, 0, 488.25, 3210, 10999.9, 11500]) {
      flown.set({ posNed: [0, 0, 488 - altitude] });
      airInto(w, flown.x, flown.u, flown.plant.packed.p, flown.plant.packed.n);
      expect(w[W.W_RHO]).toBe(densityAt(p, n, w[W.W_ALTITUDE]!));
    }
  });

  it("continues its ends instead of failing in a trial step", () => {
    expect(densityAt(p, n, atmosphere.maxAltitudeM + 10)).toBeGreaterThan(0);
    expect(densityAt(p, n, atmosphere.minAltitudeM - 10)).toBeGreaterThan(0);
  });
});
