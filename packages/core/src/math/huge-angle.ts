// Reduction of huge angles modulo a quarter turn, after Payne and Hanek (1983): only the bits of 2/π that affect the
// result are multiplied. trig.ts calls this for |x| beyond the range of its three-part π/2. For every finite double the
// remainder is exact to about 2^-104 of itself. The arithmetic is integer arithmetic in doubles: each product of two
// 24-bit digits, and each sum of four of them, stays below 2^53 and is therefore exact.

const DIGIT = 0x1000000; // the base, 2^24
const PER_DIGIT = 1 / DIGIT;
const X_DIGITS = 4; // 53 bits span at most four digits
const FRACTION_DIGITS = 8; // 192 bits: 62 lost at worst to cancellation, 106 for the remainder, 24 to spare

// 2/π in base 2^24, most significant digit first: enough for the largest double (42 digits) and the fraction.
// oxfmt-ignore
const TWO_OVER_PI = new Float64Array([
  0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c, 0x439041, 0xfe5163, 0xabdebb,
  0xc561b7, 0x246e3a, 0x424dd2, 0xe00649, 0x2eea09, 0xd1921c, 0xfe1deb, 0x1cb129, 0xa73ee8, 0x8235f5,
  0x2ebb44, 0x84e99c, 0x7026b4, 0x5f7e41, 0x3991d6, 0x398353, 0x39f49c, 0x845f8b, 0xbdf928, 0x3b1ff8,
  0x97ffde, 0x05980f, 0xef2f11, 0x8b5a0a, 0x6d1f6d, 0x367ecf, 0x27cb09, 0xb74f46, 0x3f669e, 0x5fea2d,
  0x7527ba, 0xc7ebe5, 0xf17b3d, 0x0739f7, 0x8a5292, 0xea6bfb, 0x5fb11f, 0x8d5d08, 0x560330, 0x46fc7b,
]);

const HALF_PI_HI = 1.5707963267948966;
const HALF_PI_LO = 6.123233995736766e-17;
const HALF_PI_TOP = Math.fround(HALF_PI_HI);
const HALF_PI_REST = HALF_PI_HI - HALF_PI_TOP;

const xDigits = new Float64Array(X_DIGITS);
const product = new Float64Array(FRACTION_DIGITS + 1);

/**
 * Fills out[0] + out[1] with x − n·π/2, |remainder| ≤ π/4, and returns n modulo 4 (0 … 3). x is finite and |x| ≥ 1.
 */
export function reduceHugeInto(out: Float64Array, x: number): number {
  const top = splitDigits(Math.abs(x));
  multiplyByTwoOverPi(top);
  let quadrant = product[0] - 4 * Math.floor(product[0] / 4);

  // If the fraction is one half or more, use the next quadrant and the negated complement.
  const fromAbove = product[1] >= DIGIT / 2;
  if (fromAbove) {
    quadrant = (quadrant + 1) % 4;
    for (let w = 1; w <= FRACTION_DIGITS; w++) product[w] = DIGIT - 1 - product[w];
  }
  scaleByHalfPiInto(out);

  if (fromAbove !== x < 0) {
    out[0] = -out[0];
    out[1] = -out[1];
  }
  return x < 0 ? (4 - quadrant) % 4 : quadrant;
}

/** Writes |x| = Σ xDigits[i]·2^(24·(top − i)) and returns top. */
function splitDigits(absX: number): number {
  let rest = absX;
  let top = 0;
  while (rest >= DIGIT) {
    rest *= PER_DIGIT;
    top++;
  }
  for (let i = 0; i < X_DIGITS; i++) {
    xDigits[i] = Math.floor(rest);
    rest = (rest - xDigits[i]) * DIGIT;
  }
  return top;
}

/** Writes |x|·2/π = product[0] + Σ product[w]·2^(−24·w); multiples of 2^24 are dropped, since they are whole turns. */
function multiplyByTwoOverPi(top: number): void {
  for (let w = 0; w <= FRACTION_DIGITS; w++) {
    let sum = 0;
    for (let i = 0; i < X_DIGITS; i++) {
      const k = top - 1 - i + w;
      if (k >= 0) sum += xDigits[i] * TWO_OVER_PI[k];
    }
    product[w] = sum;
  }
  for (let w = FRACTION_DIGITS; w >= 1; w--) {
    const carry = Math.floor(product[w] * PER_DIGIT);
    product[w] -= carry * DIGIT;
    product[w - 1] += carry;
  }
}

/** out[0] + out[1] = (the fraction in product[1 …]) · π/2, as a sum of two doubles. */
function scaleByHalfPiInto(out: Float64Array): void {
  let weight = 1;
  for (let w = 1; w <= FRACTION_DIGITS; w++) product[w] *= weight *= PER_DIGIT;

  let hi = 0;
  for (let w = FRACTION_DIGITS; w >= 1; w--) hi += product[w];
  let lo = -hi;
  for (let w = 1; w <= FRACTION_DIGITS; w++) lo += product[w];

  // The rounding error of hi·(π/2), from products of halves that are exact (Dekker 1971).
  const hiTop = Math.fround(hi);
  const hiRest = hi - hiTop;
  const p = hi * HALF_PI_HI;
  const error = hiTop * HALF_PI_TOP - p + hiTop * HALF_PI_REST + hiRest * HALF_PI_TOP + hiRest * HALF_PI_REST;
  const tail = error + (hi * HALF_PI_LO + lo * HALF_PI_HI);
  out[0] = p + tail;
  out[1] = p - out[0] + tail;
}
