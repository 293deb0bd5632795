/**
 * One component of continuous turbulence: a stationary gaussian process of unit variance, advanced exactly.
 *
 * It is a sum of independent Dryden processes with rates a_i, each weighted with √w_i, Σ w_i = 1. Dryden's along-wind
 * process is dx₁ = −a·x₁·dt + √(2a)·dW. The across-wind process adds dx₂ = a·(x₁ − x₂)·dt and is
 * y = (√3·x₁ + (1 − √3)·x₂)/√2, whose transfer function is ∝ (1 + √3·s/a)/(1 + s/a)² (MIL-F-8785C 1980, section 3.7.1).
 * Variance and spectrum are exact for any step θ, even while airspeed and height change θ (see `prepare`).
 */
import { exp, expm1 } from "../../math/index.ts";
import type { RandomStream } from "../../random/index.ts";
import { PartWithMemory } from "../../snapshot/index.ts";

const SQRT_3 = 1.7320508075688772;
const SQRT_HALF = 0.7071067811865476;

interface GustComponentOptions {
  readonly direction: "along" | "across";
  /** Rates a_i in units of airspeed over length scale. */
  readonly rates: readonly number[];
  /** Variances w_i of the parts; they sum to 1. */
  readonly variances: readonly number[];
  readonly random: RandomStream;
}

export class GustComponent extends PartWithMemory {
  private readonly isAcross: boolean;
  private readonly count: number;
  private readonly rates: Float64Array;
  private readonly weights: Float64Array;
  private readonly random: RandomStream;
  private readonly x1: Float64Array;
  private readonly x2: Float64Array;
  protected readonly memory;
  /** The θ for which the coefficients below were computed. */
  private readonly theta = Float64Array.of(NaN);
  private readonly decay: Float64Array;
  private readonly l11: Float64Array;
  private readonly l21: Float64Array;
  private readonly l22: Float64Array;

  constructor({ direction, rates, variances, random }: GustComponentOptions) {
    super();
    this.isAcross = direction === "across";
    this.count = rates.length;
    this.rates = Float64Array.from(rates);
    this.weights = Float64Array.from(variances, (variance) => Math.sqrt(variance));
    this.random = random;
    this.x1 = new Float64Array(this.count);
    this.x2 = new Float64Array(this.count);
    this.memory = { x1: this.x1, x2: this.x2, random };
    this.decay = new Float64Array(this.count);
    this.l11 = new Float64Array(this.count);
    this.l21 = new Float64Array(this.count);
    this.l22 = new Float64Array(this.count);
    // Stationary start: P = [[1, 0], [½, ½]]·[[1, 0], [½, ½]]ᵀ.
    for (let i = 0; i < this.count; i += 1) {
      this.x1[i] = random.gaussian();
      if (this.isAcross) this.x2[i] = 0.5 * this.x1[i]! + 0.5 * random.gaussian();
    }
  }

  /** Writes the present value of the process to `out[at]`. */
  valueInto(out: Float64Array, at: number): void {
    const { x1, x2, weights } = this;
    let sum = 0;
    for (let i = 0; i < this.count; i += 1) {
      const part = this.isAcross ? SQRT_HALF * (SQRT_3 * x1[i]! + (1 - SQRT_3) * x2[i]!) : x1[i]!;
      sum += weights[i]! * part;
    }
    out[at] = sum;
  }

  /** Advances by `theta[at]`: airspeed times period over length scale. */
  advance(theta: Float64Array, at: number): void {
    if (theta[at] !== this.theta[0]) this.prepare(theta, at);
    const { x1, x2, decay, l11, l21, l22, rates, random } = this;
    for (let i = 0; i < this.count; i += 1) {
      const draw = random.gaussian();
      if (this.isAcross) {
        const thetaOwn = rates[i]! * this.theta[0]!;
        x2[i] = decay[i]! * (thetaOwn * x1[i]! + x2[i]!) + l21[i]! * draw + l22[i]! * random.gaussian();
      }
      x1[i] = decay[i]! * x1[i]! + l11[i]! * draw;
    }
  }

  /**
   * Computes Φ and the Cholesky factor of Q for a new θ.
   *
   * Over θ = a·dt the pair (x₁, x₂) moves by Φ = e^(−θ)·[[1, 0], [θ, 1]] plus noise of covariance Q = P − Φ·P·Φᵀ. The
   * stationary covariance is P = [[1, ½], [½, ½]], so Q₁₁ = 1 − e^(−2θ), Q₁₂ = ½·γ(2, 2θ), Q₂₂ = ¼·γ(3, 2θ) with the
   * lower incomplete gamma function.
   */
  private prepare(theta: Float64Array, at: number): void {
    this.theta[0] = theta[at]!;
    for (let i = 0; i < this.count; i += 1) {
      const own = this.rates[i]! * this.theta[0]!;
      const q11 = -expm1(-2 * own);
      const l11 = Math.sqrt(q11);
      this.decay[i] = exp(-own);
      this.l11[i] = l11;
      if (!this.isAcross || l11 === 0) continue;
      const l21 = (0.5 * lowerGamma(2, 2 * own)) / l11;
      this.l21[i] = l21;
      this.l22[i] = Math.sqrt(Math.max(0, 0.25 * lowerGamma(3, 2 * own) - l21 * l21));
    }
  }
}

/**
 * Computes γ(n, x) for n = 2 or 3. The closed form 1 − e^(−x)·(1 + x), or 2 − e^(−x)·(2 + 2x + x²), cancels for small
 * x; the series e^(−x)·xⁿ·Σ xᵏ/(n·(n+1)…(n+k)), used there, has only positive terms (Abramowitz & Stegun 1964, 6.5.29).
 */
export function lowerGamma(n: 2 | 3, x: number): number {
  if (x > 2) return n === 2 ? 1 - exp(-x) * (1 + x) : 2 - exp(-x) * (2 + x * (2 + x));
  let term = 1 / n;
  let sum = term;
  for (let k = 1; k <= 25; k += 1) {
    term *= x / (n + k);
    sum += term;
  }
  return exp(-x) * x * x * (n === 2 ? 1 : x) * sum;
}
