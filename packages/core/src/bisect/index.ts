export {
  bisect,
  type Bisection,
  type BisectCost,
  type BisectOptions,
  type DifferenceReport,
  type PointOfNoReturn,
} from "./bisect.ts";
export { bisectErrors } from "./errors.ts";
export { ddmin } from "./ddmin.ts";
