/**
 * A first-order Gauss–Markov process per axis, advanced exactly from sample to sample.
 *
 * db = −b/τ dt + σ√(2/τ) dW has the exact step b ← φ·b + σ√(1 − φ²)·n with φ = exp(−h/τ), whose variance is σ² for
 * every h. The number of draws does not depend on the parameters.
 */
import { exp } from "../math/index.ts";
import { type Memory, PartWithMemory } from "../snapshot/index.ts";
import type { RandomStream } from "./random-stream.ts";

export class GaussMarkov extends PartWithMemory {
  readonly value: Float64Array;
  private readonly phi: number;
  private readonly kick: Float64Array;
  private readonly draws: Float64Array;
  private readonly random: RandomStream;
  protected readonly memory: Memory;

  /** Starts in its stationary distribution: the first draws give the initial value. */
  constructor(options: { sigma: readonly number[]; tauS: number; periodS: number; random: RandomStream }) {
    super();
    const { sigma, tauS, periodS, random } = options;
    this.phi = exp(-periodS / tauS);
    this.kick = Float64Array.from(sigma, (s) => s * Math.sqrt(1 - this.phi * this.phi));
    this.draws = new Float64Array(sigma.length);
    this.random = random;
    random.gaussiansInto(this.draws);
    this.value = Float64Array.from(sigma, (s, i) => s * this.draws[i]!);
    this.memory = [random, this.value];
  }

  step(): void {
    const { value, kick, phi, draws } = this;
    // Draws all numbers in one call: V8 may box a number that a call returns.
    this.random.gaussiansInto(draws);
    for (let i = 0; i < value.length; i += 1) value[i] = phi * value[i]! + kick[i]! * draws[i]!;
  }
}
