export { estimatorKinds, type EstimatorContext } from "./estimator.ts";
