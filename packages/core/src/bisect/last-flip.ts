/**
 * Searches for the last instant at which a switch still flips a result, on a grid of instants.
 *
 * A few instants are probed first, because the answer may change more than once. Then the bracket after the last probe
 * that flips is halved until its ends are neighbours.
 */

interface LastFlipSearch {
  /** The first instant of the grid. */
  readonly first: number;
  /** An instant at which the switch is known not to flip the result. */
  readonly last: number;
  /** Number of instants to probe between them. */
  readonly probes: number;
  readonly flips: (instant: number) => boolean;
}

interface LastFlip {
  /** The last instant that flips; undefined if no probe flips. */
  readonly lastFlip: number | undefined;
  /** The instant after `lastFlip`, which does not flip. */
  readonly firstKept: number;
  /**
   * True if an instant that does not flip was found before an instant that flips, so that the answer changes more than
   * once.
   */
  readonly isMixed: boolean;
}

export function searchLastFlip({ first, last, probes, flips }: LastFlipSearch): LastFlip {
  const steps = Math.min(probes + 1, last - first);
  const instants = Array.from({ length: steps }, (_, k) => first + Math.floor((k * (last - first)) / steps));
  const flipped = instants.map(flips);
  const at = flipped.lastIndexOf(true);
  const isMixed = flipped.slice(0, Math.max(at, 0)).includes(false);
  if (at < 0) return { lastFlip: undefined, firstKept: first, isMixed };
  let lastFlip = instants[at]!;
  let firstKept = instants[at + 1] ?? last;
  while (firstKept - lastFlip > 1) {
    const middle = Math.floor((lastFlip + firstKept) / 2);
    if (flips(middle)) lastFlip = middle;
    else firstKept = middle;
  }
  return { lastFlip, firstKept, isMixed };
}
