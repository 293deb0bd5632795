/** Compares gravity with published normal gravity, numbers of PX4Lockstep.jl and the inverse square law. */
import { describe, expect, it } from "vitest";
import { checkParams } from "../../params/index.ts";
import { gravityAt } from "../environment.ts";
import { DEFAULT_ORIGIN } from "../geodesy/index.ts";
import type { WorldOrigin } from "../geodesy/index.ts";
import { gravityKinds } from "./index.ts";

function gravity(name: string, altitudeM: number, options: { origin?: WorldOrigin; given?: object } = {}): number {
  const { origin = DEFAULT_ORIGIN, given = {} } = options;
  const kind = gravityKinds.find((one) => one.name === name)!;
  return gravityAt(kind.make(checkParams(kind.params, { ...given }, []) as never, { origin }), altitudeM);
}

const at = (latDeg: number, altMslM = 0): WorldOrigin => ({ latDeg, lonDeg: 0, altMslM });

describe("uniform", () => {
  it("is the same everywhere, to the last bit", () => {
    for (const altitude of [-100, 0, 488, 9000]) expect(gravity("uniform", altitude)).toBe(9.80665);
    expect(gravity("uniform", 0, { given: { accelerationMps2: 3.71 } })).toBe(3.71);
  });
});

describe("spherical", () => {
  it("has the value of PX4Lockstep.jl at zero height", () => {
    expect(Math.abs(gravity("spherical", 0) / 9.820250487 - 1)).toBeLessThan(5.1e-11);
  });

  it("[D20] depends on the altitude of the origin, which the variant of PX4Lockstep.jl ignores", () => {
    const gm = 3.986004418e14;
    const square = (r: number) => r * r;
    expect(gravity("spherical", 1488) / (gm / square(6371000 + 1488))).toBeCloseTo(1, 14);
    expect(gravity("spherical-reference", 1488) / (gm / square(6371000 + 1000))).toBeCloseTo(1, 14);
  });

  it("decreases with the square of the distance", () => {
    expect(gravity("spherical", 6371000) / gravity("spherical", 0)).toBeCloseTo(0.25, 14);
  });
});

describe("wgs84", () => {
  it("agrees with published normal gravity at equator, 45° and poles", () => {
    // NIMA TR8350.2, table 3.4: 9.7803253359 and 9.8321849378. At 45°, Moritz 2000 prints 9.8061992 for GRS 80, whose
    // value at the equator is 1.4e-6 higher.
    expect(gravity("wgs84", 0, { origin: at(0) })).toBe(9.7803253359);
    expect(Math.abs(gravity("wgs84", 0, { origin: at(90) }) - 9.8321849378)).toBeLessThan(2e-10);
    expect(Math.abs(gravity("wgs84", 0, { origin: at(-90) }) - 9.8321849378)).toBeLessThan(2e-10);
    expect(Math.abs(gravity("wgs84", 0, { origin: at(45) }) - 9.8061992)).toBeLessThan(1.5e-6);
  });

  it("has the specified values at the default origin", () => {
    expect(gravity("wgs84", 0)).toBeCloseTo(9.808366, 6);
    expect(gravity("wgs84", 488)).toBeCloseTo(9.80686, 6);
  });

  it("decreases with height like the sum of attraction and centrifugal acceleration", () => {
    // The closed form on the equator is GM/r²·(1 + 1.5·J2·(a/r)² − 1.875·J4·(a/r)⁴) − ω²·r.
    const exact = (h: number) => {
      const r = 6378137 + h;
      const q = 6378137 / r;
      const q2 = q * q;
      const j = 1 + 1.5 * 1.08262982e-3 * q2 - 1.875 * -2.37091e-6 * q2 * q2;
      return (3.986004418e14 / (r * r)) * j - 7.292115e-5 * 7.292115e-5 * r;
    };
    for (const h of [0, 1000, 5000, 20000]) {
      const difference = Math.abs(gravity("wgs84", h, { origin: at(0) }) / exact(h) - 1);
      expect(difference, `at ${h} m`).toBeLessThan(3e-7);
    }
  });
});
