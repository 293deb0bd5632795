/** Errors of plans. */
import { defineErrors } from "@escapement/core";

export const planErrors = defineErrors("PLAN", {
  needsList: {
    number: 1,
    title: "a grid needs a list of values for every key",
    explain:
      "A grid flies every combination of the listed values, so every varied key needs `list`, `choice` or `integers`. To vary a key continuously, use `random`, `latin` or `sobol`, which take every kind of distribution.",
  },
  tooManyKeys: {
    number: 2,
    title: "a plan has too many varied keys",
    explain:
      "Sobol sequences have at most 64 coordinates. `sobol` needs one per varied key, and `sobol-indices` two. `latin` and `random` have no limit.",
  },
  badCount: {
    number: 3,
    title: "a number in a plan is out of its range",
    explain:
      "Plans need at least one flight. Numbers of flights, trajectories and levels are whole numbers. The number of levels of `morris` is even, because each step changes a key by half of the levels. The base sample of `sobol-indices` has at least 2 points. A plan has at most 2^32 flights.",
  },
  badShift: {
    number: 4,
    title: "an importance plan cannot shift a key in this way",
    explain:
      "`shift` gives the value around which a continuous key is sampled most often. The key must be varied, and the value must lie inside its range. Keys with discrete values (`choice`, `list`, `integers`) cannot be shifted.",
  },
});
