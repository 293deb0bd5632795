/** Makes one run of splitting on a process that computes its own trajectories. */
import { SplittingRun } from "../splitting-run.ts";

/** Flies trajectories whose score never falls, and branches them. */
export interface SplittingProcess<T> {
  start(): T;
  /** Branches at the step at which `parent` first exceeded the level, with other random numbers after it. */
  branch(parent: T, level: number): T;
  /** The highest score of a trajectory. */
  scoreOf(trajectory: T): number;
}

export function splitOnce<T>(
  process: SplittingProcess<T>,
  options: ConstructorParameters<typeof SplittingRun>[0],
): { readonly run: SplittingRun; readonly particles: readonly T[]; readonly flown: number } {
  const run = new SplittingRun(options);
  const particles: T[] = [];
  let flown = 0;
  while (!run.isOver) {
    // Parents are never replaced in the generation in which they branch.
    for (const { slot, parent, level } of run.next) {
      particles[slot] = parent === undefined ? process.start() : process.branch(particles[parent]!, level);
      flown += 1;
    }
    run.tell(run.next.map(({ slot }) => process.scoreOf(particles[slot]!)));
  }
  return { run, particles, flown };
}
