/** Errors of the integrate folder. */
import { defineErrors } from "../errors/index.ts";

export const integrateErrors = defineErrors("INTEGRATE", {
  stepTooSmall: {
    number: 1,
    title: "the error of the smallest step allowed is still too large",
    explain:
      "An adaptive integrator shortens its step until the estimated error of every state is within its tolerance. Here the shortest step was tried and was not accurate enough: " +
      "the equations jump inside it, a tolerance is far too tight, or the model has a mode faster than a microsecond. Loosen the tolerance of the component named, " +
      "make the jump a boundary or a seam, or set atMinimum to accept, which counts such steps in the statistics.",
  },
  notFinite: {
    number: 2,
    title: "the smallest step allowed leads to a state that is not finite",
    explain:
      "A step of an adaptive integrator gave an infinite or undefined state, and so did every shorter one. The equations themselves leave their domain at this state: a division by zero, " +
      "the square root of a negative number, a blow-up in finite time.",
  },
  tooManySteps: {
    number: 3,
    title: "an interval needs more integration steps than allowed",
    explain:
      "Accepted and rejected steps of one interval reached maxSteps. Either the interval is long and the limit is too low, or a tolerance forces steps far shorter than intended.",
  },
  unknownGroup: {
    number: 4,
    title: "a tolerance is given for a group that the plant does not have",
    explain:
      "Tolerances are overridden by group (position, velocity, attitude, rate …). Groups are named in the layout of the plant's state.",
  },
  badTolerance: {
    number: 5,
    title: "a tolerance cannot be met because it is zero",
    explain:
      "Every controlled state needs an absolute tolerance above zero, because a relative tolerance alone is zero when the state passes through zero.",
  },
  nothingControlled: {
    number: 6,
    title: "every group is switched off, so no error controls the step",
    explain:
      "An adaptive integrator chooses its steps from the error of the controlled states. Leave at least one group on, or choose a fixed-step method.",
  },
  noRate: {
    number: 7,
    title: "the exponential map needs the body rate of an attitude, which the plant does not name",
    explain:
      "With attitude set to exponential the rotation is integrated from the body rate, which the layout must name as the rateBlock of the attitude.",
  },
  groupTwice: {
    number: 9,
    title: "a tolerance is given twice for the same group",
    explain: "Give all tolerances of a group in one table; a second table for the same group is ambiguous.",
  },
  badLimits: {
    number: 8,
    title: "the longest step allowed is shorter than the shortest",
    explain: "maxStepUs must be 0, for no limit, or at least minStepUs.",
  },
});
