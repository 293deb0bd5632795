/**
 * One run of adaptive multilevel splitting. It estimates the probability of a rare event from trajectories that branch
 * before they reach it.
 *
 * Many trajectories are flown. Those with the lowest scores are replaced by branches of the others. A branch starts at
 * the instant at which its parent first exceeded the level, and continues with other random numbers. Each level
 * multiplies the estimate by the fraction of the trajectories that exceeded it. The estimate is unbiased for any number
 * of trajectories (C.-E. Bréhier et al.: Unbiasedness of some generalized adaptive multilevel splitting algorithms,
 * 2016), but one run scatters widely, so an interval needs several runs.
 *
 * The run does not fly trajectories itself. It requests a generation and receives the scores, so a fleet can fly the
 * generation in parallel.
 */
import type { RandomStream } from "@escapement/core";

interface SplittingOptions {
  /** The event has occurred if the score exceeds this value. */
  readonly target: number;
  /** Number of trajectories. */
  readonly particles: number;
  /** Fraction of the trajectories that each level replaces. */
  readonly share: number;
  /** Chooses which trajectories branch. */
  readonly random: RandomStream;
}

/** A trajectory to fly. */
export interface NewTrajectory {
  /** Its place among the trajectories of the run. */
  readonly slot: number;
  /**
   * Slot of the parent, from which it branches at the instant at which the parent first exceeded the level. Undefined
   * if it starts from the beginning.
   */
  readonly parent?: number;
  readonly level: number;
}

export class SplittingRun {
  /** Levels so far, and the estimated probability of exceeding each. */
  readonly levels: { readonly level: number; readonly probability: number }[] = [];
  private readonly options: SplittingOptions;
  private readonly scores: number[];
  /** Number of initial trajectories that reached the event. */
  initialHits = 0;
  private newTrajectories: readonly NewTrajectory[];
  private isExtinct = false;

  constructor(options: SplittingOptions) {
    this.options = options;
    this.scores = Array.from({ length: options.particles }, () => -Infinity);
    this.newTrajectories = this.scores.map((_, slot) => ({ slot, level: -Infinity }));
  }

  /** Trajectories to fly next, by ascending slot; none if the run is over. */
  get next(): readonly NewTrajectory[] {
    return this.newTrajectories;
  }

  get isOver(): boolean {
    return this.newTrajectories.length === 0;
  }

  /** Accepts the highest score of each trajectory of `next`. */
  tell(scores: readonly number[]): void {
    this.newTrajectories.forEach(({ slot, parent }, i) => {
      this.scores[slot] = scores[i]!;
      if (parent === undefined && scores[i]! > this.options.target) this.initialHits += 1;
    });
    this.newTrajectories = this.replaceLowest();
  }

  /** The estimate of the event's probability; 0 if no trajectory has reached it. */
  get probability(): number {
    const { scores, options } = this;
    return (this.reached * scores.filter((score) => score > options.target).length) / scores.length;
  }

  /** Estimated probability of exceeding the last level. */
  get reached(): number {
    if (this.isExtinct) return 0;
    return this.levels.at(-1)?.probability ?? 1;
  }

  private replaceLowest(): NewTrajectory[] {
    const { scores, options } = this;
    const { particles: n, share, target, random } = options;
    const level = [...scores].sort((a, b) => a - b)[Math.max(1, Math.round(share * n)) - 1]!;
    if (level >= target) return [];
    const alive = [...scores.keys()].filter((slot) => scores[slot]! > level);
    this.levels.push({ level, probability: (this.reached * alive.length) / n });
    if (alive.length === 0) {
      this.isExtinct = true;
      return [];
    }
    const draw = () => alive[Math.floor(random.uniform() * alive.length)]!;
    return [...scores.keys()].filter((slot) => scores[slot]! <= level).map((slot) => ({ slot, parent: draw(), level }));
  }
}
