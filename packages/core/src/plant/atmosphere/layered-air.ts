/**
 * Air in layers of constant temperature gradient, in hydrostatic balance: the one implementation behind all kinds.
 *
 * In a layer with base (H_b, T_b, p_b) and gradient L over geopotential altitude H (U.S. Standard Atmosphere 1976,
 * NOAA-S/T 76-1562, equations 18, 23, 33a and 33b):
 *   T = T_b + L·(H − H_b)
 *   p = p_b·(T/T_b)^(−g0/(R·L))        for L ≠ 0
 *   p = p_b·exp(−g0·(H − H_b)/(R·T_b)) for L = 0
 *   ρ = p/(R·T),  H = h/(1 + h/r0)
 * Near the ground the density comes from Taylor polynomials in cells of altitude, exact to rounding and far cheaper
 * than a logarithm and an exponential: a flight asks for it in every evaluation of its right-hand side.
 */
import { exp, log } from "../../math/index.ts";
import type { Atmosphere } from "./atmosphere.ts";
import { airErrors } from "./errors.ts";

export interface AirLayer {
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
  readonly floorM: number;
  /** Altitudes outside are refused. */
  readonly lowestM: number;
  readonly highestM: number;
  /** Cells of the fast density: all inside the first layer and above the floor. */
  readonly cellsFromM: number;
  readonly cellCount: number;
}

/** Wide enough for a small table, narrow enough for degree 5 to be exact: the next term is below 3e-17. */
const CELL_WIDTH_M = 256;
const DEGREE = 5;
const COEFFICIENTS = DEGREE + 1;
/** Head of the packed table: altitude of the first cell, cells a metre, number of cells. */
const HEAD = 3;

const BASE = 0;
const TEMPERATURE = 1;
const GRADIENT = 2;
const PRESSURE = 3;
/** −g0/(R·L), or −g0/(R·T) where the layer is isothermal. */
const EXPONENT = 4;
const STRIDE = 5;

export class LayeredAir implements Atmosphere {
  private readonly options: LayeredAirOptions;
  private readonly layers: Float64Array;
  private readonly layerCount: number;
  private readonly cells: Float64Array;

  constructor(options: LayeredAirOptions) {
    this.options = options;
    this.layerCount = options.layers.length;
    this.layers = packLayers(options);
    this.cells = new Float64Array(HEAD + COEFFICIENTS * options.cellCount);
    this.cells[0] = options.cellsFromM;
    this.cells[1] = 1 / CELL_WIDTH_M;
    this.cells[2] = options.cellCount;
    for (let i = 0; i < options.cellCount; i += 1) this.fillCell(i);
  }

  densityInto(air: Float64Array): void {
    const c = this.cells;
    const s = (air[0]! - c[0]!) * c[1]!;
    if (s >= 0 && s < c[2]!) {
      const cell = s | 0;
      const t = s - cell - 0.5;
      const k = HEAD + COEFFICIENTS * cell;
      const tt = t * t;
      air[0] = c[k]! + c[k + 1]! * t + tt * (c[k + 2]! + c[k + 3]! * t + tt * (c[k + 4]! + c[k + 5]! * t));
      return;
    }
    this.sampleInto(air);
  }

  sampleInto(air: Float64Array): void {
    const { floorM, lowestM, highestM, inverseRadiusPerM, gasConstantJKgK } = this.options;
    const altitudeM = air[0]!;
    if (altitudeM < lowestM || altitudeM > highestM) this.refuse(altitudeM);
    const h = altitudeM < floorM ? floorM : altitudeM;
    const geopotentialM = h / (1 + h * inverseRadiusPerM);
    const layers = this.layers;
    let k = 0;
    while (k < STRIDE * (this.layerCount - 1) && geopotentialM > layers[k + STRIDE + BASE]!) k += STRIDE;
    const temperatureK = layers[k + TEMPERATURE]! + layers[k + GRADIENT]! * (geopotentialM - layers[k + BASE]!);
    const pressurePa = pressureInLayer(layers, k, geopotentialM, temperatureK);
    air[0] = pressurePa / (gasConstantJKgK * temperatureK);
    air[1] = temperatureK;
    air[2] = pressurePa;
  }

  /**
   * Taylor coefficients of the density about the middle c of a cell, in units of the cell's width.
   *
   * With ε = 1/r0 the temperature of the first layer is (A + B·h)/(1 + ε·h), A = T_b, B = ε·T_b + L (its base is at
   * H = 0), so ρ ∝ ((A + B·h)/(1 + ε·h))^k, k = −g0/(R·L) − 1, and (A + B·h)(1 + ε·h)·ρ' = k·L·ρ. With t = h − c,
   * P = A + B·c and Q = 1 + ε·c the coefficients of ρ = Σ yₙ·tⁿ follow from
   *   P·Q·(n+1)·yₙ₊₁ = (k·L − (P·ε + B·Q)·n)·yₙ − B·ε·(n−1)·yₙ₋₁.
   */
  private fillCell(cell: number): void {
    const { inverseRadiusPerM: epsilon, cellsFromM } = this.options;
    const middleM = cellsFromM + (cell + 0.5) * CELL_WIDTH_M;
    const air = new Float64Array(3);
    air[0] = middleM;
    this.sampleInto(air);
    const gradient = this.layers[GRADIENT]!;
    const a = this.layers[TEMPERATURE]!;
    const b = epsilon * a + gradient;
    const p = a + b * middleM;
    const q = 1 + epsilon * middleM;
    const kL = (this.layers[EXPONENT]! - 1) * gradient;
    const at = HEAD + COEFFICIENTS * cell;
    let scale = 1;
    let before = 0;
    let y = air[0];
    for (let n = 0; n <= DEGREE; n += 1) {
      this.cells[at + n] = y * scale;
      const next = ((kL - (p * epsilon + b * q) * n) * y - b * epsilon * (n - 1) * before) / (p * q * (n + 1));
      before = y;
      y = next;
      scale *= CELL_WIDTH_M;
    }
  }

  private refuse(altitudeM: number): never {
    const { name, lowestM, highestM } = this.options;
    throw airErrors.outOfRange({
      what: `the atmosphere "${name}" reaches from ${lowestM} m to ${highestM} m, and the altitude is ${altitudeM} m`,
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
