/** Errors of the state folder. */
import { defineErrors } from "../errors/index.ts";

export const stateErrors = defineErrors("STATE", {
  missingBlock: {
    number: 1,
    title: "a plant has no state of the name that a part needs",
    explain:
      "Estimators, sensors and scenarios read the plant's true state by name (posNed, velNed, qBodyToNed, rateBody …). A plant of your own must declare the blocks that the parts flown with it read.",
  },
  notFinite: {
    number: 2,
    title: "the state of the plant is no longer finite",
    explain:
      "A state component became infinite or NaN. The state left the range in which the equations are valid: the step size is unstable, a parameter is impossible, or a model has a defect.",
  },
  notUnit: {
    number: 3,
    title: "an attitude quaternion is not of unit length",
    explain:
      "At every boundary each attitude must have unit norm within 1e-9. An integrator or a plant's jump hook did not normalise it.",
  },
});
