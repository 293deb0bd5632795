/** The incomplete beta function and its inverse, from which the binomial, beta and t distributions are computed. */
import { invariant } from "@escapement/core";
import * as math from "@escapement/core/math";
import { log1p, stirlingError } from "./gamma.ts";

const TWO_PI = 6.283185307179586;
/** Keeps the continued fraction away from a division by zero. */
const TINY = 1e-300;

/**
 * Returns n! / (k! (n − k)!) pᵏ (1 − p)ⁿ⁻ᵏ for real k and n, 0 ≤ k ≤ n. `q` is 1 − p, passed separately so that neither
 * loses digits.
 */
export function binomialMass(k: number, n: number, p: number, q = 1 - p): number {
  if (p <= 0) return k === 0 ? 1 : 0;
  if (q <= 0) return k === n ? 1 : 0;
  if (k === 0) return math.exp(n * (p < q ? log1p(-p) : math.log(q)));
  if (k === n) return math.exp(n * (q < p ? log1p(-q) : math.log(p)));
  const rest = n - k;
  const exponent =
    stirlingError(n) - stirlingError(k) - stirlingError(rest) - deviance(k, n * p) - deviance(rest, n * q);
  return math.exp(exponent) * Math.sqrt(n / (TWO_PI * k * rest));
}

/** x ln(x / m) + m − x, without cancellation if x is near m. */
function deviance(x: number, m: number): number {
  const v = (x - m) / (x + m);
  if (Math.abs(v) >= 0.1) return x * math.log(x / m) + m - x;
  let sum = (x - m) * v;
  let term = 2 * x * v;
  for (let j = 3; ; j += 2) {
    term *= v * v;
    const next = sum + term / j;
    if (next === sum) return sum;
    sum = next;
  }
}

/** Returns the regularised incomplete beta function I_x(a, b), with y = 1 − x. */
export function incompleteBeta(a: number, b: number, x: number, y = 1 - x): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const density = (a * b * binomialMass(a, a + b, x, y)) / (a + b);
  if (x * (a + b + 2) <= a + 1) return (density * continuedFraction(a, b, x)) / a;
  return 1 - (density * continuedFraction(b, a, y)) / b;
}

/** Gauss's continued fraction by the method of Lentz. It converges within about √(a + b) terms for x ≤ a / (a + b). */
function continuedFraction(a: number, b: number, x: number): number {
  const maxTerms = 1000 + 20 * Math.sqrt(a + b);
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m < maxTerms; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / awayFromZero(1 + even * d);
    c = awayFromZero(1 + even / c);
    value *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / awayFromZero(1 + odd * d);
    c = awayFromZero(1 + odd / c);
    value *= c * d;
    if (Math.abs(c * d - 1) < 2e-16) return value;
  }
  return value;
}

function awayFromZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

/** x with I_x(a, b) = p. */
export function betaQuantile(p: number, a: number, b: number): number {
  return bisectRising((x) => incompleteBeta(a, b, x) - p, 0, 1);
}

/**
 * Returns the point between `low` and `high` at which a rising function changes its sign, to the last bits of a double.
 */
export function bisectRising(f: (x: number) => number, low: number, high: number): number {
  invariant(low < high, `an interval to search in, not ${low} … ${high}`);
  let [a, b] = [low, high];
  for (let i = 0; i < 1100; i += 1) {
    const middle = a + (b - a) / 2;
    if (middle <= a || middle >= b) break;
    if (f(middle) < 0) a = middle;
    else b = middle;
  }
  return b;
}
