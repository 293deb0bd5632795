/** The normal distribution function. */
import * as math from "@escapement/core/math";

const ROOT_TWO_PI = 2.5066282746310002;
/** Within this distance from 0 the power series is used, beyond it the continued fraction. */
const SERIES_TO = 3;
/** Number of terms of the continued fraction; it suffices beyond `SERIES_TO`. */
const FRACTION_TERMS = 120;

/** Φ(z). */
export function normalCdf(z: number): number {
  if (z < -SERIES_TO) return upperTail(-z);
  if (z > SERIES_TO) return 1 - upperTail(z);
  // G. Marsaglia: Evaluating the normal distribution, 2004. All terms have one sign.
  let term = z;
  let sum = z;
  for (let i = 3; ; i += 2) {
    term *= (z * z) / i;
    if (sum + term === sum) return 0.5 + sum * density(z);
    sum += term;
  }
}

/** 1 − Φ(z) for large z, by Laplace's continued fraction. */
function upperTail(z: number): number {
  if (z > 40) return 0;
  let fraction = z;
  for (let i = FRACTION_TERMS; i >= 1; i -= 1) fraction = z + i / fraction;
  return density(z) / fraction;
}

function density(z: number): number {
  return math.exp(-(z * z) / 2) / ROOT_TWO_PI;
}
