/** A measured value in ms and its base, of one round, and the number and length of the rounds. */
export interface Pair {
  readonly own: number;
  readonly base: number;
}

export interface PageEffort {
  readonly rounds: number;
  /**
   * Rounds of the frames. An interval is a whole number of refreshes, so the 95th percentile of a round is either that of
   * an idle page or twice as long; the median of many rounds does not depend on one or two that other programs disturb.
   */
  readonly frameRounds: number;
  /** Flights per round in the worker. */
  readonly flights: number;
  /** Length of the flight that is flown ahead and scrubbed, in s. */
  readonly flightS: number;
  /** Moves of the pointer per round. */
  readonly moves: number;
}

/** Returns the pair whose ratio is the median. */
export function medianOf(pairs: readonly Pair[]): Pair {
  const sorted = [...pairs].sort((a, b) => a.own / a.base - b.own / b.base);
  return sorted[Math.floor(sorted.length / 2)]!;
}
