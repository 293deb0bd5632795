/** Quantiles of the χ² distribution. */
import * as math from "@escapement/core/math";
import { bisectRising } from "./beta.ts";
import { logGamma } from "./gamma.ts";

/** x with P(χ² < x) = probability. */
export function chiSquaredQuantile(probability: number, degreesOfFreedom: number): number {
  const a = degreesOfFreedom / 2;
  let high = degreesOfFreedom;
  while (incompleteGamma(a, high / 2) < probability) high *= 2;
  return bisectRising((x) => incompleteGamma(a, x / 2) - probability, 0, high);
}

/**
 * Returns the regularised lower incomplete gamma function, by its series: all terms are positive, so no digits are
 * lost.
 */
function incompleteGamma(a: number, x: number): number {
  if (x <= 0) return 0;
  let term = 1 / a;
  let sum = term;
  for (let n = 1; term > sum * 1e-17; n += 1) {
    term *= x / (a + n);
    sum += term;
  }
  return sum * math.exp(a * math.log(x) - x - logGamma(a));
}
