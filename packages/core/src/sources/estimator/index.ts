export { estimatorKinds, type EstimatorContext } from "./estimator.ts";
export { DelayLine } from "./delay-line.ts";
export { estimatorErrors } from "./errors.ts";
