/** Errors of the wind models. */
import { defineErrors } from "../../errors/index.ts";

export const windErrors = defineErrors("WIND", {
  badShear: {
    number: 1,
    title: "a wind profile has no speed at its reference height",
    explain:
      "The logarithmic profile is zero at the roughness length and below it, so the height at which the speed is given must lie above the roughness length.",
  },
});
