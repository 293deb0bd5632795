/**
 * The velocity F = λ·φ(λc/λ) of the air through a rotor's disk, with the climb λc and the induced velocity λ.
 *
 * Axial momentum theory gives φ = 1 + q, q = λc/λ. It fails between slow descent and the windmill state. There φ is 1 +
 * q + e with s = min(0, q + 0.05) and e = s⁴·P(s): three derivatives vanish where the correction begins, so that a
 * method of order four keeps its order while a hovering rotor climbs and sinks. P is fitted to the measured curve vi/vh
 * = 1 − 1.125x − 1.372x² − 1.718x³ − 0.655x⁴, x = Vc/vh (Leishman §2.13.3), rewritten by φ = (vh/vi)², q = Vc/vi; it
 * reproduces vi/vh within 0.1 for x > −1.7. The conditions e = 2 and e′ = −2 at q = −2 join φ to the windmill state,
 * φ = −1 − q. x is a monotonic function of q, so the balance has one root.
 */
import type { Scratch } from "../../memory.ts";

/** λc/λ below which momentum theory is corrected for descent. */
const DESCENT_ONSET = -0.05;

// P = A + B·(s − S2) + (s − S2)²·(V0 + V1·s + V2·s² + V3·s³ + V4·s⁴), S2 = s at q = −2. A and B follow from e = 2 and
// e′ = −2 at q = −2.
const S2 = -2 - DESCENT_ONSET;
const A = 2 / (S2 * S2 * S2 * S2);
const B = -A * (1 + 4 / S2);
const V0 = -5.1159;
const V1 = -13.3757;
const V2 = -11.8435;
const V3 = -4.1513;
const V4 = -0.408;

/** Whether s is zero, so that `axialFlowInto` gives the same bits as `throughflowInto`. */
export function isAxialFlow(w: Scratch, i: number): boolean {
  const li = w.inflow[i];
  return li > 0 && w.climb[i] >= DESCENT_ONSET * li;
}

/** Computes the results of `throughflowInto` for a rotor for which `isAxialFlow` is true. */
export function axialFlowInto(w: Scratch, i: number): void {
  w.flow[i] = w.inflow[i] + w.climb[i];
  w.flowSlope[i] = 1;
  w.flowBend[i] = 0;
}

/**
 * Computes F of rotor i and its derivatives with respect to λ, F′ and λ·F″, into `flow`, `flowSlope` and `flowBend`,
 * for λ > 0 and q > −2. It does not branch on whether the rotor descends, because that may change at every evaluation.
 */
export function throughflowInto(w: Scratch, i: number): void {
  const li = w.inflow[i];
  const lc = w.climb[i];
  const q = lc / li;
  const s = Math.min(0, q - DESCENT_ONSET);
  const s2 = s * s;
  const d = s - S2;
  const v = V0 + s * (V1 + s * (V2 + s * (V3 + s * V4)));
  const v1 = V1 + s * (2 * V2 + s * (3 * V3 + s * (4 * V4)));
  const v2 = 2 * V2 + s * (6 * V3 + s * (12 * V4));
  const value = A + d * (B + d * v);
  const slope = B + d * (2 * v + d * v1);
  const curvature = 2 * v + d * (4 * v1 + d * v2);
  const e = s2 * s2 * value;
  w.flow[i] = li + lc + li * e;
  w.flowSlope[i] = 1 + e - q * (s2 * s * (4 * value + s * slope));
  w.flowBend[i] = q * q * (s2 * (12 * value + s * (8 * slope + s * curvature)));
}
