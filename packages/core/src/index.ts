/**
 * The public API of the core: everything that other packages and users may import.
 */
export { arithmeticFaults, IS_LITTLE_ENDIAN } from "./math/arithmetic.ts";
export * from "./errors/index.ts";
export * from "./params/index.ts";
export * from "./time/index.ts";
export * from "./snapshot/index.ts";
export * from "./state/layout.ts";
export * from "./random/index.ts";
export * from "./integrate/index.ts";
export * from "./engine/index.ts";
export * from "./quantities/index.ts";
export * from "./record/index.ts";
export * from "./world/geodesy/index.ts";
export * from "./autopilot/mission.ts";
export * from "./autopilot/mission-check.ts";
export * from "./autopilot/index.ts";
export * from "./sources/estimator/index.ts";
export * from "./sources/scenario/index.ts";
export * from "./sources/sensors/index.ts";
export * from "./sources/wind/index.ts";
export * from "./requirements/index.ts";
export * from "./describe/index.ts";
export * from "./run/index.ts";
export * from "./bisect/index.ts";
export * from "./verify/index.ts";
export * from "./analysis/index.ts";
export { coreCatalogues } from "./catalogues.ts";
