/**
 * Compares two pieces of code of a tenth of a second or more on a noisy machine: they alternate, and the least
 * processor times are compared.
 *
 * Processor time does not include the time in which other programs run. It includes the engine's threads that collect
 * garbage and compile, which work at irregular times; they do not affect the minimum of many runs.
 */
import type { Effort } from "./measure.ts";

/** Does the work once, and returns the processor time in milliseconds of the part to be compared. */
export type TimedRun = (k: number) => number | Promise<number>;

/** The least processor times in milliseconds, and their ratio. */
export interface PairTimes {
  readonly firstMs: number;
  readonly secondMs: number;
  readonly ratio: number;
}

const PAIRS = 40;
/** Pairs that are run before the first one that is compared. */
const WARM_UPS = 8;

/** Returns the processor time of the process so far, in milliseconds. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs both, and passes them the number of the pair. They take turns being first: the second finds warmer caches. */
export async function measurePairs(first: TimedRun, second: TimedRun, { isQuick }: Effort): Promise<PairTimes> {
  const [pairs, warmUps] = isQuick ? [2, 1] : [PAIRS, WARM_UPS];
  const sides = [
    { run: first, leastMs: Infinity },
    { run: second, leastMs: Infinity },
  ];
  for (let k = 0; k < warmUps + pairs; k += 1) {
    for (const side of k % 2 === 0 ? sides : [...sides].reverse()) {
      const ms = await side.run(k);
      if (k >= warmUps) side.leastMs = Math.min(side.leastMs, ms);
    }
  }
  const [firstMs, secondMs] = [sides[0]!.leastMs, sides[1]!.leastMs];
  return { firstMs, secondMs, ratio: firstMs / secondMs };
}
