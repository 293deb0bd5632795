/** The data that PX4 receives about the flight when it is assembled. Every autopilot of the core receives the same. */
export type { AutopilotContext, ParameterChange, RotorGeometry } from "@escapement/core";
