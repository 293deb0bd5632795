/** One round's measured value and its base, and the number and length of the rounds. */
export interface Pair {
  readonly measured: number;
  /** The value that `measured` is divided by. */
  readonly base: number;
}

export interface PageEffort {
  readonly rounds: number;
  /**
   * Rounds in which frames are measured. An interval is a whole number of screen refreshes, so the 95th percentile of a
   * round is either as long as on an idle page or twice as long. One or two rounds that other programs disturb do not
   * affect the median of many rounds.
   */
  readonly frameRounds: number;
  /** Flights per round in the worker. */
  readonly flights: number;
  /** Length of the flight that is simulated and then scrubbed, in s. */
  readonly flightS: number;
  /** Moves of the pointer per round. */
  readonly moves: number;
}

/** Returns the pair whose ratio is the median. */
export function medianOf(pairs: readonly Pair[]): Pair {
  const sorted = [...pairs].sort((a, b) => a.measured / a.base - b.measured / b.base);
  return sorted[Math.floor(sorted.length / 2)]!;
}
