/**
 * Air density as a table of polynomials, which the equations of motion read instead of evaluating the atmosphere.
 *
 * An atmosphere needs a power function, which would take a third of the time of the right-hand side. Density is smooth
 * between the borders of its layers, so Chebyshev interpolation of degree 8 on segments of at most 1 km reproduces it
 * to the last bits (tested: 5e-14 relative). A coarse grid of cells finds the segment without a search.
 */
import { cos } from "../../../math/index.ts";
import type { Atmosphere } from "../../../world/environment.ts";
import { AIR_SEGMENT_CELLS, type Scratch, type VehicleConstants } from "../../memory.ts";

const DEGREE = 8;
const SEGMENT_M = 1000;
const NODES = DEGREE + 1;
/** Values of the Chebyshev polynomials at the nodes: T_k at node j is element k · NODES + j. */
const AT_NODES = Float64Array.from({ length: NODES * NODES }, (_, at) => {
  const k = Math.floor(at / NODES);
  return cos((Math.PI * k * ((at % NODES) + 0.5)) / NODES);
});
/** Coefficients of the Chebyshev polynomials: the coefficient of tⁱ in T_k is element k · NODES + i. */
const POLYNOMIALS = chebyshevPolynomials();

/** Computes the density at `w.altitude` in kg/m³; outside the table, its end segments are extrapolated. */
export function densityInto(w: Scratch, vehicle: VehicleConstants): void {
  const h = w.altitude[0];
  const cell = Math.floor((h - vehicle.airStart) * vehicle.inverseAirCell);
  const last = vehicle.airCellCount - 1;
  // A NaN altitude takes the first cell, so that the density becomes NaN and the state guard reports it.
  let at = vehicle.airCells[cell > last ? last : cell >= 0 ? cell : 0];
  // A cell is not longer than the shortest segment, so it overlaps at most the next segment.
  if (h >= vehicle.airSegments[at + 1].floor) at += 1;
  const segment = vehicle.airSegments[at];
  const t = (h - segment.centre) * segment.inverseHalf;
  let density = segment.coefficients[8];
  for (let k = 7; k >= 0; k -= 1) density = density * t + segment.coefficients[k];
  w.density[0] = density;
}

interface DensityTable {
  readonly startM: number;
  readonly invCellPerM: number;
  /** Index of the first segment of each cell. */
  readonly cells: readonly number[];
  /** Segments of `AIR_SEGMENT_CELLS` numbers, followed by a closing segment whose floor is never reached. */
  readonly segments: Float64Array;
}

/** Tabulates an atmosphere over its whole range. */
export function densityTable(atmosphere: Atmosphere): DensityTable {
  const borders = segmentBorders(atmosphere);
  const count = borders.length - 1;
  const segments = new Float64Array((count + 1) * AIR_SEGMENT_CELLS);
  let shortest = Infinity;
  for (let s = 0; s < count; s += 1) {
    const floor = borders[s];
    const half = (borders[s + 1] - floor) / 2;
    shortest = Math.min(shortest, 2 * half);
    segments.set([floor, floor + half, 1 / half, ...fit(atmosphere, floor + half, half)], s * AIR_SEGMENT_CELLS);
  }
  segments[count * AIR_SEGMENT_CELLS] = Infinity;

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

/** Returns the borders of the layers, with each layer divided into equal parts of at most SEGMENT_M. */
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

/** Returns the coefficients of t⁰ … t⁸, t in [−1, 1], of the polynomial through the nine Chebyshev nodes. */
function fit(atmosphere: Atmosphere, centre: number, half: number): Float64Array {
  const air = new Float64Array(3);
  const altitude = new Float64Array(1);
  const values = new Float64Array(NODES);
  for (let j = 0; j < NODES; j += 1) {
    altitude[0] = centre + half * AT_NODES[NODES + j];
    atmosphere.sampleInto(air, altitude);
    values[j] = air[0];
  }
  const powers = new Float64Array(NODES);
  for (let k = 0; k < NODES; k += 1) {
    let sum = 0;
    for (let j = 0; j < NODES; j += 1) sum += values[j] * AT_NODES[k * NODES + j];
    const weight = ((k === 0 ? 1 : 2) / NODES) * sum;
    for (let i = 0; i < NODES; i += 1) powers[i] += weight * POLYNOMIALS[k * NODES + i];
  }
  return powers;
}

/** Uses the recurrence T_{k+1} = 2t·T_k − T_{k−1}. */
function chebyshevPolynomials(): Float64Array {
  const coefficients = new Float64Array(NODES * NODES);
  coefficients[0] = 1;
  coefficients[NODES + 1] = 1;
  for (let k = 2; k < NODES; k += 1) {
    for (let i = 0; i < NODES; i += 1) {
      const shifted = i > 0 ? coefficients[(k - 1) * NODES + i - 1] : 0;
      coefficients[k * NODES + i] = 2 * shifted - coefficients[(k - 2) * NODES + i];
    }
  }
  return coefficients;
}
