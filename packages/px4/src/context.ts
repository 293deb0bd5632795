/** What PX4 is told about the flight at assembly: the same as every autopilot of the core. */
export type { AutopilotContext, ParameterChange, RotorPlace } from "@escapement/core";
