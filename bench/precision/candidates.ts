/** The integrators that the work–precision diagram compares: each method with several step sizes or tolerances. */
import type { PlainObject } from "@escapement/core";

export interface Candidate {
  readonly method: string;
  /** Step size or scale of the tolerances. */
  readonly setting: string;
  /** The key `integrator` of the flight. */
  readonly integrator: PlainObject;
  /** The physics period of the flight; 0 for adaptive integrators, which need none. */
  readonly physicsPeriodS: number;
}

const FIXED_STEPS_US = [1000, 500, 250];
const TOLERANCE_SCALES = [10, 1, 0.1, 0.01];

const fixed: readonly Candidate[] = FIXED_STEPS_US.map((stepUs) => ({
  method: "rk4",
  setting: `${stepUs / 1000} ms`,
  integrator: { kind: "rk4", substepUs: stepUs },
  physicsPeriodS: stepUs / 1e6,
}));

const adaptive: readonly Candidate[] = ["rk23", "rk43", "rk45"].flatMap((method) =>
  TOLERANCE_SCALES.map((toleranceScale) => ({
    method,
    setting: `tolerances × ${toleranceScale}`,
    integrator: { kind: method, toleranceScale },
    physicsPeriodS: 0,
  })),
);

export const candidates: readonly Candidate[] = [...fixed, ...adaptive];

/** The reference, with a tolerance so tight that its error is far below the error of every candidate. */
export const REFERENCE: PlainObject = { kind: "rk45", toleranceScale: 1e-5, atMinimum: "accept" };
