export { type Measure, parseMeasure } from "./measure.ts";
export { isMeasured, marginUnit, type Requirement, requirement } from "./requirement.ts";
export * from "./verdict.ts";
