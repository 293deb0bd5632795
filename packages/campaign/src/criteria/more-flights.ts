/** How many more flights would decide an open criterion, if the share of flights stays what it is. */
import { clopperPearson, confidenceSequence } from "../statistics/binomial.ts";
import type { Sampling } from "./estimate.ts";
import type { Comparator } from "./parse.ts";

const MOST = 1e8;

interface OpenShare {
  readonly share: number;
  readonly n: number;
  readonly comparator: Comparator;
  readonly bound: number;
  readonly confidence: number;
  readonly sampling: Sampling;
}

/** Undefined if the share is at the bound, or if 10⁸ flights would not decide. */
export function flightsToDecide({ share, n, comparator, bound, confidence, sampling }: OpenShare): number | undefined {
  if (sampling.kind === "weighted" || sampling.kind === "counted" || !Number.isFinite(share)) return undefined;
  const interval = sampling.kind === "sequential" ? confidenceSequence : clopperPearson;
  const isUpper = comparator.startsWith(">");
  const isDecided = (flights: number): boolean => {
    // Rounded to the unfavourable side, so that the answer does not depend on one lucky flight.
    const k = share > bound ? Math.floor(share * flights) : Math.ceil(share * flights);
    const { lo, hi } = interval(k, flights, confidence);
    return isUpper ? lo >= bound || hi < bound : hi <= bound || lo > bound;
  };
  let high = Math.max(2 * n, 2);
  while (!isDecided(high)) {
    if (high > MOST) return undefined;
    high *= 2;
  }
  let low = n;
  while (high - low > Math.max(1, (low - n) / 100)) {
    const middle = Math.floor((low + high) / 2);
    if (isDecided(middle)) high = middle;
    else low = middle;
  }
  return high - n;
}
