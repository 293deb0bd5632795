/**
 * A slowly wandering bias: a first-order Gauss–Markov process per axis, discretised exactly.
 *
 * `b ← φ·b + σ·√(1 − φ²)·ξ` with `φ = exp(−dt/τ)` has variance σ² whatever the step. It starts from that distribution,
 * not from zero. Its dice are its own, so that switching it off shifts nothing else.
 */
import { exp } from "../../math/index.ts";
import type { RandomStream } from "../../random/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";

export class WanderingBias implements Saveable {
  readonly value: Float64Array;
  private readonly sigma: readonly number[];
  private readonly phi: number;
  private readonly kick: number;
  private readonly dice: RandomStream;
  private readonly draws: Float64Array;
  private readonly isOff: boolean;
  private readonly started = new Float64Array(1);

  constructor(options: { sigma: readonly number[]; tauS: number; periodUs: number; dice: RandomStream }) {
    this.sigma = options.sigma;
    this.value = new Float64Array(options.sigma.length);
    this.phi = exp(-(options.periodUs / 1e6) / options.tauS);
    this.kick = Math.sqrt(1 - this.phi * this.phi);
    this.dice = options.dice;
    this.draws = new Float64Array(options.sigma.length);
    this.isOff = options.sigma.every((sigma) => sigma === 0);
  }

  step(): void {
    if (this.isOff) return;
    const { value, sigma, phi, kick, draws } = this;
    const isFirst = this.started[0] === 0;
    this.dice.gaussiansInto(draws);
    for (let i = 0; i < value.length; i += 1) {
      value[i] = isFirst ? sigma[i]! * draws[i]! : phi * value[i]! + sigma[i]! * kick * draws[i]!;
    }
    this.started[0] = 1;
  }

  save(writer: SnapshotWriter): void {
    writer.numbers(this.value);
    writer.numbers(this.started);
    this.dice.save(writer);
  }

  load(reader: SnapshotReader): void {
    reader.numbersInto(this.value);
    reader.numbersInto(this.started);
    this.dice.load(reader);
  }
}
