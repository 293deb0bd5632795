/**
 * Dense output: the state at any point inside a step, from values that the step has already computed.
 *
 * A cubic Hermite polynomial through both ends and their slopes, plus an optional higher-order term (`d` of the
 * tableau; Shampine 1986, "Some practical Runge–Kutta formulas", in the form of Hairer, Nørsett & Wanner, Solving
 * Ordinary Differential Equations I, II.6). One object is used for all steps. It computes nothing before the first
 * interpolation in a step. In the formula, k₀ and k₁ are the slopes at both ends; the sum is over the stages:
 *
 *   x(θ) = x₀ + θ (Δ + (1−θ) (p + θ (Δ − h k₁ − p + (1−θ) h Σ dᵢ kᵢ))),   Δ = x₁ − x₀,   p = h k₀ − Δ
 */
import type { DenseStep } from "./contract.ts";
import type { RungeKutta } from "./runge-kutta.ts";

export class DenseOutput implements DenseStep {
  readonly xStart: Float64Array;
  readonly xEnd: Float64Array;
  private readonly rk: RungeKutta;
  private readonly term: Float64Array;
  private readonly point: Float64Array;
  private isReady = false;

  constructor(rk: RungeKutta) {
    this.rk = rk;
    this.xStart = rk.xStart;
    this.xEnd = rk.xEnd;
    this.term = new Float64Array(rk.size);
    this.point = new Float64Array(rk.size);
  }

  get startUs(): number {
    return this.rk.stepUs[0]!;
  }

  get endUs(): number {
    return this.rk.stepUs[0]! + this.rk.stepUs[1]!;
  }

  /** Call this after each new step, so that the next interpolation recomputes its terms. */
  invalidate(): void {
    this.isReady = false;
  }

  interpolateInto(x: Float64Array, theta: number): void {
    if (!this.isReady) this.prepare();
    const { point, rk, term } = this;
    const { base, end } = rk;
    const k0 = rk.slopeAtStart;
    const k1 = rk.slopeAtEnd;
    const h = rk.stepUs[1]! / 1e6;
    const rest = 1 - theta;
    for (let i = 0; i < point.length; i += 1) {
      const delta = end[i]! - base[i]!;
      const p = h * k0[i]! - delta;
      point[i] = base[i]! + theta * (delta + rest * (p + theta * (delta - h * k1[i]! - p + rest * term[i]!)));
    }
    rk.restoreAttitudes(point);
    for (let i = 0; i < this.xStart.length; i += 1) x[i] = point[i]!;
  }

  private prepare(): void {
    if (!this.rk.fsal) this.rk.endSlope();
    this.rk.denseTermInto(this.term);
    this.isReady = true;
  }
}
