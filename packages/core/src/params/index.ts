export * from "./table.ts";
export * from "./kind.ts";
export * from "./check.ts";
export * from "./nearest.ts";
