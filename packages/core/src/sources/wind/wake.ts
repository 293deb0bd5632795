/**
 * The unsteadiness of the rotors' wakes while the vehicle descends: one Gauss–Markov process per rotor, with a standard
 * deviation of 1.
 *
 * The plant scales it by how far each rotor is in the vortex ring state (`descent.ts` of the multirotor). Thrust of
 * model rotors in this state fluctuates with a period of 20 to 50 revolutions (Stack, Caradonna & Savaş, "Flow
 * visualizations and extended thrust time histories of rotor vortex wakes in descent", J. AHS 50, 2005): 0.25 to 0.6 s
 * at 80 revolutions per second, which corresponds to a correlation time of about 0.1 s.
 *
 * While the vehicle does not sink, the value is 0 and nothing is drawn, so that hover and climb cost no time and no
 * space in recordings.
 */
import { GaussMarkov, RandomStream } from "../../random/index.ts";
import { type Memory, PartWithMemory } from "../../snapshot/index.ts";
import { usToSeconds } from "../../time/index.ts";

const TAU_S = 0.1;
/**
 * Sink rate above which unsteadiness is drawn. Rotors with an induced velocity of at least 2 m/s enter the vortex ring
 * state only at higher sink rates.
 */
const MIN_SINK_MPS = 0.5;
/** Index of the downward component. */
const DOWN = 2;

export class Wake extends PartWithMemory {
  private readonly unsteadiness: GaussMarkov;
  protected readonly memory: Memory;

  constructor({ seed, periodUs, rotors }: { seed: number; periodUs: number; rotors: number }) {
    super();
    this.unsteadiness = new GaussMarkov({
      sigma: Array.from({ length: rotors }, () => 1),
      tauS: TAU_S,
      periodS: usToSeconds(periodUs),
      random: new RandomStream(seed, "wake"),
    });
    this.memory = [this.unsteadiness];
  }

  sampleInto(wakeUnsteadiness: Float64Array, velNed: ArrayLike<number>, windNed: ArrayLike<number>): void {
    const sinkMps = velNed[DOWN]! - windNed[DOWN]!;
    if (!(sinkMps > MIN_SINK_MPS)) {
      wakeUnsteadiness.fill(0);
      return;
    }
    wakeUnsteadiness.set(this.unsteadiness.value);
    this.unsteadiness.step();
  }
}
