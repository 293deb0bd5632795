export * from "./snapshot.ts";
export { snapshotErrors } from "./errors.ts";
