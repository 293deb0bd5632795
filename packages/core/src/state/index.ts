export * from "./layout.ts";
export * from "../snapshot/index.ts";
export { stateErrors } from "./errors.ts";
