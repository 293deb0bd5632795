export * from "./assemble.ts";
export { codeFor, type FlightCode } from "./code.ts";
export * from "./compare.ts";
export * from "./fly-flight.ts";
export * from "./outcome.ts";
export { Pacer, type WallClock } from "./pacer.ts";
export * from "./replay-flight.ts";
export * from "./stepping.ts";
export * from "./summarise.ts";
export {
  SummaryObserver,
  type FlightEvent,
  type FlightExtremes,
  type StoryContext,
  type Touchdown,
} from "./summary.ts";
export { autopilotText, measuredExtremes, type MeasuredExtremes, windText } from "./summary-words.ts";
export { TrackObserver, type Track } from "./track.ts";
