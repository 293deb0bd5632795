/** Exports of the core that the engine's tests use, from its sources. */
export * from "../../packages/core/src/engine/index.ts";
export * from "../../packages/core/src/time/index.ts";
