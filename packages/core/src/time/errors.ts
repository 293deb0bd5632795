/** Errors of the time folder. */
import { defineErrors } from "../errors/index.ts";

export const timeErrors = defineErrors("TIME", {
  notExact: {
    number: 1,
    title: "a time is not a whole number of microseconds",
    explain:
      "The time of every event is a whole number of microseconds, so that rounding cannot move it. " +
      "A time in seconds is accepted if it equals a whole number of microseconds within floating-point rounding; any other time is rejected, not rounded.",
  },
  outOfRange: {
    number: 2,
    title: "a time is not finite or is too large",
    explain: "Times must be finite and below 1e8 seconds (three years) in magnitude.",
  },
  badAxis: {
    number: 3,
    title: "the times of an axis are not strictly increasing whole microseconds",
    explain:
      "An axis lists the times at which something is due, as strictly increasing safe integers. A periodic axis needs a period of at least one microsecond.",
  },
});
