/**
 * The public face of the core: what other packages and users may import. Everything else is the core's own business.
 */
export * as math from "./math/index.ts";
export * from "./errors/index.ts";
export * from "./params/index.ts";
export * from "./time/index.ts";
export * from "./state/index.ts";
export * from "./engine/index.ts";
export * from "./plant/geodesy/index.ts";
export * from "./sources/autopilot/mission.ts";
export * from "./sources/autopilot/mission-check.ts";
export * from "./sources/sensors/index.ts";
