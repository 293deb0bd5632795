export { type Measure, parseMeasure } from "./measure.ts";
export { marginUnit, type Requirement, requirement } from "./requirement.ts";
export * from "./verdict.ts";
