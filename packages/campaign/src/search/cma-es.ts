/**
 * The covariance matrix adaptation evolution strategy (N. Hansen: The CMA evolution strategy: a tutorial, 2016), for
 * one descent from a given start. The constants have the values and names of the tutorial.
 */
import { type RandomStream } from "@escapement/core";
import * as math from "@escapement/core/math";
import { rankedIndices } from "./optimiser.ts";
import { symmetricEigen } from "./symmetric-eigen.ts";

/**
 * Returns the number of points per generation: the tutorial's default, rounded up to a multiple of 4 so that workers
 * are evenly loaded.
 */
export function generationSize(dimension: number): number {
  return 4 * Math.ceil((4 + Math.floor(3 * math.log(Math.max(1, dimension)))) / 4);
}

interface Strategy {
  readonly lambda: number;
  readonly mu: number;
  readonly weights: Float64Array;
  readonly muEff: number;
  readonly cSigma: number;
  readonly dSigma: number;
  readonly cC: number;
  readonly c1: number;
  readonly cMu: number;
  /** Expected length of a standard normal vector. */
  readonly chiN: number;
}

function strategyFor(n: number, lambda: number): Strategy {
  const mu = Math.floor(lambda / 2);
  const raw = Float64Array.from({ length: mu }, (_, i) => math.log((lambda + 1) / 2) - math.log(i + 1));
  const total = raw.reduce((sum, w) => sum + w, 0);
  const weights = raw.map((w) => w / total);
  const muEff = 1 / weights.reduce((sum, w) => sum + w * w, 0);
  const cSigma = (muEff + 2) / (n + muEff + 5);
  const c1 = 2 / ((n + 1.3) * (n + 1.3) + muEff);
  return {
    lambda,
    mu,
    weights,
    muEff,
    cSigma,
    dSigma: 1 + 2 * Math.max(0, Math.sqrt((muEff - 1) / (n + 1)) - 1) + cSigma,
    cC: (4 + muEff / n) / (n + 4 + (2 * muEff) / n),
    c1,
    cMu: Math.min(1 - c1, (2 * (muEff - 2 + 1 / muEff)) / ((n + 2) * (n + 2) + muEff)),
    chiN: Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)),
  };
}

export class CmaEs {
  private readonly n: number;
  private readonly s: Strategy;
  private readonly random: RandomStream;
  private readonly tolerance: number;
  private readonly mean: Float64Array;
  private readonly covariance: Float64Array;
  private readonly pathC: Float64Array;
  private readonly pathSigma: Float64Array;
  /** B of C = B D² Bᵀ, and D. */
  private axes: Float64Array;
  private scales: Float64Array;
  private sigma: number;
  private generation = 0;
  /** Best value of recent generations, the latest last. */
  private readonly history: number[] = [];
  private steps: readonly Float64Array[] = [];

  /** @param tolerance the descent is over when its steps are shorter than this */
  constructor(
    start: Float64Array,
    options: {
      readonly sigma: number;
      readonly lambda: number;
      readonly random: RandomStream;
      readonly tolerance: number;
    },
  ) {
    const n = start.length;
    this.n = n;
    this.s = strategyFor(n, options.lambda);
    this.random = options.random;
    this.tolerance = options.tolerance;
    this.mean = start.slice();
    this.sigma = options.sigma;
    this.covariance = new Float64Array(n * n);
    for (let i = 0; i < n; i += 1) this.covariance[i * n + i] = 1;
    this.axes = this.covariance.slice();
    this.scales = new Float64Array(n).fill(1);
    this.pathC = new Float64Array(n);
    this.pathSigma = new Float64Array(n);
  }

  /** Returns the points of the next generation, which are not confined to the unit cube. */
  propose(): readonly Float64Array[] {
    const { n, axes, scales } = this;
    const z = new Float64Array(n);
    this.steps = Array.from({ length: this.s.lambda }, () => {
      this.random.gaussiansInto(z);
      const y = new Float64Array(n);
      for (let i = 0; i < n; i += 1) for (let j = 0; j < n; j += 1) y[i]! += axes[i * n + j]! * scales[j]! * z[j]!;
      return y;
    });
    return this.steps.map((y) => y.map((step, i) => this.mean[i]! + this.sigma * step));
  }

  /**
   * Adapts mean, step size and covariance to the values of the proposed points. Returns false if the descent is over.
   */
  learn(values: readonly number[]): boolean {
    const { n, s, mean } = this;
    const order = rankedIndices(values);
    const best = order.slice(0, s.mu).map((i) => this.steps[i]!);
    const step = new Float64Array(n);
    for (const [r, y] of best.entries()) for (let i = 0; i < n; i += 1) step[i]! += s.weights[r]! * y[i]!;
    for (let i = 0; i < n; i += 1) mean[i]! += this.sigma * step[i]!;
    this.generation += 1;
    const isPathTooLong = this.adaptPaths(step);
    this.adaptCovariance(best, isPathTooLong);
    this.sigma *= math.exp((s.cSigma / s.dSigma) * (norm(this.pathSigma) / s.chiN - 1));
    const { values: squares, vectors } = symmetricEigen(this.covariance, n);
    this.axes = vectors;
    this.scales = squares.map((square) => Math.sqrt(Math.max(square, 1e-300)));
    this.history.push(values[order[0]!]!);
    return this.shouldContinue(values);
  }

  /** Updates both evolution paths. Returns true if `pathSigma` is so long that `pathC` gets no new step (h_σ = 0). */
  private adaptPaths(step: Float64Array): boolean {
    const { n, s, axes, scales } = this;
    const stepWeight = Math.sqrt(s.cSigma * (2 - s.cSigma) * s.muEff);
    // C^(−½) · step = B D⁻¹ Bᵀ · step.
    const inAxes = new Float64Array(n);
    for (let j = 0; j < n; j += 1) {
      for (let i = 0; i < n; i += 1) inAxes[j]! += axes[i * n + j]! * step[i]!;
      inAxes[j]! /= scales[j]!;
    }
    for (let i = 0; i < n; i += 1) {
      let whitened = 0;
      for (let j = 0; j < n; j += 1) whitened += axes[i * n + j]! * inAxes[j]!;
      this.pathSigma[i] = (1 - s.cSigma) * this.pathSigma[i]! + stepWeight * whitened;
    }
    const settled = 1 - math.pow(1 - s.cSigma, 2 * this.generation);
    const isPathTooLong = norm(this.pathSigma) / Math.sqrt(settled) >= (1.4 + 2 / (n + 1)) * s.chiN;
    const stepWeightC = isPathTooLong ? 0 : Math.sqrt(s.cC * (2 - s.cC) * s.muEff);
    for (let i = 0; i < n; i += 1) this.pathC[i] = (1 - s.cC) * this.pathC[i]! + stepWeightC * step[i]!;
    return isPathTooLong;
  }

  private adaptCovariance(best: readonly Float64Array[], isPathTooLong: boolean): void {
    const { n, s, covariance, pathC } = this;
    const oldWeight = 1 - s.c1 - s.cMu + (isPathTooLong ? s.c1 * s.cC * (2 - s.cC) : 0);
    for (let i = 0; i < n; i += 1) {
      for (let j = 0; j <= i; j += 1) {
        let rankMu = 0;
        for (const [r, y] of best.entries()) rankMu += s.weights[r]! * y[i]! * y[j]!;
        const value = oldWeight * covariance[i * n + j]! + s.c1 * pathC[i]! * pathC[j]! + s.cMu * rankMu;
        covariance[i * n + j] = value;
        covariance[j * n + i] = value;
      }
    }
  }

  /** Applies the tutorial's stopping rules: steps too short or diverging, values equal, or a degenerate covariance. */
  private shouldContinue(values: readonly number[]): boolean {
    const { n, s, history } = this;
    const [narrowest, widest] = [Math.min(...this.scales), Math.max(...this.scales)];
    const longEnough = this.sigma * widest >= this.tolerance;
    const wellShaped = widest <= 1e7 * narrowest && this.sigma < 1e6;
    const window = 10 + Math.ceil((30 * n) / s.lambda);
    const recent = [...history.slice(-window), ...values];
    const isFlat = history.length >= window && Math.max(...recent) - Math.min(...recent) < 1e-12;
    return longEnough && wellShaped && !isFlat;
  }
}

function norm(vector: Float64Array): number {
  return Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
}
