/**
 * The parameters of integrators: one table for fixed-step methods, one for methods that control their step size.
 *
 * The plant's layout sets the tolerances; these parameters scale all of them or override single groups. Step sizes are
 * whole microseconds, like all times that affect control flow.
 */
import { defineParams, type ParamsOf } from "../params/index.ts";
import { atLeast, boolean, choice, closed, integer, number, text } from "../params/rows.ts";

const attitude = choice(
  ["normalise", "exponential"],
  "How attitudes are integrated: as quaternions normalised after each step, or through the exponential map",
  "normalise",
);

export const fixedStepParams = defineParams({
  attitude,
  substepUs: integer("µs", atLeast(0), "Longest step inside an interval; 0 makes every interval one step", 0),
});

export const adaptiveParams = defineParams({
  attitude,
  toleranceScale: number("1", closed(1e-12, 1e12), "Multiplies every tolerance", 1),
  groups: {
    type: "sections",
    default: [],
    about: "Groups of states whose tolerances differ from the plant's own, or that do not control the step",
    table: {
      group: text("Name of the group, such as rotors or battery"),
      controlled: boolean("Whether the error of this group controls the step", true),
      absolute: number(
        "unit of the state",
        atLeast(0),
        "Absolute tolerance (for an attitude in rad); if both tolerances are 0, the plant's own apply",
        0,
      ),
      relative: number("1", atLeast(0), "Relative tolerance that goes with the absolute one", 0),
    },
  },
  firstStepUs: integer(
    "µs",
    atLeast(0),
    "First step after the integrator starts or restarts. 0 selects the size that step control proposed last, if a step as long as the interval was accepted before, and otherwise a size estimated from the derivatives",
    0,
  ),
  minStepUs: integer(
    "µs",
    atLeast(1),
    "Shortest step; shorter ones occur only in shorter intervals or remainders of intervals",
    1,
  ),
  maxStepUs: integer("µs", atLeast(0), "Longest step; 0 sets no limit", 0),
  atMinimum: choice(
    ["error", "accept"],
    "What happens when the shortest step is not accurate enough: the flight ends, or the step is taken and counted",
    "error",
  ),
  maxSteps: integer("steps", atLeast(1), "Maximum number of steps, accepted and rejected, in one interval", 1_000_000),
});

export type FixedStepParams = ParamsOf<typeof fixedStepParams>;
export type AdaptiveParams = ParamsOf<typeof adaptiveParams>;
