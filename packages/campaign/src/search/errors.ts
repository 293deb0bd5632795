/** Errors of searches and of shrinking. */
import { defineErrors } from "@escapement/core";

export const searchErrors = defineErrors("SEARCH", {
  unknownMethod: {
    number: 1,
    title: "a search method does not exist",
    explain:
      "`cma-es` (the default) learns how the margin depends on the keys, and restarts when it has converged. `cross-entropy` is simpler and treats keys as independent. `random` does not learn; it is the baseline for the others.",
  },
  notViolated: {
    number: 2,
    title: "a flight to shrink does not violate its requirement",
    explain:
      "Shrinking removes and simplifies parts of a flight as long as it violates a requirement, so the flight must violate one at the start. Undecided and untested requirements are not violated.",
  },
  notShrinkable: {
    number: 3,
    title: "a flight cannot be shrunk",
    explain:
      "Shrinking flies dozens of variants in this process. Flights with PX4 run in separate processes, and flights with stock PX4 are not repeatable.",
  },
});
