/** Errors of searches. */
import { defineErrors } from "@escapement/core";

export const searchErrors = defineErrors("SEARCH", {
  unknownMethod: {
    number: 1,
    title: "a search method does not exist",
    explain:
      "`cma-es` (the default) learns the shape of the margin and restarts when it has arrived; `cross-entropy` is simpler and treats keys as independent; `random` learns nothing and shows what the others gain.",
  },
});
