/** Errors about the plant's state. */
import { defineErrors } from "../errors/index.ts";

export const stateErrors = defineErrors("STATE", {
  missingBlock: {
    number: 1,
    title: "a part needs a state block that the plant does not have",
    explain:
      "Estimators, sensors and scenarios read the plant's true state by name (posNed, velNed, qBodyToNed, rateBody …). A custom plant must declare the blocks that the other parts of the flight read.",
  },
  notFinite: {
    number: 2,
    title: "the state of the plant is no longer finite",
    explain:
      "A state component became infinite or NaN. Likely causes are an unstable step size, an impossible parameter or a defect in a model.",
  },
  notUnit: {
    number: 3,
    title: "an attitude quaternion is not of unit length",
    explain:
      "At every boundary each attitude must have unit norm within 1e-9. An integrator or a plant's jump hook violated this.",
  },
  tooLarge: {
    number: 4,
    title: "a state is implausibly large",
    explain:
      "Positions beyond 10⁹ m, speeds beyond 10⁵ m/s and rates beyond 10⁶ rad/s are the result of parameters that contradict each other, or of an unstable integration. The flight ends here, because later values could look plausible again.",
  },
});
