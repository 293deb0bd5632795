/**
 * The U.S. Standard Atmosphere 1976 (NOAA-S/T 76-1562) up to 86 km geometric altitude. Its layers are defined in
 * geopotential altitude; the lowest one is extrapolated below sea level.
 *
 * The temperature is the molecular-scale temperature T_M. Up to 80 km, T_M equals the kinetic temperature; above
 * 80 km, T_M is higher by up to 0.04 %. Pressure and density are exact. Constants are from tables 2 and 4 of the
 * standard. `temperatureOffsetK` warms every layer and keeps hydrostatic balance; `qnhPa` is the pressure at mean sea level.
 */
import { defineKind, defineParams } from "../../params/index.ts";
import { ANY, closed, number } from "../../params/rows.ts";
import type { Atmosphere } from "../environment.ts";
import { airErrors } from "./errors.ts";
import { LayeredAir } from "./layered-air.ts";

const MOLAR_GAS_CONSTANT_J_KMOL_K = 8314.32;
const MOLAR_MASS_KG_KMOL = 28.9644;
const GRAVITY_MPS2 = 9.80665;
const GEOPOTENTIAL_RADIUS_M = 6356766;
const SEA_LEVEL_TEMPERATURE_K = 288.15;
const MIN_TEMPERATURE_K = 186.946;

/** Layers of table 4 of the standard; the last one ends at 84 852 m geopotential, 86 km geometric altitude. */
const LAYERS = [
  { baseM: 0, gradientKPerM: -0.0065 },
  { baseM: 11000, gradientKPerM: 0 },
  { baseM: 20000, gradientKPerM: 0.001 },
  { baseM: 32000, gradientKPerM: 0.0028 },
  { baseM: 47000, gradientKPerM: 0 },
  { baseM: 51000, gradientKPerM: -0.0028 },
  { baseM: 71000, gradientKPerM: -0.002 },
] as const;

const params = defineParams({
  temperatureOffsetK: number(
    "K",
    ANY,
    "Added to the standard temperature at every altitude, e.g. 15 for a hot day.",
    0,
  ),
  qnhPa: number("Pa", closed(50000, 120000), "Pressure at mean sea level.", 101325),
});

interface Us76Options {
  readonly temperatureOffsetK: number;
  readonly qnhPa: number;
  /** Specific gas constant of dry air. Default: the standard's molar gas constant divided by its molar mass. */
  readonly gasConstantJKgK?: number;
}

export function makeUs76(options: Us76Options): LayeredAir {
  const { temperatureOffsetK, qnhPa, gasConstantJKgK = MOLAR_GAS_CONSTANT_J_KMOL_K / MOLAR_MASS_KG_KMOL } = options;
  if (MIN_TEMPERATURE_K + temperatureOffsetK < 100) {
    throw airErrors.tooCold({
      what: `an offset of ${temperatureOffsetK} K brings the coldest layer to ${MIN_TEMPERATURE_K + temperatureOffsetK} K`,
      where: { key: "temperatureOffsetK" },
      fix: `use at least ${100 - MIN_TEMPERATURE_K} K`,
    });
  }
  return new LayeredAir({
    name: "us76",
    baseTemperatureK: SEA_LEVEL_TEMPERATURE_K + temperatureOffsetK,
    basePressurePa: qnhPa,
    gasConstantJKgK,
    gravityMps2: GRAVITY_MPS2,
    inverseRadiusPerM: 1 / GEOPOTENTIAL_RADIUS_M,
    layers: LAYERS,
    minAltitudeM: -10000,
    maxAltitudeM: 86000,
  });
}

export const us76 = defineKind({
  name: "us76",
  about: "U.S. Standard Atmosphere 1976, all layers up to 86 km.",
  version: 1,
  params,
  make: (given, _context: void): Atmosphere => makeUs76(given),
});
