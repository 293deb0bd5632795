// Seeded random inputs for the accuracy tests of the portable functions, and the loop that finds the largest error.

import { type Exact, ulpError } from "./high-precision.ts";
import { volume } from "./volume.ts";

/** One in this many inputs is compared with the exact value. In the long tests, every input is compared. */
export const EVERY = volume(5, 1);

/** Returns a seeded generator of doubles in [0, 1): 53 bits from two rounds of a multiply-and-xorshift mixer. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
  return () => (next() * 0x200000 + (next() >>> 11)) / 0x20000000000000;
}

export interface Span {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Returns numbers that are uniformly distributed over the span. */
export function uniform(seed: number, { from, to, count }: Span): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => from + (to - from) * random());
}

/** Returns numbers of either sign that are uniformly distributed over the logarithm of the span. */
export function signedLogarithmic(seed: number, { from, to, count }: Span): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const size = Math.min(to, Math.max(from, Math.exp(Math.log(from) + (Math.log(to) - Math.log(from)) * random())));
    return random() < 0.5 ? -size : size;
  });
}

/** Returns positive numbers that are uniformly distributed over the logarithm of the span. */
export function logarithmic(seed: number, span: Span): number[] {
  return signedLogarithmic(seed, span).map(Math.abs);
}

export interface Worst {
  readonly ulp: number;
  readonly at: readonly number[];
  readonly count: number;
}

/** Returns the largest error of a function of one or two numbers over the inputs. */
export function worstError(
  f: (x: number, y: number) => number,
  exact: (x: number, y: number) => Exact,
  inputs: readonly (readonly number[])[],
): Worst {
  let ulp = 0;
  let at: readonly number[] = [];
  let count = 0;
  for (let i = 0; i < inputs.length; i += EVERY) {
    const x = inputs[i]!;
    const error = ulpError(f(x[0], x[1]), exact(x[0], x[1]));
    count++;
    if (error > ulp) {
      ulp = error;
      at = x;
    }
  }
  return { ulp, at, count };
}

const bits = new BigInt64Array(1);
const float = new Float64Array(bits.buffer);

/** Returns the distance between two numbers, counted in doubles; 0 for equal values and for two NaNs. */
export function ulpDistance(a: number, b: number): number {
  if (Object.is(a, b)) return 0;
  return Math.abs(Number(ordinal(a) - ordinal(b)));
}

/** Returns the index of a double counted from zero; negative for negative numbers. */
function ordinal(x: number): bigint {
  float[0] = x;
  return bits[0] < 0n ? -(bits[0] & 0x7fffffffffffffffn) : bits[0];
}

/** Edge cases for functions of one real number. */
export const EDGES: readonly number[] = [
  0,
  -0,
  5e-324,
  -5e-324,
  2.2250738585072014e-308,
  -2.225073858507201e-308,
  1e-17,
  -1e-17,
  0.5,
  -0.5,
  1,
  -1,
  2,
  -2,
  3,
  -3,
  709,
  710,
  -745,
  -746,
  2147483648,
  4503599627370497,
  9007199254740991,
  -9007199254740991,
  9007199254740992,
  1e22,
  1e300,
  -1e300,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Infinity,
  -Infinity,
  NaN,
];
