/**
 * Von Kármán turbulence: spectra that fall with the power 5/3 of the frequency, as in the atmosphere.
 *
 * With T = 1.339·L/V and x = (T·ω)² the along-wind spectrum is ∝ (1 + x)^(−5/6) (MIL-F-8785C 1980, section 3.7.1.1). It
 * is not rational, so no finite filter has exactly this spectrum. A sum of eleven Dryden spectra approximates it within
 * 0.7 % over five decades above the corner frequency. The usual rational filters match it over one decade.
 */
import { exp } from "../../math/index.ts";
import { defineKind } from "../../params/index.ts";
import { MilTurbulence, milTurbulenceParams } from "./mil-turbulence.ts";
import type { Spectrum } from "./mil-turbulence.ts";
import type { WindContext, WindModel } from "./wind-model.ts";

/** Γ(1/3)/(√π·Γ(5/6)), which the specification rounds to 1.339. */
const SCALE = 1.3389852790652803;
/** First value of s, step of s and number of points of the trapezium rule below. */
const FIRST = -3;
const STEP = 3;
const POINTS = 10;

/**
 * The parts of the sum. For 0 < α < 1
 *   (1 + x)^(−α) = (sin πα/π)·∫₁^∞ (u − 1)^(−α)/(u + x) du,
 * a sum of Dryden spectra of rates √u/T with positive weights. The across-wind spectrum follows from the along-wind one
 * by ½·(S − ω·dS/dω) in both families (isotropy: Batchelor 1953, equation 3.4.17), so the same sum gives it.
 * With u = 1 + e^s the integral is computed by the trapezium rule, whose error falls exponentially. The point at s has
 * a variance ∝ e^(s/6)/√u, with 1/6 = 1 − α. Points below the first one have u ≈ 1, so their variances are a geometric
 * series, and its sum is one part at u = 1.
 */
export function vonKarmanSpectrum(): Spectrum {
  const rates = [1 / SCALE];
  const variances = [exp((FIRST - STEP) / 6) / (1 - exp(-STEP / 6))];
  for (let j = 0; j < POINTS; j += 1) {
    const s = FIRST + STEP * j;
    const rootU = Math.sqrt(1 + exp(s));
    rates.push(rootU / SCALE);
    variances.push(exp(s / 6) / rootU);
  }
  const total = variances.reduce((sum, variance) => sum + variance, 0);
  return { highLengthFt: 2500, rates, variances: variances.map((variance) => variance / total) };
}

const spectrum = vonKarmanSpectrum();

export const vonKarman = defineKind({
  name: "von-karman",
  about: "Continuous turbulence with von Kármán's spectra (power 5/3), by MIL-F-8785C.",
  version: 3,
  params: milTurbulenceParams,
  make: (given, context: WindContext): WindModel => new MilTurbulence(given, context, spectrum),
});
