export { magneticErrors } from "./errors.ts";
export { MagneticModel, magneticElementsInto } from "./world-magnetic-model.ts";
export type { MagneticModelOptions } from "./world-magnetic-model.ts";
export type { GaussRow } from "./wmm2025-coefficients.ts";
