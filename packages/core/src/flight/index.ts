export * from "./assemble.ts";
export { canonicalJson } from "./canonical.ts";
export { codeFor, type FlightCode } from "./code.ts";
export { parseDurationText } from "./duration-text.ts";
export { flightErrors } from "./errors.ts";
export * from "./fly-flight.ts";
export { missionItemNames } from "./item-names.ts";
export * from "./layers.ts";
export { plainMission, toMission, type PlainItem, type ResolvedMission } from "./mission-spec.ts";
export { ITEM_WORDS } from "./mission-tables.ts";
export { makePart } from "./make-part.ts";
export * from "./stepping.ts";
export * from "./outcome.ts";
export * from "./registry.ts";
export * from "./resolve.ts";
export { DEFAULT_KINDS } from "./resolver.ts";
export { EVENT_KEYS, type ResolvedEvent } from "./scenario-spec.ts";
export { sha256Hex } from "./sha256.ts";
export * from "./spec.ts";
export {
  SummaryObserver,
  type FlightEvent,
  type FlightExtremes,
  type StoryContext,
  type Touchdown,
} from "./summary.ts";
export { autopilotText, measuredExtremes, type MeasuredExtremes, windText } from "./summary-words.ts";
export { environmentTable, generalTable, missionTiming, outputsTable, stopTable, timelineTable } from "./tables.ts";
export { TrackObserver, type Track } from "./track.ts";
export * from "./compare.ts";
export * from "./replay-flight.ts";
export * from "./summarise.ts";
export { flightSchema, type JsonSchema } from "./schema.ts";
export { vehicleTable, type Vehicle } from "../multirotor/vehicle.ts";
export { vehicleAbouts } from "./vehicles/index.ts";
