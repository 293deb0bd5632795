/**
 * Random errors that several instruments share, advanced exactly from sample to sample.
 *
 * Bias instability is a Gauss–Markov process, and so are atmospheric and satellite errors. Random walk: b ← b + K√h·n.
 * White noise of density N sampled with period h has the standard deviation N/√h (IEEE Std 952; Woodman 2007). The
 * number of draws does not depend on the parameters.
 */
import { GaussMarkov, type RandomStream } from "../../random/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";

/** Bias of a three-axis inertial instrument: turn-on value, instability, random walk. One stream feeds all three. */
export class InertialBias implements Saveable {
  readonly value = new Float64Array(3);
  private readonly turnOn = new Float64Array(3);
  private readonly walk = new Float64Array(3);
  private readonly instability: GaussMarkov;
  private readonly walkKick: number;
  private readonly random: RandomStream;

  constructor(options: {
    turnOnSigma: number;
    instabilitySigma: number;
    instabilityTauS: number;
    walkPerRtS: number;
    periodS: number;
    random: RandomStream;
  }) {
    const { turnOnSigma, instabilitySigma, instabilityTauS, walkPerRtS, periodS, random } = options;
    this.random = random;
    this.walkKick = walkPerRtS * Math.sqrt(periodS);
    for (let i = 0; i < 3; i += 1) this.turnOn[i] = turnOnSigma * random.gaussian();
    const sigma = [instabilitySigma, instabilitySigma, instabilitySigma];
    this.instability = new GaussMarkov({ sigma, tauS: instabilityTauS, periodS, random });
  }

  step(): void {
    this.instability.step();
    for (let i = 0; i < 3; i += 1) {
      this.walk[i] = this.walk[i]! + this.walkKick * this.random.gaussian();
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

/** An instrument's converter: limits to the range, then rounds to multiples of `lsb` (0: no rounding). */
export function digitise(values: Float64Array, range: number, lsb: number): void {
  for (let i = 0; i < values.length; i += 1) {
    const inside = Math.min(range, Math.max(-range, values[i]!));
    values[i] = lsb > 0 ? Math.round(inside / lsb) * lsb : inside;
  }
}
