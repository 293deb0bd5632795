/**
 * The stochastic errors that instruments share, advanced exactly from sample to sample.
 *
 * Gauss–Markov: db = −b/τ dt + σ√(2/τ) dW has the exact step b ← φ·b + σ√(1 − φ²)·n with φ = exp(−h/τ), whatever h is
 * (bias instability, atmospheric and satellite errors). Random walk: b ← b + K√h·n. White noise of density N sampled
 * with period h has the deviation N/√h (IEEE Std 952; Woodman 2007). Draws never depend on parameters.
 */
import { exp } from "../../math/index.ts";
import type { RandomStream } from "../../random/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";

export class GaussMarkov implements Saveable {
  readonly value: Float64Array;
  private readonly phi: number;
  private readonly kick: Float64Array;
  private readonly sigma: readonly number[];
  private readonly dice: RandomStream;

  /** Starts in its stationary distribution: the first draws are its initial value. */
  constructor(options: { sigma: readonly number[]; tauS: number; periodS: number; dice: RandomStream }) {
    const { sigma, tauS, periodS, dice } = options;
    this.phi = exp(-periodS / tauS);
    this.kick = Float64Array.from(sigma, (s) => s * Math.sqrt(1 - this.phi * this.phi));
    this.sigma = sigma;
    this.dice = dice;
    this.value = new Float64Array(sigma.length);
    for (let i = 0; i < this.value.length; i += 1) this.value[i] = this.sigma[i]! * dice.gaussian();
  }

  step(): void {
    const { value, kick, phi, dice } = this;
    for (let i = 0; i < value.length; i += 1) value[i] = phi * value[i]! + kick[i]! * dice.gaussian();
  }

  save(writer: SnapshotWriter): void {
    this.dice.save(writer);
    writer.numbers(this.value);
  }

  load(reader: SnapshotReader): void {
    this.dice.load(reader);
    reader.numbersInto(this.value);
  }
}

/** Bias of a three-axis inertial instrument: turn-on value, instability, random walk. One stream feeds all three. */
export class InertialBias implements Saveable {
  readonly value = new Float64Array(3);
  private readonly turnOn = new Float64Array(3);
  private readonly walk = new Float64Array(3);
  private readonly instability: GaussMarkov;
  private readonly walkKick: number;
  private readonly dice: RandomStream;

  constructor(options: {
    turnOnSigma: number;
    instabilitySigma: number;
    instabilityTauS: number;
    walkPerRtS: number;
    periodS: number;
    dice: RandomStream;
  }) {
    const { turnOnSigma, instabilitySigma, instabilityTauS, walkPerRtS, periodS, dice } = options;
    this.dice = dice;
    this.walkKick = walkPerRtS * Math.sqrt(periodS);
    for (let i = 0; i < 3; i += 1) this.turnOn[i] = turnOnSigma * dice.gaussian();
    const sigma = [instabilitySigma, instabilitySigma, instabilitySigma];
    this.instability = new GaussMarkov({ sigma, tauS: instabilityTauS, periodS, dice });
  }

  step(): void {
    this.instability.step();
    for (let i = 0; i < 3; i += 1) {
      this.walk[i] = this.walk[i]! + this.walkKick * this.dice.gaussian();
      this.value[i] = this.turnOn[i]! + this.instability.value[i]! + this.walk[i]!;
    }
  }

  save(writer: SnapshotWriter): void {
    writer.numbers(this.value);
    writer.numbers(this.walk);
    this.instability.save(writer);
  }

  load(reader: SnapshotReader): void {
    reader.numbersInto(this.value);
    reader.numbersInto(this.walk);
    this.instability.load(reader);
  }
}

/** What an instrument's converter does: the range it can express, then the steps it counts in (0: none). */
export function digitise(values: Float64Array, range: number, lsb: number): void {
  for (let i = 0; i < values.length; i += 1) {
    const inside = Math.min(range, Math.max(-range, values[i]!));
    values[i] = lsb > 0 ? Math.round(inside / lsb) * lsb : inside;
  }
}
