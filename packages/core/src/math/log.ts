// Portable log: the same bits on every engine (law 9), from + − × ÷ alone. Table-driven after Tang (1990): x = 2^k·z
// with z near 1, z·(1/c) = 1 + r with |r| < 2^-6.9 and c from a table, so log x = k·ln2 + log c + log(1 + r). 1/c has
// so few bits that r is an exact sum of two doubles. The error is below 0.55 ulp.

import { highWord, POWER_OF_TWO, POWER_OF_TWO_ZERO } from "./power-of-two.ts";

// k·LN2_HI and the table's leading parts are whole multiples of 2^-43 below 2^10: their sum is exact.
const LN2_HI = 0.6931471805598903;
const LN2_LO = 5.497923018708371e-14;
const FIRST_WORD = 0x3fe6a000; // high word of the smallest z, close to √½; 1 lies inside row 37, whose c is 1
const CUT = 6442450944; // 1.5·2^32: adding and subtracting it leaves multiples of 2^-20

// log(1 + r) = r − r²/2 + A3·r³ + … + A9·r⁹, minimax on |r| < 0.00794 with an error below 2^-73·|r|.
const A3 = 0.3333333333333333;
const A4 = -0.250000000000006;
const A5 = 0.2000000000001687;
const A6 = -0.16666666616367962;
const A7 = 0.14285713669761793;
const A8 = -0.12501271945199793;
const A9 = 0.11117976701040842;

const SMALLEST_NORMAL = 2.2250738585072014e-308;
const TWO_54 = 18014398509481984;

// For 64 equal steps of the leading bits of z: 1/c as a multiple of 2^-10, log c rounded to a multiple of 2^-43, and
// the rounding error of log c.
// oxfmt-ignore
export const LOG_TABLE = new Float64Array([
  1.40625, -0.34092658697056777, -2.544157440035963e-14,
  1.3916015625, -0.3304552871032911, -6.722083849033368e-15,
  1.3759765625, -0.31916370629926405, 3.6926658959326586e-14,
  1.361328125, -0.3084607857209676, -4.8520834156942324e-14,
  1.34765625, -0.2983669725517757, -2.159269374197349e-14,
  1.3330078125, -0.28743790201963293, 2.591631324355809e-14,
  1.3193359375, -0.2771285323607344, -1.1337477451440228e-14,
  1.3056640625, -0.26671177150251424, 2.4155035567138682e-14,
  1.29296875, -0.2569409308974855, -1.493880756195212e-14,
  1.2802734375, -0.24707367816426995, 2.3201736484875263e-14,
  1.267578125, -0.23710809166459512, 1.2912060533871679e-14,
  1.2548828125, -0.22704219172987905, 1.1971618944343003e-14,
  1.2431640625, -0.21765979295798843, 3.5003900345262596e-14,
  1.23046875, -0.207395194346077, 6.418161948718703e-15,
  1.21875, -0.19782574332987224, -4.7641388950792196e-14,
  1.2080078125, -0.18897256679304064, 5.83638080607362e-15,
  1.1962890625, -0.1792243173794077, 3.3428566667084544e-14,
  1.185546875, -0.17020416601997113, -1.935146107579848e-14,
  1.173828125, -0.16027030949567234, -2.7458320533205847e-14,
  1.1640625, -0.15191604202584585, 3.879296723063646e-15,
  1.1533203125, -0.1426450105979029, -6.300490056381097e-15,
  1.142578125, -0.13328722219239353, 4.4819840726013836e-14,
  1.1328125, -0.12470347850091912, -3.811763084710266e-14,
  1.123046875, -0.11604541575786698, 2.4321238458848095e-14,
  1.11328125, -0.10731173578903963, -4.842004969430532e-14,
  1.103515625, -0.09850110610693719, 4.027840822184576e-15,
  1.09375, -0.089612158689647, -4.012913552726574e-14,
  1.0849609375, -0.08154398404019503, 1.8126999913551824e-14,
  1.0751953125, -0.07250233112324622, 1.9353135395740572e-14,
  1.06640625, -0.06429435070538148, -1.5781652601713863e-14,
  1.0576171875, -0.05601844140153389, -3.625619467456568e-15,
  1.048828125, -0.04767346946937323, 1.6328004423783634e-14,
  1.041015625, -0.04019679912630636, -3.03956254219339e-14,
  1.0322265625, -0.031718180270786434, 1.8938096198214287e-15,
  1.0244140625, -0.0241208027968014, -4.268153420543333e-14,
  1.015625, -0.015504186535963527, -1.7274567499706107e-15,
  1.0078125, -0.0077821404420319595, -2.298941004620351e-14,
  1.0, 0.0, 0.0,
  0.984375, 0.01574835696817445, -3.527980389655325e-14,
  0.9697265625, 0.030741141554244678, 3.582445626958196e-14,
  0.955078125, 0.04596213556465045, -1.4693284460141064e-14,
  0.94140625, 0.06038051098892083, -1.3352588834854848e-14,
  0.927734375, 0.07500982100486908, -2.5061174934837362e-15,
  0.9140625, 0.08985632912185793, 3.1218748807418837e-15,
  0.9013671875, 0.10384257109660666, -5.724950845567951e-15,
  0.888671875, 0.11802720608852724, 3.013227959910772e-14,
  0.876953125, 0.13130173729723538, 1.811460150533731e-14,
  0.865234375, 0.1447548549944031, -3.0957104865969887e-14,
  0.853515625, 0.15839142994389022, 2.7417702840424895e-14,
  0.841796875, 0.1722165349357283, 3.1692162607002785e-14,
  0.8310546875, 0.18505967702606085, 1.8105320136585174e-14,
  0.8203125, 0.19806991376208316, 1.0634128304268335e-14,
  0.810546875, 0.21004610480883912, -2.963137108814568e-14,
  0.7998046875, 0.2233877217463487, 3.498161122982022e-14,
  0.7900390625, 0.23567288854098933, -2.7928968442192232e-14,
  0.7802734375, 0.24811085983321846, -4.00285038386081e-14,
  0.771484375, 0.25943886013840256, -1.6644569800942458e-14,
  0.76171875, 0.27217788591576664, 4.903580708156347e-14,
  0.7529296875, 0.28378343203610257, 2.103691693060513e-14,
  0.744140625, 0.29552524991277096, 3.586053092023274e-14,
  0.7353515625, 0.3074065777996111, -5.1597174189939714e-14,
  0.7275390625, 0.3180875872199067, -1.313034496619672e-14,
  0.71875, 0.33024168687052224, 5.4612144489920215e-14,
  0.7109375, 0.3411707574027787, -1.156568624616423e-14,
]);

/** Returns the natural logarithm. */
export function log(x: number): number {
  return x >= SMALLEST_NORMAL && x < Infinity ? logNormal(x, 0) : logEdge(x);
}

/**
 * Replaces `cell[0]` by its logarithm. For hot loops, because V8 may box a number that is passed to or returned from a
 * call.
 */
export function logInPlace(cell: Float64Array): void {
  const x = cell[0]!;
  cell[0] = x >= SMALLEST_NORMAL && x < Infinity ? logNormal(x, 0) : logEdge(x);
}

/** Handles zero, subnormals, negative numbers, Infinity and NaN. */
function logEdge(x: number): number {
  if (x === 0) return -Infinity;
  if (!(x > 0)) return NaN;
  return x === Infinity ? x : logNormal(x * TWO_54, -54);
}

/** log(x·2^shift) for a normal x > 0. */
function logNormal(x: number, shift: number): number {
  const offset = highWord(x) - FIRST_WORD;
  const exponent = offset >> 20;
  const row = 3 * ((offset >> 14) & 63);
  const k = exponent + shift;

  // r = z/c − 1 = rHi + rLo, both exact: zHi has 21 bits, 1/c has 11, and rHi keeps at most 24.
  const z = x * POWER_OF_TWO[POWER_OF_TWO_ZERO - exponent];
  const zHi = z + CUT - CUT;
  const rHi = zHi * LOG_TABLE[row] - 1;
  const rLo = (z - zHi) * LOG_TABLE[row];
  const r = rHi + rLo;

  // k·ln2 + log c + r with the rounding errors of its sums, plus log(1 + r) − r.
  const base = k * LN2_HI + LOG_TABLE[row + 1];
  const hi = base + r;
  const roundingError = base - hi + r + (rHi - r + rLo);
  const rr = r * r;
  const series = rr * (-0.5 + r * A3 + rr * (A4 + r * A5) + rr * rr * (A6 + r * A7 + rr * A8));
  return hi + (roundingError + (k * LN2_LO + LOG_TABLE[row + 2]) + series);
}

/**
 * out[0] + out[1] = log(x·2^shift) to about 67 bits, for a normal x > 0. The reduction is the same as in `logNormal`.
 */
export function logInto(out: Float64Array, x: number, shift: number): void {
  const offset = highWord(x) - FIRST_WORD;
  const exponent = offset >> 20;
  const row = 3 * ((offset >> 14) & 63);
  const k = exponent + shift;
  const z = x * POWER_OF_TWO[POWER_OF_TWO_ZERO - exponent];
  const zHi = z + CUT - CUT;
  const rHi = zHi * LOG_TABLE[row] - 1;
  const rLo = (z - zHi) * LOG_TABLE[row];
  const r = rHi + rLo;

  // Add −r²/2 = −rHi²/2 − rLo·(rHi + r)/2 to the exact sum; its first product is exact too.
  const base = k * LN2_HI + LOG_TABLE[row + 1];
  const sum = base + r;
  const minusHalfSquare = rHi * (-0.5 * rHi);
  const hi = sum + minusHalfSquare;
  const roundingError = base - sum + r + (rHi - r + rLo) + (sum - hi + minusHalfSquare);
  const rr = r * r;
  const series = r * rr * (A3 + r * A4 + rr * (A5 + r * A6) + rr * rr * (A7 + r * A8 + rr * A9));
  out[0] = hi;
  out[1] = roundingError - 0.5 * rLo * (rHi + r) + (k * LN2_LO + LOG_TABLE[row + 2]) + series;
}
