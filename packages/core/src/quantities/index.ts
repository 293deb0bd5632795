export { FactColumns, isFact } from "./fact-columns.ts";
export { TouchFacts } from "./facts.ts";
export * from "./names.ts";
export * from "./read.ts";
export * from "./table.ts";
export * from "./units.ts";
