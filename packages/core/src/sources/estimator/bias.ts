/**
 * A slowly wandering bias: a first-order Gauss–Markov process per axis, discretised exactly.
 *
 * `b ← φ·b + σ·√(1 − φ²)·ξ` with `φ = exp(−dt/τ)` has variance σ² whatever the step. It starts from that distribution,
 * not from zero, and draws its dice even when σ is zero, so that switching it off shifts nothing else.
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
  private readonly started = new Float64Array(1);

  constructor(options: { sigma: readonly number[]; tauS: number; periodUs: number; dice: RandomStream }) {
    this.sigma = options.sigma;
    this.value = new Float64Array(options.sigma.length);
    this.phi = exp(-(options.periodUs / 1e6) / options.tauS);
    this.kick = Math.sqrt(1 - this.phi * this.phi);
    this.dice = options.dice;
  }

  step(): void {
    const { value, sigma, phi, kick, dice } = this;
    const isFirst = this.started[0] === 0;
    for (let i = 0; i < value.length; i += 1) {
      const xi = dice.gaussian();
      value[i] = isFirst ? sigma[i]! * xi : phi * value[i]! + sigma[i]! * kick * xi;
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
