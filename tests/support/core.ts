/** What tests of the engine use of the core, from its sources. */
export * from "../../packages/core/src/engine/index.ts";
export * from "../../packages/core/src/time/index.ts";
