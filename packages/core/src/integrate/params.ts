/**
 * The parameters of integrators: one table for fixed-step methods, one for methods that control their step size.
 *
 * The plant's layout sets the tolerances; these parameters scale all of them or override single groups. Step sizes are
 * whole microseconds, like all times that affect control flow.
 */
import { defineParams, type ParamsOf } from "../params/index.ts";

const attitude = {
  type: "choice",
  options: ["normalise", "exponential"],
  default: "normalise",
  about: "How attitudes are integrated: as quaternions normalised after each step, or through the exponential map",
} as const;

export const fixedStepParams = defineParams({
  attitude,
  substepUs: {
    type: "number",
    unit: "µs",
    integer: true,
    min: 0,
    default: 0,
    about: "Longest step inside an interval; 0 makes every interval one step",
  },
});

export const adaptiveParams = defineParams({
  attitude,
  toleranceScale: {
    type: "number",
    unit: "1",
    min: 1e-12,
    max: 1e12,
    default: 1,
    about: "Multiplies every tolerance",
  },
  groups: {
    type: "sections",
    default: [],
    about: "Groups of states whose tolerances differ from the plant's own, or that do not control the step",
    table: {
      group: { type: "text", about: "Name of the group, such as rotors or battery" },
      controlled: { type: "boolean", default: true, about: "Whether the error of this group controls the step" },
      absolute: {
        type: "number",
        unit: "unit of the state",
        min: 0,
        default: 0,
        about: "Absolute tolerance (an attitude's in rad); 0 leaves both tolerances as the plant gives them",
      },
      relative: {
        type: "number",
        unit: "1",
        min: 0,
        default: 0,
        about: "Relative tolerance that goes with the absolute one",
      },
    },
  },
  firstStepUs: {
    type: "number",
    unit: "µs",
    integer: true,
    min: 0,
    default: 0,
    about: "First step tried where the integrator starts afresh; 0 tries the whole interval",
  },
  minStepUs: {
    type: "number",
    unit: "µs",
    integer: true,
    min: 1,
    default: 1,
    about: "Shortest step; only an interval that is shorter, or its remainder, makes a shorter one",
  },
  maxStepUs: {
    type: "number",
    unit: "µs",
    integer: true,
    min: 0,
    default: 0,
    about: "Longest step; 0 sets no limit",
  },
  atMinimum: {
    type: "choice",
    options: ["error", "accept"],
    default: "error",
    about:
      "What happens when the shortest step is not accurate enough: the flight ends, or the step is taken and counted",
  },
  maxSteps: {
    type: "number",
    unit: "steps",
    integer: true,
    min: 1,
    default: 1_000_000,
    about: "Most steps, accepted and rejected, in one interval",
  },
});

export type FixedStepParams = ParamsOf<typeof fixedStepParams>;
export type AdaptiveParams = ParamsOf<typeof adaptiveParams>;
