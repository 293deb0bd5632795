/** The data that PX4 receives about the flight at assembly: the same as for every autopilot of the core. */
export type { AutopilotContext, ParameterChange, RotorPlace } from "@escapement/core";
