export * from "./random-stream.ts";
export { GaussMarkov } from "./gauss-markov.ts";
export { normalQuantile } from "./normal-quantile.ts";
export { philox4x32 } from "./philox.ts";
