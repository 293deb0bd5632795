// Elementary functions in integer arithmetic of more than 120 bits: the oracle for the accuracy, in units in the last
// place, of the core's portable functions. It shares nothing with them: BigInt fixed point, π from Machin's formula,
// Taylor series after reduction by small tables, and no floating-point operations.

/** The real number value · 2^−scale. */
export interface Exact {
  readonly value: bigint;
  readonly scale: number;
}

const TABLE_BITS = 7; // tables step by 2^-7
const bits = new BigUint64Array(1);
const float = new Float64Array(bits.buffer);

/** Splits a finite x exactly: x = mantissa · 2^exponent. */
function parts(x: number): { mantissa: bigint; exponent: number } {
  float[0] = x;
  const biased = Number((bits[0] >> 52n) & 0x7ffn);
  const fraction = bits[0] & 0xfffffffffffffn;
  const whole = biased === 0 ? fraction : fraction | 0x10000000000000n;
  return { mantissa: x < 0 ? -whole : whole, exponent: Math.max(biased, 1) - 1075 };
}

const size = (value: bigint): bigint => (value < 0n ? -value : value);

/** Returns the index of the leading bit of a positive whole number. */
function leadingBit(value: bigint): number {
  const hex = value.toString(16);
  return 4 * hex.length - 1 - (Math.clz32(Number.parseInt(hex[0], 16)) - 28);
}

/** Returns the exponent of a finite x that is not 0: 2^result ≤ |x| < 2^(result + 1). */
function leadingExponent(x: number): number {
  const { mantissa, exponent } = parts(x);
  return exponent + leadingBit(size(mantissa));
}

function shift(value: bigint, by: number): bigint {
  return by >= 0 ? value << BigInt(by) : value >> BigInt(-by);
}

/** Converts x to fixed point; exact if the scale reaches its last bit. */
function fixed(x: number, scale: number): bigint {
  const { mantissa, exponent } = parts(x);
  return shift(mantissa, exponent + scale);
}

function memo<T>(make: (scale: number) => T): (scale: number) => T {
  const made = new Map<number, T>();
  return (scale) => {
    let value = made.get(scale);
    if (value === undefined) made.set(scale, (value = make(scale)));
    return value;
  };
}

/** Computes Σ t^(2k+1)/(2k+1), with alternating signs for atan, and all positive for atanh. */
function oddSeries(t: bigint, scale: number, alternating: boolean): bigint {
  const square = (t * t) >> BigInt(scale);
  let power = t;
  let sum = t;
  for (let n = 3n, negative = alternating; power !== 0n && power !== -1n; n += 2n) {
    power = (power * square) >> BigInt(scale);
    sum += negative ? -power / n : power / n;
    if (alternating) negative = !negative;
  }
  return sum;
}

/** π = 16·atan(1/5) − 4·atan(1/239) (Machin 1706). */
const pi = memo((scale: number): bigint => {
  const guard = 32;
  const one = 1n << BigInt(scale + guard);
  const value = 16n * oddSeries(one / 5n, scale + guard, true) - 4n * oddSeries(one / 239n, scale + guard, true);
  return value >> BigInt(guard);
});

/** ln 2 = 2·atanh(1/3). */
const ln2 = memo((scale: number): bigint => {
  const guard = 32;
  return (2n * oddSeries((1n << BigInt(scale + guard)) / 3n, scale + guard, false)) >> BigInt(guard);
});

/** Computes e^t − 1 by its Taylor series, for small t. */
function expm1Series(t: bigint, scale: number): bigint {
  let term = t;
  let sum = t;
  for (let n = 2n; term !== 0n && term !== -1n; n++) {
    term = ((term * t) >> BigInt(scale)) / n;
    sum += term;
  }
  return sum;
}

/** Computes sin and cos by their Taylor series, for small t. */
function sinCosSeries(t: bigint, scale: number): { sin: bigint; cos: bigint } {
  const by = BigInt(scale);
  const square = (t * t) >> by;
  let sinTerm = t;
  let cosTerm = 1n << by;
  let sin = sinTerm;
  let cos = cosTerm;
  for (let n = 1n; cosTerm !== 0n && cosTerm !== -1n; n += 2n) {
    cosTerm = -((cosTerm * square) >> by) / (n * (n + 1n));
    sinTerm = -((sinTerm * square) >> by) / ((n + 1n) * (n + 2n));
    cos += cosTerm;
    sin += sinTerm;
  }
  return { sin, cos };
}

const steps = (count: number, scale: number): bigint[] =>
  Array.from({ length: count }, (_, i) => BigInt(i) << BigInt(scale - TABLE_BITS));

const sinCosTable = memo((scale) => steps(102, scale).map((a) => sinCosSeries(a, scale)));
const expTable = memo((scale) => steps(90, scale).map((a) => (1n << BigInt(scale)) + expm1Series(a, scale)));
const atanTable = memo((scale) => steps(130, scale).map((a) => slowAtan(a, scale)));
const logTable = memo((scale) => {
  const one = 1n << BigInt(scale);
  return steps(128, scale).map((a) => 2n * oddSeries((a << BigInt(scale)) / (2n * one + a), scale, false));
});

/**
 * Computes atan t = 2·atan(t/(1 + √(1 + t²))), which reduces t = 1 to 0.41, so that the series converges fast enough.
 */
function slowAtan(t: bigint, scale: number): bigint {
  const one = 1n << BigInt(scale);
  const root = squareRoot(one * one + t * t);
  return 2n * oddSeries((t << BigInt(scale)) / (one + root), scale, true);
}

function squareRoot(n: bigint): bigint {
  if (n < 2n) return n;
  let x = 1n << BigInt((n.toString(16).length * 4 + 1) >> 1);
  for (;;) {
    const next = (x + n / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

/**
 * Returns a number of fraction bits that keeps 130 bits of a result of about 2^exponent. There are only three scales,
 * because each scale needs its own tables.
 */
function scaleFor(exponent: number): number {
  return exponent > -60 ? 192 : exponent > -380 ? 512 : 1280;
}

function sinCos(x: number): { sin: Exact; cos: Exact } {
  const exponent = leadingExponent(x);
  const scale = scaleFor(exponent);
  const wide = scale + Math.max(0, exponent) + 8 > 320 ? 1300 : 320; // dividing by π/2 cancels the leading bits
  const halfPi = pi(wide) >> 1n;
  const value = fixed(x, wide);
  let quadrant = value / halfPi;
  let rest = value - quadrant * halfPi;
  if (2n * rest > halfPi) {
    quadrant += 1n;
    rest -= halfPi;
  } else if (-2n * rest > halfPi) {
    quadrant -= 1n;
    rest += halfPi;
  }
  const negative = rest < 0n;
  const t = shift(negative ? -rest : rest, scale - wide);
  const i = Number(t >> BigInt(scale - TABLE_BITS));
  const near = sinCosTable(scale)[i];
  const small = sinCosSeries(t - (BigInt(i) << BigInt(scale - TABLE_BITS)), scale);
  const by = BigInt(scale);
  const sinT = (near.sin * small.cos + near.cos * small.sin) >> by;
  const c = (near.cos * small.cos - near.sin * small.sin) >> by;
  const s = negative ? -sinT : sinT;
  const turn = Number(((quadrant % 4n) + 4n) % 4n);
  const sin = [s, c, -s, -c][turn];
  const cos = [c, -s, -c, s][turn];
  return { sin: { value: sin, scale }, cos: { value: cos, scale } };
}

/** Computes atan2(y, x) of whole numbers in any common unit. */
function atanOfRatio(y: bigint, x: bigint, scale: number): bigint {
  if (y < 0n) return -atanOfRatio(-y, x, scale);
  if (x < 0n) return pi(scale) - atanOfRatio(y, -x, scale);
  if (y > x) return pi(scale) / 2n - atanOfRatio(x, y, scale);
  const by = BigInt(scale);
  const t = (y << by) / x;
  const i = Number(t >> BigInt(scale - TABLE_BITS));
  const a = BigInt(i) << BigInt(scale - TABLE_BITS);
  // tan(α − β) = (tan α − tan β)/(1 + tan α·tan β)
  const d = ((t - a) << by) / ((1n << by) + ((t * a) >> by));
  return atanTable(scale)[i] + oddSeries(d, scale, true);
}

/** Computes log x in fixed point. */
function logFixed(x: number, scale: number): bigint {
  const { mantissa, exponent: lowest } = parts(x);
  const leading = leadingBit(mantissa);
  const exponent = lowest + leading;
  const f = mantissa << BigInt(scale - leading); // 1 ≤ f < 2
  const i = Number((f >> BigInt(scale - TABLE_BITS)) - (1n << BigInt(TABLE_BITS)));
  const c = BigInt(i + (1 << TABLE_BITS)) << BigInt(scale - TABLE_BITS);
  const t = ((f - c) << BigInt(scale)) / (f + c);
  return BigInt(exponent) * ln2(scale) + logTable(scale)[i] + 2n * oddSeries(t, scale, false);
}

/** Computes e^(value·2^−scale) with a separate binary exponent, so that small results keep all bits. */
function expFixed(value: bigint, scale: number): Exact {
  let k = value / ln2(scale);
  let r = value - k * ln2(scale);
  if (r < 0n) {
    k -= 1n;
    r += ln2(scale);
  }
  const i = Number(r >> BigInt(scale - TABLE_BITS));
  const small = (1n << BigInt(scale)) + expm1Series(r - (BigInt(i) << BigInt(scale - TABLE_BITS)), scale);
  return { value: (expTable(scale)[i] * small) >> BigInt(scale), scale: scale - Number(k) };
}

export const exactSin = (x: number): Exact => sinCos(x).sin;
export const exactCos = (x: number): Exact => sinCos(x).cos;

export function exactTan(x: number): Exact {
  const { sin, cos } = sinCos(x);
  return { value: (sin.value << BigInt(sin.scale)) / cos.value, scale: sin.scale };
}

export function exactAtan2(y: number, x: number): Exact {
  const scale = x > 0 ? scaleFor(leadingExponent(y) - leadingExponent(x)) : 192;
  const a = parts(y);
  const b = parts(x);
  const lowest = Math.min(a.exponent, b.exponent);
  const value = atanOfRatio(shift(a.mantissa, a.exponent - lowest), shift(b.mantissa, b.exponent - lowest), scale);
  return { value, scale };
}

export const exactAtan = (x: number): Exact => exactAtan2(x, 1);

/** Returns x and √(1 − x²), the arguments of atan2 in asin x = atan2(x, √(1 − x²)) and acos x = atan2(√(1 − x²), x). */
function legs(x: number, scale: number): { leg: bigint; root: bigint } {
  const leg = fixed(x, scale);
  return { leg, root: squareRoot((1n << BigInt(2 * scale)) - leg * leg) };
}

export function exactAsin(x: number): Exact {
  const scale = scaleFor(leadingExponent(x));
  const { leg, root } = legs(x, scale);
  return { value: atanOfRatio(leg, root, scale), scale };
}

export function exactAcos(x: number): Exact {
  const { leg, root } = legs(x, 256);
  return { value: atanOfRatio(root, leg, 192), scale: 192 };
}

export const exactExp = (x: number): Exact => expFixed(fixed(x, 192), 192);

export function exactExpm1(x: number): Exact {
  const scale = scaleFor(leadingExponent(x));
  if (Math.abs(x) < 1e-3) return { value: expm1Series(fixed(x, scale), scale), scale };
  const { value, scale: own } = exactExp(x);
  return own >= 0 ? { value: value - (1n << BigInt(own)), scale: own } : { value: shift(value, -own), scale: 0 };
}

export const exactLog = (x: number): Exact => ({ value: logFixed(x, 192), scale: 192 });

export function exactPow(x: number, y: number): Exact {
  const { mantissa, exponent } = parts(y);
  return expFixed(shift(logFixed(x, 192) * mantissa, exponent), 192);
}

/** Returns |got − exact| in units in the last place of the exact value; Infinity if only one of them overflows. */
export function ulpError(got: number, exact: Exact): number {
  const top = exact.value === 0n ? -1074 : leadingBit(size(exact.value)) - exact.scale;
  if (top >= 1024) return got === (exact.value < 0n ? -Infinity : Infinity) ? 0 : Infinity;
  if (!Number.isFinite(got)) return Infinity;
  const unit = Math.max(top - 52, -1074) - 64; // 2^-64 ulp
  const { mantissa, exponent } = parts(got);
  const difference = shift(mantissa, exponent - unit) - shift(exact.value, -exact.scale - unit);
  return Math.abs(Number(difference)) / 2 ** 64;
}
