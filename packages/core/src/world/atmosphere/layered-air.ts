/**
 * Air in layers of constant temperature gradient, in hydrostatic balance. All kinds of atmosphere use this class.
 *
 * In a layer with base (H_b, T_b, p_b) and gradient L = dT/dH, with geopotential altitude H (U.S. Standard Atmosphere
 * 1976, NOAA-S/T 76-1562, equations 18, 23, 33a and 33b):
 *   T = T_b + L·(H − H_b)
 *   p = p_b·(T/T_b)^(−g0/(R·L))        for L ≠ 0
 *   p = p_b·exp(−g0·(H − H_b)/(R·T_b)) for L = 0
 *   ρ = p/(R·T),  H = h/(1 + h/r0)
 * The class publishes the range and the borders of the layers, so that a plant can tabulate the density once.
 */
import { exp, log } from "../../math/index.ts";
import { AIR_DENSITY, AIR_PRESSURE, AIR_TEMPERATURE } from "../environment.ts";
import type { Atmosphere } from "../environment.ts";
import { airErrors } from "./errors.ts";

interface AirLayer {
  /** Geopotential altitude of its base. */
  readonly baseM: number;
  readonly gradientKPerM: number;
}

interface LayeredAirOptions {
  readonly name: string;
  /** Temperature and pressure at the base of the first layer. */
  readonly baseTemperatureK: number;
  readonly basePressurePa: number;
  readonly gasConstantJKgK: number;
  readonly gravityMps2: number;
  /** 1/r0 of the geopotential altitude; 0 uses the geometric altitude. */
  readonly inverseRadiusPerM: number;
  /** In ascending order. The first layer also applies below its base, down to `floorM` if that is given. */
  readonly layers: readonly AirLayer[];
  /** Lower altitudes have the values at this altitude. */
  readonly floorM?: number;
  /** Altitudes outside this range are an error. */
  readonly minAltitudeM: number;
  readonly maxAltitudeM: number;
}

const BASE = 0;
const TEMPERATURE = 1;
const GRADIENT = 2;
const PRESSURE = 3;
/** −g0/(R·L), or −g0/(R·T) if the layer is isothermal. */
const EXPONENT = 4;
const STRIDE = 5;

/** Indices into `settings`. */
const MIN_ALTITUDE = 0;
const MAX_ALTITUDE = 1;
const FLOOR = 2;
const INVERSE_RADIUS = 3;
const GAS_CONSTANT = 4;

export class LayeredAir implements Atmosphere {
  readonly minAltitudeM: number;
  readonly maxAltitudeM: number;
  readonly breaksM: readonly number[];
  private readonly name: string;
  /** An array, because engines box fields that hold an integer in one instance and a fraction in another. */
  private readonly settings: Float64Array;
  private readonly layers: Float64Array;

  constructor(options: LayeredAirOptions) {
    const { floorM = -Infinity, inverseRadiusPerM } = options;
    this.name = options.name;
    this.minAltitudeM = options.minAltitudeM;
    this.maxAltitudeM = options.maxAltitudeM;
    this.settings = Float64Array.of(
      options.minAltitudeM,
      options.maxAltitudeM,
      floorM,
      inverseRadiusPerM,
      options.gasConstantJKgK,
    );
    this.layers = packLayers(options);
    const borders = options.layers.slice(1).map(({ baseM }) => baseM / (1 - baseM * inverseRadiusPerM));
    this.breaksM = floorM > options.minAltitudeM ? [floorM, ...borders] : borders;
  }

  sampleInto(out: Float64Array, altitudeM: Float64Array): void {
    const { settings, layers } = this;
    const altitude = altitudeM[0]!;
    if (altitude < settings[MIN_ALTITUDE]! || altitude > settings[MAX_ALTITUDE]!) this.reject(altitude);
    const h = altitude < settings[FLOOR]! ? settings[FLOOR]! : altitude;
    const geopotentialM = h / (1 + h * settings[INVERSE_RADIUS]!);
    let k = 0;
    while (k + STRIDE < layers.length && geopotentialM > layers[k + STRIDE + BASE]!) k += STRIDE;
    const temperatureK = layers[k + TEMPERATURE]! + layers[k + GRADIENT]! * (geopotentialM - layers[k + BASE]!);
    const pressurePa = pressureInLayer(layers, k, geopotentialM, temperatureK);
    out[AIR_DENSITY] = pressurePa / (settings[GAS_CONSTANT]! * temperatureK);
    out[AIR_TEMPERATURE] = temperatureK;
    out[AIR_PRESSURE] = pressurePa;
  }

  private reject(altitudeM: number): never {
    throw airErrors.outOfRange({
      what: `the atmosphere "${this.name}" reaches from ${this.minAltitudeM} m to ${this.maxAltitudeM} m, but the altitude is ${altitudeM} m`,
      fix: "keep the flight inside this range, or choose an atmosphere with a larger one",
    });
  }
}

function packLayers(options: LayeredAirOptions): Float64Array {
  const { layers, gravityMps2, gasConstantJKgK } = options;
  const packed = new Float64Array(STRIDE * layers.length);
  let temperatureK = options.baseTemperatureK;
  let pressurePa = options.basePressurePa;
  layers.forEach((layer, index) => {
    const k = STRIDE * index;
    const gradient = layer.gradientKPerM;
    packed[k + BASE] = layer.baseM;
    packed[k + TEMPERATURE] = temperatureK;
    packed[k + GRADIENT] = gradient;
    packed[k + PRESSURE] = pressurePa;
    packed[k + EXPONENT] = -gravityMps2 / (gasConstantJKgK * (gradient === 0 ? temperatureK : gradient));
    const next = layers[index + 1];
    if (next === undefined) return;
    const topTemperatureK = temperatureK + gradient * (next.baseM - layer.baseM);
    pressurePa = pressureInLayer(packed, k, next.baseM, topTemperatureK);
    temperatureK = topTemperatureK;
  });
  return packed;
}

function pressureInLayer(layers: Float64Array, k: number, geopotentialM: number, temperatureK: number): number {
  const argument =
    layers[k + GRADIENT]! === 0 ? geopotentialM - layers[k + BASE]! : log(temperatureK / layers[k + TEMPERATURE]!);
  return layers[k + PRESSURE]! * exp(layers[k + EXPONENT]! * argument);
}
