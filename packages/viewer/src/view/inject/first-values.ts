/** Initial values of the event forms. */
import type { PlainObject } from "@escapement/core";

/** Useful initial values of parameters without a default. */
export const INITIAL_VALUES: PlainObject = {
  velNedMps: [0, 8, 0],
  posNedM: [0, 0, -10],
  gain: 0.5,
  duty: 0.5,
  sigma: 0.1,
  imbalanceGmm: 50,
  share: 0.1,
  motor: 1,
  battery: 1,
  seed: 1,
  sensor: "estimator",
  fault: "stuck",
  name: "MPC_XY_P",
};
