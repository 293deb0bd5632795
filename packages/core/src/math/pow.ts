// Portable pow: the same bits on every engine (law 9), from + − × ÷ alone. x^y = e^(y·log x). log x and y·log x are
// sums of two doubles (about 67 bits), because a relative error of log x is multiplied by up to 745 in the result. The
// error of the result is below 0.55 ulp (0.8 if the result is subnormal and rounded twice). Edge cases follow
// ECMAScript, not C: (±1)^±Infinity and 1^NaN are NaN.

import { expOfSum } from "./exp.ts";
import { logInto } from "./log.ts";

const SMALLEST_NORMAL = 2.2250738585072014e-308;
const TWO_54 = 18014398509481984;
const TWO_53 = 9007199254740992;
const MAX_ABS_Y = 36893488147419103232; // 2^65: above it any |x| except 1 overflows or underflows

const logX = new Float64Array(2);

/** Returns x to the power of y. */
export function pow(x: number, y: number): number {
  if (!(x >= SMALLEST_NORMAL && x < Infinity && Math.abs(y) <= MAX_ABS_Y)) return powEdge(x, y);
  logInto(logX, x, 0);
  return expOfProduct(y);
}

/** e^(y·(logX[0] + logX[1])); the leading product of 24 and 24 bits is exact. */
function expOfProduct(y: number): number {
  const yHi = Math.fround(y);
  const logHi = Math.fround(logX[0] + logX[1]);
  const logLo = logX[0] - logHi + logX[1];
  const hi = yHi * logHi;
  const lo = (y - yHi) * logHi + y * logLo;
  if (!(hi < 710)) return Infinity;
  if (hi < -746) return 0;
  return expOfSum(hi, lo);
}

/** Handles zero, subnormal, negative and non-finite x, and y that is huge, infinite or NaN. */
function powEdge(x: number, y: number): number {
  if (y === 0) return 1;
  if (!(x === x && y === y)) return NaN;
  const absX = Math.abs(x);
  if (absX === 1 && Math.abs(y) === Infinity) return NaN;
  const isWhole = Math.floor(y) === y;
  if (x < 0 && absX < Infinity && !isWhole) return NaN;
  const isOdd = isWhole && Math.abs(y) < TWO_53 && Math.floor(y / 2) !== y / 2;
  const size = magnitudeOfPower(absX, y);
  return isOdd && (x < 0 || Object.is(x, -0)) ? -size : size;
}

/** |x|^y if y is neither 0 nor NaN. */
function magnitudeOfPower(absX: number, y: number): number {
  if (absX === 1) return 1;
  if (absX === 0 || absX === Infinity || Math.abs(y) > MAX_ABS_Y) return absX > 1 === y > 0 ? Infinity : 0;
  if (absX < SMALLEST_NORMAL) logInto(logX, absX * TWO_54, -54);
  else logInto(logX, absX, 0);
  return expOfProduct(y);
}
