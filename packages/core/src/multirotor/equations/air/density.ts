/**
 * Air density as a table of polynomials: what the equations of motion read instead of asking the atmosphere.
 *
 * An atmosphere costs a power function, which would be a third of the whole right-hand side. Between the borders of its
 * layers density is smooth, so segments of at most a kilometre with Chebyshev interpolation of degree 8 reproduce it to
 * the last bits (tested: 5e-14 relative). A coarse grid of cells finds the segment without a search.
 */
import type { Atmosphere } from "../../../world/environment.ts";
import { cos } from "../../../math/index.ts";

const N_AIR_CELLS = 22;
const N_AIR_CELL = 96;
const P_AIR_START = 39;
const P_AIR_INV_CELL = 40;
const P_AIR = 1200;
const AIR_STRIDE = 12;
const A_FLOOR = 0;
const A_CENTRE = 1;
const A_INV_HALF = 2;
const A_COEFFICIENT = 3;

const DEGREE = 8;
const SEGMENT_M = 1000;

/** Density in kg/m³; outside the table its end segments are continued. */
export function densityAt(p: Float64Array, n: Int32Array, altitudeM: number): number {
  const cell = Math.floor((altitudeM - p[P_AIR_START]) * p[P_AIR_INV_CELL]);
  const last = n[N_AIR_CELLS] - 1;
  let at = P_AIR + AIR_STRIDE * n[N_AIR_CELL + (cell < 0 ? 0 : cell > last ? last : cell)];
  // A cell is no longer than the shortest segment, so its end lies at most one segment on.
  if (altitudeM >= p[at + AIR_STRIDE + A_FLOOR]) at += AIR_STRIDE;
  const t = (altitudeM - p[at + A_CENTRE]) * p[at + A_INV_HALF];
  const c = at + A_COEFFICIENT;
  let sum = p[c + 8];
  sum = sum * t + p[c + 7];
  sum = sum * t + p[c + 6];
  sum = sum * t + p[c + 5];
  sum = sum * t + p[c + 4];
  sum = sum * t + p[c + 3];
  sum = sum * t + p[c + 2];
  sum = sum * t + p[c + 1];
  return sum * t + p[c];
}

export interface DensityTable {
  readonly startM: number;
  readonly invCellPerM: number;
  /** First segment of each cell. */
  readonly cells: readonly number[];
  /** Segments of AIR_STRIDE numbers, closed by one whose floor is never reached. */
  readonly segments: Float64Array;
}

/** Tabulates an atmosphere over its whole range. */
export function densityTable(atmosphere: Atmosphere): DensityTable {
  const borders = segmentBorders(atmosphere);
  const count = borders.length - 1;
  const segments = new Float64Array((count + 1) * AIR_STRIDE);
  let shortest = Infinity;
  for (let s = 0; s < count; s += 1) {
    const floor = borders[s];
    const half = (borders[s + 1] - floor) / 2;
    shortest = Math.min(shortest, 2 * half);
    const at = s * AIR_STRIDE;
    segments[at + A_FLOOR] = floor;
    segments[at + A_CENTRE] = floor + half;
    segments[at + A_INV_HALF] = 1 / half;
    segments.set(fit(atmosphere, floor + half, half), at + A_COEFFICIENT);
  }
  segments[count * AIR_STRIDE + A_FLOOR] = Infinity;

  const startM = borders[0];
  const cellCount = Math.ceil((borders[count] - startM) / shortest);
  const cellM = (borders[count] - startM) / cellCount;
  const cells: number[] = [];
  let segment = 0;
  for (let cell = 0; cell < cellCount; cell += 1) {
    while (segment + 1 < count && borders[segment + 1] <= startM + cell * cellM) segment += 1;
    cells.push(segment);
  }
  return { startM, invCellPerM: 1 / cellM, cells, segments };
}

/** Borders of layers, and between them equal parts of at most SEGMENT_M. */
function segmentBorders(atmosphere: Atmosphere): number[] {
  const layers = [atmosphere.minAltitudeM, ...atmosphere.breaksM, atmosphere.maxAltitudeM];
  const borders: number[] = [layers[0]];
  for (let i = 1; i < layers.length; i += 1) {
    const floor = layers[i - 1];
    const parts = Math.max(1, Math.ceil((layers[i] - floor) / SEGMENT_M));
    for (let part = 1; part <= parts; part += 1) borders.push(floor + ((layers[i] - floor) * part) / parts);
  }
  return borders;
}

/** Coefficients of t⁰ … t⁸, t in [−1, 1], of the polynomial through the nine Chebyshev nodes. */
function fit(atmosphere: Atmosphere, centre: number, half: number): Float64Array {
  const nodes = DEGREE + 1;
  const air = new Float64Array(3);
  const altitude = new Float64Array(1);
  const values: number[] = [];
  for (let j = 0; j < nodes; j += 1) {
    altitude[0] = centre + half * cos((Math.PI * (j + 0.5)) / nodes);
    atmosphere.sampleInto(air, altitude);
    values.push(air[0]);
  }
  // Chebyshev coefficients, then T_k(t) as powers of t by the recurrence T_{k+1} = 2t·T_k − T_{k−1}.
  const powers = new Float64Array(nodes);
  let before = new Float64Array(nodes);
  let now = new Float64Array(nodes);
  before[0] = 1;
  now[1] = 1;
  for (let k = 0; k < nodes; k += 1) {
    let sum = 0;
    for (let j = 0; j < nodes; j += 1) sum += values[j] * cos((Math.PI * k * (j + 0.5)) / nodes);
    const weight = ((k === 0 ? 1 : 2) / nodes) * sum;
    const polynomial = k === 0 ? before : now;
    for (let i = 0; i < nodes; i += 1) powers[i] += weight * polynomial[i];
    if (k === 0) continue;
    const next = new Float64Array(nodes);
    for (let i = 0; i < nodes; i += 1) next[i] = 2 * (i > 0 ? now[i - 1] : 0) - before[i];
    before = now;
    now = next;
  }
  return powers;
}
