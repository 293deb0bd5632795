export * from "./spec/assign.ts";
export type { BranchEdit } from "./definition/branch.ts";
export { buildPlant } from "./build/build-parts.ts";
export { canonicalJson } from "./definition/canonical.ts";
export { dimsOf, hasSticks } from "./definition/dims.ts";
export { checkDefinition } from "./definition/check-definition.ts";
export * from "./definition/definition.ts";
export { otherVersions, specOf, splitEvents } from "./definition/definition-spec.ts";
export { flightErrors } from "./errors.ts";
export { parseDurationText } from "./spec/duration-text.ts";
export { editBetween, type FamilyBranch, familyOf } from "./definition/family.ts";
export { missionItemNames } from "./definition/item-names.ts";
export * from "./spec/layers.ts";
export { makePart } from "./build/make-part.ts";
export { ITEM_WORDS } from "./spec/mission-tables.ts";
export * from "./registry.ts";
export * from "./resolve/resolve.ts";
export { NOT_JUDGED, type ResolvedRequirement } from "./sections/judged-spec.ts";
export { EVENT_KEYS } from "./sections/scenario-spec.ts";
export { isVehicleSpec } from "./sections/vehicle-spec.ts";
export { flightSchema } from "./spec/schema.ts";
export { sha256Hex } from "./definition/sha256.ts";
export * from "./spec/spec.ts";
export type * from "./spec/spec-contents.ts";
export {
  environmentTable,
  generalTable,
  missionTiming,
  outputsTable,
  stopTable,
  timelineTable,
} from "./spec/tables.ts";
export { vehicleAbouts } from "./vehicles/index.ts";
export { vehicleTable, type Vehicle } from "../multirotor/vehicle.ts";
