/**
 * The Sobol sequence with Owen's scrambling, point by point.
 *
 * Direction numbers by S. Joe and F. Y. Kuo (Constructing Sobol sequences with better two-dimensional projections,
 * 2008; the set new-joe-kuo-6), points in Gray-code order. Scrambling is A. B. Owen's nested one (1995): each binary
 * digit of a coordinate is flipped by a random bit that depends on the digits above it. The bits are draws of a random
 * stream named after the key; digits below the 32nd are uniform.
 */
import type { NumberedDraws } from "./context.ts";
import { JOE_KUO } from "./joe-kuo.ts";

const BITS = 32;
const TWO_32 = 4294967296;

/** Coordinates that the direction numbers cover. */
export const SOBOL_COORDINATES = JOE_KUO.length;

const directions: (Uint32Array | undefined)[] = [];

/** Returns the direction numbers of a coordinate as 32-bit fractions. */
function directionsOf(coordinate: number): Uint32Array {
  const known = directions[coordinate];
  if (known !== undefined) return known;
  const [polynomial, ...initial] = JOE_KUO[coordinate]!;
  const degree = initial.length;
  const v = new Uint32Array(BITS);
  for (let i = 0; i < BITS; i += 1) {
    // The first coordinate is the van der Corput sequence; it has no polynomial.
    if (coordinate === 0) v[i] = 1 << (BITS - 1 - i);
    else if (i < degree) v[i] = initial[i]! << (BITS - 1 - i);
    else {
      let value = v[i - degree]! ^ (v[i - degree]! >>> degree);
      for (let j = 1; j < degree; j += 1) if ((polynomial! >>> (degree - j)) & 1) value ^= v[i - j]!;
      v[i] = value;
    }
  }
  directions[coordinate] = v;
  return v;
}

/** Returns the coordinate of point `index` of the unscrambled sequence, as a 32-bit fraction. */
export function sobolFraction(index: number, coordinate: number): number {
  const v = directionsOf(coordinate);
  const gray = (index ^ (index >>> 1)) >>> 0;
  let value = 0;
  for (let i = 0; i < BITS; i += 1) if ((gray >>> i) & 1) value ^= v[i]!;
  return value >>> 0;
}

/** Scrambles a fraction and appends `below` as the digits after the 32nd. The result lies in (0, 1). */
export function owenScramble(fraction: number, scramble: NumberedDraws, below: number): number {
  let flips = 0;
  // The digits above a digit, with a leading 1, number the nodes of the tree of all prefixes.
  let node = 1;
  for (let shift = BITS - 1; shift >= 0; shift -= 1) {
    if (scramble.at(node) < 0.5) flips |= 1 << shift;
    node = 2 * node + ((fraction >>> shift) & 1);
  }
  return (((fraction ^ flips) >>> 0) + below) / TWO_32;
}
