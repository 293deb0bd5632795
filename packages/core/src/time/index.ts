export * from "./axis.ts";
export * from "./clock.ts";
export * from "./seconds.ts";
export { timeErrors } from "./errors.ts";
