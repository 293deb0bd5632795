// Portable sin, cos, tan: the same bits on every engine (law 9), from + − × ÷ alone. The algorithms are those of
// fdlibm: x = n·π/2 + r with |r| ≤ π/4 (r as a sum of two doubles), a minimax polynomial in r², and the quadrant n
// selects the polynomial and the sign. The error is below 0.8 ulp for sin and cos and below 0.9 ulp for tan. The
// largest errors found in more than 1e7 inputs of the worst regions are 0.795, 0.77 and 0.893 ulp. ±0 is kept,
// infinities and NaN give NaN, and huge angles are reduced exactly.

import { reduceHugeInto } from "./huge-angle.ts";

const QUARTER_PI = 0.7853981633974483;
const QUARTER_PI_REST = 3.061616997868383e-17;
const TWO_OVER_PI = 0.6366197723675814;

// π/2 in parts of 33 bits, so that n times a part is exact while |n| < 2^20; each …_REST is the rest of π/2 below that
// part.
const HALF_PI_1 = 1.5707963267341256;
const HALF_PI_1_REST = 6.077100506506192e-11;
const HALF_PI_2 = 6.077100506303966e-11;
const HALF_PI_2_REST = 2.0222662487959506e-21;
const HALF_PI_3 = 2.0222662487111665e-21;
const HALF_PI_3_REST = 8.4784276603689e-32;
const PARTS_LIMIT = 1647099; // 2^20·π/2
const ROUND = 6755399441055744; // 1.5·2^52: adding and subtracting it rounds to a whole number
const TAN_FOLD = 0.67434; // above this the polynomial of tan is used on π/4 − |x|

// The remainder of the last reduction: rem[0] + rem[1]. The caller stores the angle in rem[0] before a reduction,
// because V8 may box an argument. 16 elements, because V8 keeps small typed arrays on its managed heap, where access
// is slower.
const rem = new Float64Array(16);

// Coefficients of the polynomials on |x| ≤ π/4: for the sine from x³, for the cosine from x⁴. S3 is stored negated.
const S3 = 0.16666666666666632;
const S5 = 0.00833333333332249;
const S7 = -0.0001984126982985795;
const S9 = 2.7557313707070068e-6;
const S11 = -2.5050760253406863e-8;
const S13 = 1.58969099521155e-10;
const C4 = 0.0416666666666666;
const C6 = -0.001388888888887411;
const C8 = 2.480158728947673e-5;
const C10 = -2.7557314351390663e-7;
const C12 = 2.087572321298175e-9;
const C14 = -1.1359647557788195e-11;

/** Returns the sine of an angle in radians. */
export function sin(x: number): number {
  if (Math.abs(x) <= QUARTER_PI) return sinKernel(x, 0);
  rem[0] = x;
  const n = reduce();
  const value = n & 1 ? cosKernel(rem[0], rem[1]) : sinKernel(rem[0], rem[1]);
  return n & 2 ? -value : value;
}

/** Returns the cosine of an angle in radians. */
export function cos(x: number): number {
  if (Math.abs(x) <= QUARTER_PI) return cosKernel(x, 0);
  rem[0] = x;
  const n = reduce();
  const value = n & 1 ? sinKernel(rem[0], rem[1]) : cosKernel(rem[0], rem[1]);
  return (n + 1) & 2 ? -value : value;
}

/** Computes sine and cosine of one angle in radians with one reduction: out[at] = sin x, out[at + 1] = cos x. */
export function sinCosInto(out: Float64Array, x: number, at = 0): void {
  out[at] = x;
  sinCosInPlace(out, at);
}

/**
 * Replaces the angle in out[at] by its sine and cosine: out[at] = sin x, out[at + 1] = cos x. Both polynomials
 * are inlined here, because in hot code a number passed to or from a call may be boxed.
 */
export function sinCosInPlace(out: Float64Array, at = 0): void {
  let n = 0;
  rem[0] = out[at]!;
  if (Math.abs(rem[0]) <= QUARTER_PI) rem[1] = 0;
  else n = reduce();
  const x = rem[0];
  const tail = rem[1];
  const z = x * x;
  const cube = z * x;
  const odd = S5 + z * (S7 + z * S9) + z * z * z * (S11 + z * S13);
  const s = x - (z * (0.5 * tail - cube * odd) - tail + cube * S3);
  const zz = z * z;
  const even = z * (C4 + z * (C6 + z * C8)) + zz * zz * (C10 + z * (C12 + z * C14));
  const half = 0.5 * z;
  const w = 1 - half;
  const c = w + (1 - w - half + (z * even - x * tail));
  const first = n & 1 ? c : s;
  const second = n & 1 ? s : c;
  out[at] = n & 2 ? -first : first;
  out[at + 1] = (n + 1) & 2 ? -second : second;
}

/** Returns the tangent of an angle in radians. */
export function tan(x: number): number {
  if (Math.abs(x) < 3.725290298461914e-9) return x; // below 2^-28 the result rounds to x
  let odd = 0;
  rem[0] = x;
  if (Math.abs(x) <= QUARTER_PI) rem[1] = 0;
  else odd = reduce() & 1;
  if (Math.abs(rem[0]) >= TAN_FOLD) return tanFolded(odd);
  const r = tanRest(rem[0], rem[1]);
  const t = rem[0] + r;
  return odd ? minusReciprocal(t, rem[0] - t + r) : t;
}

/** Sets rem to x − n·π/2 with x = rem[0], and returns n, of which only the two lowest bits are meaningful. */
function reduce(): number {
  const x = rem[0];
  const absX = Math.abs(x);
  if (!(absX < PARTS_LIMIT)) return reduceFar(x);
  const n = x * TWO_OVER_PI + ROUND - ROUND;
  const r = x - n * HALF_PI_1;
  const w = n * HALF_PI_1_REST;
  const y = r - w;
  // So far 86 bits of π/2 are used. If more than 16 of them cancel, too few are left.
  if (Math.abs(y) < absX * 1.52587890625e-5) return reduceNear(x, n);
  rem[0] = y;
  rem[1] = r - y - w;
  return n | 0;
}

/** Reduces an x close to a multiple of π/2, with 119 bits of π/2, or 152 if 49 or more cancel. */
function reduceNear(x: number, n: number): number {
  const r1 = x - n * HALF_PI_1;
  let w = n * HALF_PI_2;
  let r = r1 - w;
  w = n * HALF_PI_2_REST - (r1 - r - w);
  let y = r - w;
  if (Math.abs(y) < Math.abs(x) * 1.7763568394002505e-15) {
    const r2 = r;
    w = n * HALF_PI_3;
    r = r2 - w;
    w = n * HALF_PI_3_REST - (r2 - r - w);
    y = r - w;
  }
  rem[0] = y;
  rem[1] = r - y - w;
  return n | 0;
}

/** Reduces an |x| above PARTS_LIMIT, infinities and NaN. */
function reduceFar(x: number): number {
  if (Math.abs(x) < Infinity) return reduceHugeInto(rem, x);
  rem[0] = NaN;
  rem[1] = NaN;
  return 0;
}

/** sin(x + tail) on |x| ≤ π/4: x − S3·x³ + x⁵·S(x²), with the tail to first order. */
function sinKernel(x: number, tail: number): number {
  const z = x * x;
  const cube = z * x;
  const s = S5 + z * (S7 + z * S9) + z * z * z * (S11 + z * S13);
  return x - (z * (0.5 * tail - cube * s) - tail + cube * S3);
}

/** cos(x + tail) on |x| ≤ π/4: 1 − x²/2 + x⁴·C(x²); corrected for the rounding of 1 − x²/2. */
function cosKernel(x: number, tail: number): number {
  const z = x * x;
  const zz = z * z;
  const c = z * (C4 + z * (C6 + z * C8)) + zz * zz * (C10 + z * (C12 + z * C14));
  const half = 0.5 * z;
  const w = 1 - half;
  return w + (1 - w - half + (z * c - x * tail));
}

/** tan(x + tail) − x = tail·(1 + x²) + x³/3 + x⁵·T(x²), with separate sums of the even and odd coefficients of T. */
function tanRest(x: number, tail: number): number {
  const z = x * x;
  const w = z * z;
  const ww = w * w;
  const even =
    0.13333333333320124 +
    w * 0.021869488294859542 +
    ww * (0.0035920791075913124 + w * 0.0005880412408202641) +
    ww * ww * (7.817944429395571e-5 + w * -1.8558637485527546e-5);
  const odd =
    0.05396825397622605 +
    w * 0.0088632398235993 +
    ww * (0.0014562094543252903 + w * 0.0002464631348184699) +
    ww * ww * (7.140724913826082e-5 + w * 2.590730518636337e-5);
  const cube = z * x;
  return tail + z * (cube * (even + z * odd) + tail) + 0.3333333333333341 * cube;
}

/** With t = tan(π/4 − |rem|): tan|rem| = (1 − t)/(1 + t) = 1 − 2·(t − t²/(1 + t)); if odd, −1/tan likewise. */
function tanFolded(odd: number): number {
  const x = rem[0];
  const y = QUARTER_PI - Math.abs(x) + (QUARTER_PI_REST - (x < 0 ? -rem[1] : rem[1]));
  const r = tanRest(y, 0);
  const t = y + r;
  const one = odd ? -1 : 1;
  const value = one - 2 * (y - ((t * t) / (t + one) - r));
  return x < 0 ? -value : value;
}

/** −1/(t + rest): the quotient rounded to float32, refined by one Newton step that is exact up to its last rounding. */
function minusReciprocal(t: number, rest: number): number {
  const q = -1 / t;
  const tTop = Math.fround(t);
  const qTop = Math.fround(q);
  return qTop + q * (1 + qTop * tTop + qTop * (t - tTop + rest));
}
