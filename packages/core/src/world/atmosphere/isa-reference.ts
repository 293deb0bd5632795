/**
 * The atmosphere of PX4Lockstep.jl, to reproduce its numbers: two layers of the ISA, computed with geometric instead
 * of geopotential height, and sea-level values below sea level. `us76` is the better model.
 */
import { defineKind, defineParams } from "../../params/index.ts";
import type { Atmosphere } from "../environment.ts";
import { LayeredAir } from "./layered-air.ts";

export const isaReference = defineKind({
  name: "isa-reference",
  about: "Two ISA layers in geometric height, with sea-level values below sea level, as in PX4Lockstep.jl.",
  version: 1,
  params: defineParams({}),
  make: (_params, _context: void): Atmosphere =>
    new LayeredAir({
      name: "isa-reference",
      baseTemperatureK: 288.15,
      basePressurePa: 101325,
      gasConstantJKgK: 287.05287,
      gravityMps2: 9.80665,
      inverseRadiusPerM: 0,
      layers: [
        { baseM: 0, gradientKPerM: -0.0065 },
        { baseM: 11000, gradientKPerM: 0 },
      ],
      floorM: 0,
      minAltitudeM: -10000,
      maxAltitudeM: 86000,
    }),
});
