/** Errors in criteria. */
import { defineErrors } from "@escapement/core";

export const criterionErrors = defineErrors("CRITERION", {
  notUnderstood: {
    number: 1,
    title: "a criterion cannot be read",
    explain:
      "A criterion is a statement about all flights of a campaign: `P(requirement) >= 99 % with 95 % confidence`, `q95(measure) < 1.5 m` (also `mean`, `min`, `max`; optionally `with 95 % confidence`), `every flight: requirement`, or `no flight fails`.",
  },
  unknownName: {
    number: 2,
    title: "a criterion names something that the campaign does not have",
    explain:
      "`P(…)` and `every flight: …` take the name of a requirement, or its text if it has no name. `mean`, `min`, `max` and quantiles take the name of a measure: one of `[measures]`, or a number of the flight's summary, such as `positionErrorMaxM`.",
  },
  badNumber: {
    number: 3,
    title: "a number in a criterion is out of its range",
    explain:
      "Probabilities are written as `99 %` or `0.99`, and lie between 0 and 1. A confidence lies strictly between 50 % and 100 %. Quantiles are given in percent, from `q0.1` to `q99.9`.",
  },
  badUnit: {
    number: 4,
    title: "the unit in a criterion does not fit the measure",
    explain:
      "The value must have a unit of the same dimension as the measure: lengths are compared with lengths. Leave the unit out only if the measure has none.",
  },
  notForPlan: {
    number: 5,
    title: "a criterion does not fit the plan",
    explain:
      "Probabilities, means and quantiles describe the campaign's distributions, so the flights must be drawn from them. `random`, `latin` and `sobol` do so; `importance` estimates only probabilities. The flights of a `grid` or `list` are all the flights there are, so their fraction is exact, whatever the confidence. `splitting` estimates `P(…)` of its own requirement only. Other searches and sensitivity plans choose their flights for another purpose; for them write `every flight: …` or `no flight fails`. With `until`, the campaign evaluates its flights repeatedly; a confidence then holds for probabilities and quantiles, but not for a mean.",
  },
});
