/**
 * The one converter between seconds, which people write, and integer microseconds, which decide (law 2).
 *
 * `us = round(s · 1e6)`, accepted iff `us / 1e6` is `s` within four units in its last place, so that a time computed
 * as k · dt passes and 1.5 µs does not. The inverse divides, which is correctly rounded; multiplying by 1e-6 is not.
 */
import { timeErrors } from "./errors.ts";

/** Above this the microsecond count leaves the range in which the tolerance stays below half a microsecond. */
const SECONDS_LIMIT = 1e8;

/** Exact microseconds of a time or duration in seconds; a typed error if it is not a whole number of them. */
export function secondsToUs(seconds: number, name = "time"): number {
  if (!Number.isFinite(seconds) || Math.abs(seconds) >= SECONDS_LIMIT) {
    throw timeErrors.outOfRange({
      what: `${name} of ${seconds} s is not a time`,
      fix: `give finite seconds below ${SECONDS_LIMIT} s in magnitude`,
    });
  }
  const us = Math.round(seconds * 1e6);
  if (Math.abs(us / 1e6 - seconds) > 4 * Number.EPSILON * Math.abs(seconds)) {
    throw timeErrors.notExact({
      what: `${name} of ${seconds} s is not a whole number of microseconds`,
      fix: `the nearest is ${us / 1e6} s`,
    });
  }
  // Math.round gives −0 for small negative values; a time of zero has one representation.
  return us + 0;
}

/** Seconds of a time in microseconds. */
export function usToSeconds(us: number): number {
  return us / 1e6;
}
