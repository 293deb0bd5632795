// Portable asin, acos, atan, atan2: the same bits on every engine (law 9), from + − × ÷ and sqrt alone. The algorithms
// are those of fdlibm. asin uses x + x³·R(x²) near zero and the half-angle formula near ±1. To compute atan, the
// nearest of five angles with known tangents is subtracted first. atan2 does this on y and x themselves, so it divides
// only once, and corrects for the rounding of the quotient. The error is below 0.8 ulp for asin and acos and below 0.9
// ulp for atan and atan2. The largest errors found in at least 1e7 inputs of the worst regions are 0.76, 0.79, 0.89 and
// 0.89 ulp.

const PI = 3.141592653589793;
const PI_REST = 1.2246467991473532e-16;
const HALF_PI = 1.5707963267948966;
const HALF_PI_REST = 6.123233995736766e-17;
const QUARTER_PI = 0.7853981633974483;
const THREE_QUARTERS_PI = 2.356194490192345;

// Five directions (a, b). ANGLE + REST holds their angles β = atan(b/a) as sums of two doubles, and then the five
// angles π − β. a and b are powers of two or zero, so that rotating a point by β has exact products.
const A = new Float64Array([1, 2, 1, 1, 0]);
const B = new Float64Array([0, 1, 1, 2, 1]);
// oxfmt-ignore
const ANGLE = new Float64Array([
  0, 0.4636476090008061, 0.7853981633974483, 1.1071487177940904, 1.5707963267948966,
  3.141592653589793, 2.677945044588987, 2.356194490192345, 2.0344439357957027, 1.5707963267948966,
]);
// oxfmt-ignore
const REST = new Float64Array([
  0, 2.2698777452961687e-17, 3.061616997868383e-17, 9.40447137356638e-17, 6.123233995736766e-17,
  1.2246467991473532e-16, 1.5527705369303147e-16, 9.184850993605148e-17, 2.841996617907152e-17, 6.123233995736766e-17,
]);

const SPLIT = 134217729; // 2^27 + 1: separates the upper 26 bits of a double (Veltkamp 1968)
const TWO_500 = 3.273390607896142e150;
const TWO_MINUS_500 = 3.054936363499605e-151;

/** Returns the angle in [−π/2, π/2] whose sine is x; NaN outside [−1, 1]. */
export function asin(x: number): number {
  const absX = Math.abs(x);
  if (absX < 0.5) return x + x * asinSeries(x * x);
  if (!(absX < 1)) return absX === 1 ? x * HALF_PI : NaN;

  // asin|x| = π/2 − 2·asin(s) with s = √((1 − |x|)/2) = sHi + sLo; π/2 − 2·sHi is exact.
  const z = (1 - absX) * 0.5;
  const s = Math.sqrt(z);
  const sHi = Math.fround(s);
  const sLo = (z - sHi * sHi) / (s + sHi);
  const value = HALF_PI - 2 * sHi - (2 * (s * asinSeries(z) + sLo) - HALF_PI_REST);
  return x < 0 ? -value : value;
}

/** Returns the angle in [0, π] whose cosine is x; NaN outside [−1, 1]. */
export function acos(x: number): number {
  const absX = Math.abs(x);
  if (absX < 0.5) return HALF_PI - (x - (HALF_PI_REST - x * asinSeries(x * x)));
  if (!(absX < 1)) return x === 1 ? 0 : x === -1 ? PI : NaN;

  // acos|x| = 2·asin(s), and acos(−|x|) = π − acos|x|.
  const z = (1 - absX) * 0.5;
  const s = Math.sqrt(z);
  const sHi = Math.fround(s);
  const sLo = (z - sHi * sHi) / (s + sHi);
  const rest = s * asinSeries(z) + sLo;
  return x > 0 ? 2 * (sHi + rest) : PI - 2 * sHi - (2 * rest - PI_REST);
}

/** (asin(x) − x)/x as a rational function of z = x², on z ≤ ¼. */
function asinSeries(z: number): number {
  const zz = z * z;
  const p =
    z *
    (0.16666666666666666 +
      z * -0.3255658186224009 +
      zz * (0.20121253213486293 + z * -0.04005553450067941) +
      zz * zz * (0.0007915349942898145 + z * 3.479331075960212e-5));
  const q = 1 + z * -2.403394911734414 + zz * (2.0209457602335057 + z * -0.6882839716054533 + zz * 0.07703815055590194);
  return p / q;
}

/** Returns the angle in [−π/2, π/2] whose tangent is x. */
export function atan(x: number): number {
  const absX = Math.abs(x);
  if (absX < 0.4) return absX < 3.725290298461914e-9 ? x : x - x * atanSeries(x); // below 2^-28 the result rounds to x
  let i = 4;
  let t: number;
  if (absX < 0.72) {
    i = 1;
    t = (2 * absX - 1) / (2 + absX);
  } else if (absX < 1.388) {
    i = 2;
    t = (absX - 1) / (1 + absX);
  } else if (absX < 4.236) {
    i = 3;
    t = (absX - 2) / (1 + 2 * absX);
  } else {
    t = -1 / absX;
  }
  const value = ANGLE[i] - (t * atanSeries(t) - REST[i] - t);
  return x < 0 ? -value : value;
}

/**
 * Returns the angle in [−π, π] of the point (x, y), from the x axis towards the y axis. A point with y = −0 is treated
 * as below the x axis.
 */
export function atan2(y: number, x: number): number {
  const absY = Math.abs(y);
  const absX = Math.abs(x);
  const isInRange = absX > 1e-200 && absX < 1e200 && absY > 1e-200 && absY < 1e200;
  if (!isInRange) return atan2Edge(y, x);
  const value = atanOfRatio(absY, absX, x < 0 ? 5 : 0);
  return y < 0 ? -value : value;
}

/**
 * Writes the angle of the point (at[1], at[0]) to at[0]. It takes an array, because V8 may box a number in a call. The
 * body repeats `atan2` because engines would inline that short function and then box the arguments of the calls inside
 * it.
 */
export function atan2InPlace(at: Float64Array): void {
  const y = Math.abs(at[0]!);
  const x = Math.abs(at[1]!);
  if (!(x > 1e-200 && x < 1e200 && y > 1e-200 && y < 1e200)) {
    at[0] = atan2Edge(at[0]!, at[1]!);
    return;
  }
  const i = direction(y, x);
  const t = (A[i] * y - B[i] * x) / (A[i] * x + B[i] * y);
  const isLeft = at[1]! < 0;
  let value: number;
  if (i === 0 && !isLeft) {
    const lost = quotientError(y, x, t);
    value = t - (t * atanSeries(t) - (lost - lost * t * t));
  } else {
    const u = isLeft ? -t : t;
    const k = isLeft ? i + 5 : i;
    value = ANGLE[k] - (u * atanSeries(u) - REST[k] - u);
  }
  at[0] = at[0]! < 0 ? -value : value;
}

/** atan(y/x) for x, y > 0 if side is 0, π − atan(y/x) if it is 5. */
function atanOfRatio(y: number, x: number, side: number): number {
  const i = direction(y, x);
  const over = A[i] * y - B[i] * x;
  const under = A[i] * x + B[i] * y;
  const t = over / under;
  if (i + side === 0) {
    const lost = quotientError(y, x, t);
    return t - (t * atanSeries(t) - (lost - lost * t * t));
  }
  const u = side === 0 ? t : -t;
  return ANGLE[i + side] - (u * atanSeries(u) - REST[i + side] - u);
}

/** Returns the index of the direction nearest to the point (x, y), with x, y ≥ 0. */
function direction(y: number, x: number): number {
  return +(y >= 0.4 * x) + +(y >= 0.72 * x) + +(y >= 1.388 * x) + +(y >= 4.236 * x);
}

/** Handles zeros, infinities, NaN, and magnitudes whose sums or remainders could overflow or underflow. */
function atan2Edge(y: number, x: number): number {
  const absY = Math.abs(y);
  const absX = Math.abs(x);
  const isLeft = x < 0 || Object.is(x, -0);
  const isBelow = y < 0 || Object.is(y, -0);
  let value: number;
  if (absX === absY && (absX === 0 || absX === Infinity)) {
    value = absX === 0 ? (isLeft ? PI : 0) : isLeft ? THREE_QUARTERS_PI : QUARTER_PI;
  } else if (absY <= absX * 1e-20) {
    value = isLeft ? PI : absY / absX;
  } else if (absX <= absY * 1e-20) {
    value = HALF_PI;
  } else {
    const scale = absX > 1 ? TWO_MINUS_500 : TWO_500;
    value = atanOfRatio(absY * scale, absX * scale, isLeft ? 5 : 0);
  }
  return isBelow ? -value : value;
}

/** 1 − atan(t)/t, minimax in t² on |t| ≤ 0.4. */
function atanSeries(t: number): number {
  const z = t * t;
  const zz = z * z;
  const head = 0.33333333333333265 + z * -0.19999999999975746 + zz * (0.14285714282621323 + z * -0.11111110914113524);
  const middle = 0.09090901783677122 + z * -0.0769213662891785 + zz * (0.06664027876099703 + z * -0.0585502074591175);
  const tail = 0.050733280692840714 + z * -0.038978416951079564 + zz * 0.018963882510195054;
  const z4 = zz * zz;
  return z * (head + z4 * (middle + z4 * tail));
}

/**
 * y/x − q for the rounded quotient q: the remainder y − q·x, exact with halves of 26 bits (Dekker 1971), divided by x.
 */
function quotientError(y: number, x: number, q: number): number {
  const bigX = x * SPLIT;
  const xHi = bigX - (bigX - x);
  const xLo = x - xHi;
  const bigQ = q * SPLIT;
  const qHi = bigQ - (bigQ - q);
  const qLo = q - qHi;
  return (y - qHi * xHi - qHi * xLo - qLo * xHi - qLo * xLo) / x;
}
