export * from "./sim-error.ts";
