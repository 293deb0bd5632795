/**
 * The inverse of the standard normal distribution function, to about 16 digits. One uniform number gives one
 * gaussian, so the number of draws never depends on their values.
 *
 * Source: Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37 (1988),
 * routine PPND16: three rational approximations in q = p − ½ or in r = √(−ln min(p, 1 − p)).
 */
import { logInPlace } from "../math/index.ts";

/** A cell for the smaller of p and 1 − p, which is then replaced by its logarithm. */
const tail = new Float64Array(1);

/**
 * Replaces every p in (0, 1) by the z with Φ(z) = p. It takes an array because a number passed to or returned from a
 * call may be boxed. Polynomials are evaluated by Horner's rule.
 */
export function normalQuantilesInto(values: Float64Array): void {
  for (let i = 0; i < values.length; i += 1) {
    const q = values[i]! - 0.5;
    if (q < -0.425 || q > 0.425) {
      outerQuantileInto(values, i);
      continue;
    }
    const r = 0.180625 - q * q;
    let numerator = 2.5090809287301226727e3;
    numerator = numerator * r + 3.3430575583588128105e4;
    numerator = numerator * r + 6.7265770927008700853e4;
    numerator = numerator * r + 4.5921953931549871457e4;
    numerator = numerator * r + 1.3731693765509461125e4;
    numerator = numerator * r + 1.9715909503065514427e3;
    numerator = numerator * r + 1.3314166789178437745e2;
    numerator = numerator * r + 3.387132872796366608;
    let denominator = 5.226495278852854561e3;
    denominator = denominator * r + 2.8729085735721942674e4;
    denominator = denominator * r + 3.930789580009271061e4;
    denominator = denominator * r + 2.1213794301586595867e4;
    denominator = denominator * r + 5.3941960214247511077e3;
    denominator = denominator * r + 6.871870074920579083e2;
    denominator = denominator * r + 4.2313330701600911252e1;
    denominator = denominator * r + 1;
    values[i] = (q * numerator) / denominator;
  }
}

function outerQuantileInto(values: Float64Array, i: number): void {
  const p = values[i]!;
  const isBelow = p < 0.5;
  tail[0] = isBelow ? p : 1 - p;
  logInPlace(tail);
  const root = Math.sqrt(-tail[0]);
  let z: number;
  if (root <= 5) {
    const r = root - 1.6;
    let numerator = 7.7454501427834140764e-4;
    numerator = numerator * r + 2.27238449892691845833e-2;
    numerator = numerator * r + 2.4178072517745061177e-1;
    numerator = numerator * r + 1.27045825245236838258;
    numerator = numerator * r + 3.64784832476320460504;
    numerator = numerator * r + 5.7694972214606914055;
    numerator = numerator * r + 4.6303378461565452959;
    numerator = numerator * r + 1.42343711074968357734;
    let denominator = 1.05075007164441684324e-9;
    denominator = denominator * r + 5.475938084995344946e-4;
    denominator = denominator * r + 1.51986665636164571966e-2;
    denominator = denominator * r + 1.4810397642748007459e-1;
    denominator = denominator * r + 6.8976733498510000455e-1;
    denominator = denominator * r + 1.6763848301838038494;
    denominator = denominator * r + 2.05319162663775882187;
    denominator = denominator * r + 1;
    z = numerator / denominator;
  } else {
    const r = root - 5;
    let numerator = 2.01033439929228813265e-7;
    numerator = numerator * r + 2.71155556874348757815e-5;
    numerator = numerator * r + 1.2426609473880784386e-3;
    numerator = numerator * r + 2.6532189526576123093e-2;
    numerator = numerator * r + 2.9656057182850489123e-1;
    numerator = numerator * r + 1.7848265399172913358;
    numerator = numerator * r + 5.4637849111641143699;
    numerator = numerator * r + 6.6579046435011037772;
    let denominator = 2.04426310338993978564e-15;
    denominator = denominator * r + 1.4215117583164458887e-7;
    denominator = denominator * r + 1.8463183175100546818e-5;
    denominator = denominator * r + 7.868691311456132591e-4;
    denominator = denominator * r + 1.48753612908506148525e-2;
    denominator = denominator * r + 1.3692988092273580531e-1;
    denominator = denominator * r + 5.9983220655588793769e-1;
    denominator = denominator * r + 1;
    z = numerator / denominator;
  }
  values[i] = isBelow ? -z : z;
}

const cell = new Float64Array(1);

/** Returns z with Φ(z) = p, for p in (0, 1). */
export function normalQuantile(p: number): number {
  cell[0] = p;
  normalQuantilesInto(cell);
  return cell[0];
}
