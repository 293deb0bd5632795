export * from "./layout.ts";
export * from "./snapshot.ts";
export { stateErrors } from "./errors.ts";
