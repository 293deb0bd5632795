export * from "./random-stream.ts";
export { normalQuantile } from "./normal-quantile.ts";
export { philox4x32 } from "./philox.ts";
