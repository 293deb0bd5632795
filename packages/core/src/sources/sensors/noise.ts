/**
 * Random error models that several instruments use, advanced exactly from sample to sample.
 *
 * Bias instability is a Gauss–Markov process, and so are atmospheric and satellite errors. Random walk: b ← b + K√h·n.
 * White noise of density N sampled with period h has the standard deviation N/√h (IEEE Std 952; Woodman 2007). The
 * number of draws does not depend on the parameters.
 */
import { GaussMarkov, RandomStream } from "../../random/index.ts";
import { PartWithMemory } from "../../snapshot/index.ts";
import { FaultChannel, type FaultySensor } from "./fault-channel.ts";

/** Makes the errors that most instruments have, each with its own random stream: white noise, slow drift, faults. */
export function instrumentErrors(
  sensor: FaultySensor,
  wanderSigma: readonly number[],
  { wanderTauS, periodS }: { readonly wanderTauS: number; readonly periodS: number },
  { seed }: { readonly seed: number },
) {
  const stream = (name: string) => new RandomStream(seed, `sensor.${sensor}.${name}`);
  return {
    noise: stream("noise"),
    wander: new GaussMarkov({ sigma: wanderSigma, tauS: wanderTauS, periodS, random: stream("wander") }),
    fault: new FaultChannel({ sensor, size: wanderSigma.length, seed }),
  };
}

/** Bias of a three-axis inertial instrument: turn-on value, instability, random walk. One stream feeds all three. */
export class InertialBias extends PartWithMemory {
  protected readonly memory;
  readonly value = new Float64Array(3);
  private readonly turnOn = new Float64Array(3);
  private readonly walk = new Float64Array(3);
  private readonly instability: GaussMarkov;
  private readonly walkStep: number;
  private readonly random: RandomStream;

  constructor(options: {
    turnOnSigma: number;
    instabilitySigma: number;
    instabilityTauS: number;
    walkPerRtS: number;
    periodS: number;
    random: RandomStream;
  }) {
    super();
    const { turnOnSigma, instabilitySigma, instabilityTauS, walkPerRtS, periodS, random } = options;
    this.random = random;
    this.walkStep = walkPerRtS * Math.sqrt(periodS);
    for (let i = 0; i < 3; i += 1) this.turnOn[i] = turnOnSigma * random.gaussian();
    const sigma = [instabilitySigma, instabilitySigma, instabilitySigma];
    this.instability = new GaussMarkov({ sigma, tauS: instabilityTauS, periodS, random });
    // Save the turn-on bias too. It was drawn when the sensor was switched on, and a later change of the seed must not
    // change it.
    this.memory = [this.turnOn, this.value, this.walk, this.instability];
  }

  step(): void {
    this.instability.step();
    for (let i = 0; i < 3; i += 1) {
      this.walk[i] = this.walk[i]! + this.walkStep * this.random.gaussian();
      this.value[i] = this.turnOn[i]! + this.instability.value[i]! + this.walk[i]!;
    }
  }
}

/** Models an instrument's converter: limits values to the range, then rounds to multiples of `lsb` (0: no rounding). */
export function digitise(values: Float64Array, range: number, lsb: number): void {
  for (let i = 0; i < values.length; i += 1) {
    const inside = Math.min(range, Math.max(-range, values[i]!));
    values[i] = lsb > 0 ? Math.round(inside / lsb) * lsb : inside;
  }
}
