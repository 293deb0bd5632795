/** Errors of the estimators. */
import { defineErrors } from "../../errors/index.ts";

export const estimatorErrors = defineErrors("ESTIMATOR", {
  delayNotWhole: {
    number: 1,
    title: "the estimator's delay is not a whole number of its periods",
    explain:
      "The delay is counted in ticks of the autopilot, so that it is exact. Choose a multiple of the autopilot's period.",
  },
});
