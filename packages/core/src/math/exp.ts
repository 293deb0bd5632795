// Portable exp and expm1: the same bits on every engine (law 9), from + − × ÷ alone. Table-driven after Tang (1989): x
// = (32·e + i)·ln2/32 + r with |r| ≤ ln2/64, then e^x = 2^e · 2^(i/32) · e^r, with 2^(i/32) as a sum of two doubles and
// a minimax polynomial for e^r. The error is below 0.55 ulp for exp (0.8 if the result is subnormal and rounded twice)
// and below 0.7 ulp for expm1.

import { scaleByPowerOfTwo } from "./power-of-two.ts";

const PER_STEP = 46.16624130844683; // 32/ln2
const STEP_HI = 0.02166084938653512; // ln2/32, 33 bits: a whole number of steps times it is exact
const STEP_LO = 5.963171653970587e-12;
const ROUND = 6755399441055744; // 1.5·2^52: adding and subtracting it rounds to a whole number

const OVERFLOWS_ABOVE = 709.782712893384;
const UNDERFLOWS_BELOW = -745.1332191019412;

// 2^(i/32), rounded, and the rounding error.
// oxfmt-ignore
export const EXP_TABLE = new Float64Array([
  1.0, 0.0,
  1.0218971486541166, 5.109225028973444e-17,
  1.0442737824274138, 8.551889705537965e-17,
  1.0671404006768237, -7.899853966841582e-17,
  1.0905077326652577, -3.046782079812471e-17,
  1.1143867425958924, 1.0410278456845571e-16,
  1.1387886347566916, 8.912812676025408e-17,
  1.1637248587775775, 3.8292048369240935e-17,
  1.189207115002721, 3.982015231465646e-17,
  1.215247359980469, -7.712630692681488e-17,
  1.241857812073484, 4.658027591836937e-17,
  1.2690509571917332, 2.667932131342186e-18,
  1.2968395546510096, 2.5382502794888315e-17,
  1.3252366431597413, -2.8587312100388614e-17,
  1.3542555469368927, 7.70094837980299e-17,
  1.383909881963832, -6.770511658794786e-17,
  1.4142135623730951, -9.667293313452913e-17,
  1.4451808069770467, -3.0237581349939873e-17,
  1.4768261459394993, -3.483994556892796e-17,
  1.5091644275934228, -1.016455327754295e-16,
  1.5422108254079407, 7.949834809697621e-17,
  1.5759808451078865, -1.0136916471278304e-17,
  1.6104903319492543, 2.4707192569797888e-17,
  1.645755478153965, -1.0125679913674773e-16,
  1.681792830507429, 8.199010020581497e-17,
  1.718619298122478, -1.851380418263111e-17,
  1.7562521603732995, 2.960140695448873e-17,
  1.7947090750031072, 1.8227458427912087e-17,
  1.8340080864093424, 3.283107224245627e-17,
  1.8741676341103, -6.122763413004143e-17,
  1.9152065613971474, -1.0619946056195963e-16,
  1.9571441241754002, 8.960767791036668e-17,
]);

/** Returns e^x. */
export function exp(x: number): number {
  if (!(x <= OVERFLOWS_ABOVE)) return x * Infinity; // Infinity, or NaN for NaN
  if (x < UNDERFLOWS_BELOW) return 0;
  return expOfSum(x, 0);
}

/**
 * e^(hi + lo) for −750 < hi < 720 and a small lo. Either hi has at most 48 bits or lo is 0, so that the reduction is
 * exact.
 */
export function expOfSum(hi: number, lo: number): number {
  const steps = hi * PER_STEP + ROUND - ROUND;
  const whole = steps | 0;
  const i = 2 * (whole & 31);
  const r = hi - steps * STEP_HI - steps * STEP_LO + lo;
  return scaleByPowerOfTwo(EXP_TABLE[i] + (EXP_TABLE[i] * expm1Reduced(r) + EXP_TABLE[i + 1]), whole >> 5);
}

/** e^r − 1 for |r| ≤ ln2/64: a minimax polynomial with an error below 2^-63. */
function expm1Reduced(r: number): number {
  const rr = r * r;
  const tail = 0.04166666666622508 + r * 0.00833336811938362 + rr * 0.0013888949157851624;
  return r + rr * (0.5 + r * 0.1666666666652499 + rr * tail);
}

/** Returns e^x − 1, accurate even if e^x is close to 1. */
export function expm1(x: number): number {
  if (Math.abs(x) < 0.125) return expm1Small(x);
  if (!(x < 40)) return exp(x); // 1 is less than half a unit in the last place of e^x
  if (x < -40) return -1;

  // As in `expOfSum`, but first subtract 1 from the larger part, and add the rounding error of the difference (Knuth's
  // sum).
  const steps = x * PER_STEP + ROUND - ROUND;
  const whole = steps | 0;
  const i = 2 * (whole & 31);
  const r = x - steps * STEP_HI - steps * STEP_LO;
  const scale = scaleByPowerOfTwo(1, whole >> 5);
  const hi = EXP_TABLE[i] * scale;
  const lo = (EXP_TABLE[i] * expm1Reduced(r) + EXP_TABLE[i + 1]) * scale;
  const sum = hi - 1;
  const added = sum - hi;
  const roundingError = hi - (sum - added) - (1 + added);
  return sum + (lo + roundingError);
}

/** x + x²·Q(x) for |x| ≤ 1/8: a minimax polynomial with an error below 2^-63·|x|. */
function expm1Small(x: number): number {
  if (Math.abs(x) < 5.551115123125783e-17) return x; // 2^-54; keeps −0 and subnormals
  const xx = x * x;
  const x4 = xx * xx;
  const head = 0.5 + x * 0.16666666666666657 + xx * (0.04166666666666663 + x * 0.00833333333339815);
  const tail =
    0.0013888888889008403 + x * 0.00019841268588525844 + xx * (2.4801585680788253e-5 + x * 2.7566861292397995e-6);
  return x + xx * (head + x4 * (tail + x4 * 2.756694447074893e-7));
}
