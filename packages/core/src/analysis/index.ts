export { linearise, type LinearModel } from "./linear-model.ts";
export {
  fitPropeller,
  type PropellerBlade,
  type PropellerError,
  type PropellerFit,
  type PropellerOptions,
  type PropellerRow,
} from "./propeller-fit.ts";
export { operatingPoint, speedSweep, steadyFlight, type SteadyFlight, type SteadyOptions } from "./steady-flight.ts";
export type { Trim } from "../multirotor/trim.ts";
export type { Vehicle } from "../multirotor/vehicle.ts";
