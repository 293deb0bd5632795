/** Errors of bisection. */
import { defineErrors } from "../errors/index.ts";

export const bisectErrors = defineErrors("BISECT", {
  sameResult: {
    number: 1,
    title: "both flights give the same result",
    explain:
      "A bisection needs two flights with different results: by the chosen criterion, one must be good and the other bad. Choose another result with `--on`, for example `fingerprint`, which differs if any bit of the motion differs.",
  },
  badResult: {
    number: 2,
    title: "a result to compare cannot be read from a flight",
    explain:
      "A result is `outcome`, `fingerprint`, a comparison of a signal at an instant (`posNed.n@20 s > 5`) or of a value in the summary (`positionErrorMaxM > 3`), or a requirement (`never tilt > 60 deg`). Signals are named as in `escapement list signals`; a signal with several components needs one of them.",
  },
  notMeasured: {
    number: 3,
    title: "a flight ended before the instant of the comparison",
    explain: "A signal can be compared only at an instant that both flights reach.",
  },
});
