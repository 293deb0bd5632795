export { type Measure, type MeasureResult, parseMeasure } from "./measure.ts";
export {
  marginUnit,
  type Requirement,
  requirement,
  type RequirementLike,
  type RequirementOptions,
} from "./requirement.ts";
export * from "./verdict.ts";
