/** Errors of the time folder. */
import { defineErrors } from "../errors/index.ts";

export const timeErrors = defineErrors("TIME", {
  notExact: {
    number: 1,
    title: "a time is not a whole number of microseconds",
    explain:
      "Everything that decides when something happens is counted in whole microseconds, so that no rounding can move an event. " +
      "Times in seconds are accepted if they equal a whole number of microseconds within floating-point rounding; others are refused, not rounded.",
  },
  outOfRange: {
    number: 2,
    title: "a time is not finite or far too large",
    explain: "Times must be finite and below 1e8 seconds (three years) in magnitude.",
  },
  badAxis: {
    number: 3,
    title: "an axis is not strictly increasing whole microseconds",
    explain:
      "An axis is the list of instants at which something is due: safe integers, strictly increasing; a periodic axis needs a period of at least one microsecond.",
  },
});
