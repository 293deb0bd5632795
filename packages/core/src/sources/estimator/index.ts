export { estimatorKinds, type EstimatorContext } from "./estimator.ts";
export { DelayLine } from "./delay-line.ts";
export { WanderingBias } from "./bias.ts";
export { estimatorErrors } from "./errors.ts";
