/**
 * The only conversion between seconds, which people write, and integer microseconds, which schedule the flight (law 2).
 *
 * `us = round(s · 1e6)`, accepted if `us / 1e6` equals `s` within four units in the last place, so that a time computed
 * as k · dt passes and 1.5 µs does not. The inverse divides by 1e6, which is correctly rounded; multiplying by 1e-6 is
 * not.
 */
import { timeErrors } from "./errors.ts";

/** Limit of the magnitude. Above 5.6e8 s the tolerance would exceed half a microsecond, so every time would pass. */
const SECONDS_LIMIT = 1e8;

/** Converts seconds to whole microseconds; throws a typed error if the conversion is not exact. */
export function secondsToUs(seconds: number, name = "time"): number {
  if (!Number.isFinite(seconds) || Math.abs(seconds) >= SECONDS_LIMIT) {
    throw timeErrors.outOfRange({
      what: `${name} of ${seconds} s is not finite or too large`,
      fix: `use a finite number of seconds below ${SECONDS_LIMIT} in magnitude`,
    });
  }
  const us = Math.round(seconds * 1e6);
  if (Math.abs(us / 1e6 - seconds) > 4 * Number.EPSILON * Math.abs(seconds)) {
    throw timeErrors.notExact({
      what: `${name} of ${seconds} s is not a whole number of microseconds`,
      fix: `use ${us / 1e6} s, which is the nearest`,
    });
  }
  // Math.round gives −0 for small negative values; adding 0 turns it into 0.
  return us + 0;
}

/** Converts microseconds to seconds. */
export function usToSeconds(us: number): number {
  return us / 1e6;
}
