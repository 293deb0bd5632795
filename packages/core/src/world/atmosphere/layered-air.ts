/**
 * Air in layers of constant temperature gradient, in hydrostatic balance: the one implementation behind all kinds.
 *
 * In a layer with base (H_b, T_b, p_b) and gradient L over geopotential altitude H (U.S. Standard Atmosphere 1976,
 * NOAA-S/T 76-1562, equations 18, 23, 33a and 33b):
 *   T = T_b + L·(H − H_b)
 *   p = p_b·(T/T_b)^(−g0/(R·L))        for L ≠ 0
 *   p = p_b·exp(−g0·(H − H_b)/(R·T_b)) for L = 0
 *   ρ = p/(R·T),  H = h/(1 + h/r0)
 * The range and the borders of the layers are part of the contract, so that a plant may tabulate the density once.
 */
import { exp, log } from "../../math/index.ts";
import { AIR_DENSITY, AIR_PRESSURE, AIR_TEMPERATURE } from "../environment.ts";
import type { Atmosphere } from "../environment.ts";
import { airErrors } from "./errors.ts";

export interface AirLayer {
  /** Geopotential altitude of its base. */
  readonly baseM: number;
  readonly gradientKPerM: number;
}

export interface LayeredAirOptions {
  readonly name: string;
  /** Temperature and pressure at the base of the first layer. */
  readonly baseTemperatureK: number;
  readonly basePressurePa: number;
  readonly gasConstantJKgK: number;
  readonly gravityMps2: number;
  /** 1/r0 of the geopotential altitude; 0 takes geometric altitude as it is. */
  readonly inverseRadiusPerM: number;
  /** Strictly rising; the first layer also holds below its base unless `floorM` says otherwise. */
  readonly layers: readonly AirLayer[];
  /** Altitudes below count as this one. */
  readonly floorM?: number;
  /** Altitudes outside are refused. */
  readonly minAltitudeM: number;
  readonly maxAltitudeM: number;
}

const BASE = 0;
const TEMPERATURE = 1;
const GRADIENT = 2;
const PRESSURE = 3;
/** −g0/(R·L), or −g0/(R·T) where the layer is isothermal. */
const EXPONENT = 4;
const STRIDE = 5;

/** Places in the settings. */
const LEAST = 0;
const MOST = 1;
const FLOOR = 2;
const INVERSE_RADIUS = 3;
const GAS_CONSTANT = 4;

export class LayeredAir implements Atmosphere {
  readonly minAltitudeM: number;
  readonly maxAltitudeM: number;
  readonly breaksM: readonly number[];
  private readonly name: string;
  /** In an array, for a field that is a whole number in one model and not in another makes engines box what meets it. */
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
    const given = altitudeM[0]!;
    if (given < settings[LEAST]! || given > settings[MOST]!) this.refuse(given);
    const h = given < settings[FLOOR]! ? settings[FLOOR]! : given;
    const geopotentialM = h / (1 + h * settings[INVERSE_RADIUS]!);
    let k = 0;
    while (k + STRIDE < layers.length && geopotentialM > layers[k + STRIDE + BASE]!) k += STRIDE;
    const temperatureK = layers[k + TEMPERATURE]! + layers[k + GRADIENT]! * (geopotentialM - layers[k + BASE]!);
    const pressurePa = pressureInLayer(layers, k, geopotentialM, temperatureK);
    out[AIR_DENSITY] = pressurePa / (settings[GAS_CONSTANT]! * temperatureK);
    out[AIR_TEMPERATURE] = temperatureK;
    out[AIR_PRESSURE] = pressurePa;
  }

  private refuse(altitudeM: number): never {
    throw airErrors.outOfRange({
      what: `the atmosphere "${this.name}" reaches from ${this.minAltitudeM} m to ${this.maxAltitudeM} m, and the altitude is ${altitudeM} m`,
      fix: "keep the flight inside, or choose an atmosphere that reaches further",
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
