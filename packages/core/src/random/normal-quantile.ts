/**
 * The inverse of the standard normal distribution function, about 16 digits: one uniform number gives one gaussian,
 * so the count of draws never depends on their values.
 *
 * Source: Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37 (1988),
 * routine PPND16: three rational approximations in q = p − ½ or in r = √(−ln min(p, 1 − p)).
 */
import { log } from "../math/index.ts";

// prettier-ignore
const CENTRE_NUMERATOR = [
  3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
  4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3,
] as const;
// prettier-ignore
const CENTRE_DENOMINATOR = [
  1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
  2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3,
] as const;
// prettier-ignore
const SHOULDER_NUMERATOR = [
  1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
  1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4,
] as const;
// prettier-ignore
const SHOULDER_DENOMINATOR = [
  1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
  1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9,
] as const;
// prettier-ignore
const TAIL_NUMERATOR = [
  6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
  2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
] as const;
// prettier-ignore
const TAIL_DENOMINATOR = [
  1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
  7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15,
] as const;

/** z with Φ(z) = p, for p in (0, 1). */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * polynomial(CENTRE_NUMERATOR, r)) / polynomial(CENTRE_DENOMINATOR, r);
  }
  const r = Math.sqrt(-log(q < 0 ? p : 1 - p));
  const z =
    r <= 5
      ? polynomial(SHOULDER_NUMERATOR, r - 1.6) / polynomial(SHOULDER_DENOMINATOR, r - 1.6)
      : polynomial(TAIL_NUMERATOR, r - 5) / polynomial(TAIL_DENOMINATOR, r - 5);
  return q < 0 ? -z : z;
}

/** Horner's rule, coefficients from the constant term up. */
function polynomial(coefficients: readonly number[], x: number): number {
  let sum = coefficients[7]!;
  for (let i = 6; i >= 0; i -= 1) sum = sum * x + coefficients[i]!;
  return sum;
}
