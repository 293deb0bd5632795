/**
 * The gamma function's logarithm, and its distance from Stirling's formula.
 *
 * Binomial probabilities of a million flights are quotients of numbers with millions of digits. Written with logarithms
 * of the gamma function they lose ten digits to cancellation; written with the distance from Stirling's formula they
 * lose none (C. Loader: Fast and accurate computation of binomial probabilities, 2000).
 */
import * as math from "@escapement/core/math";

/** ln √(2π). */
const LOG_ROOT_TWO_PI = 0.9189385332046728;

/** Coefficients of the series in 1/x of the distance: B₂ₖ / (2k (2k − 1)). */
const SERIES = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156];

/** The smallest argument for which the series is exact to the last bit. */
const SERIES_FROM = 16;

/** ln Γ(x + 1) − (x + ½) ln x + x − ln √(2π), for x > 0. */
export function stirlingError(x: number): number {
  if (x < SERIES_FROM) return logGamma(x + 1) - ((x + 0.5) * math.log(x) - x + LOG_ROOT_TWO_PI);
  const inverse = 1 / x;
  const square = inverse * inverse;
  let sum = 0;
  for (let i = SERIES.length - 1; i >= 0; i -= 1) sum = sum * square + SERIES[i]!;
  return sum * inverse;
}

/** ln Γ(x) for x > 0. */
export function logGamma(x: number): number {
  let product = 1;
  let shifted = x;
  for (; shifted < SERIES_FROM + 1; shifted += 1) product *= shifted;
  const y = shifted - 1;
  const stirling = (y + 0.5) * math.log(y) - y + LOG_ROOT_TWO_PI + stirlingError(y);
  return stirling - math.log(product);
}

/** ln(1 + x), accurate even for small x. */
export function log1p(x: number): number {
  const sum = 1 + x;
  return sum === 1 ? x : (math.log(sum) * x) / (sum - 1);
}
