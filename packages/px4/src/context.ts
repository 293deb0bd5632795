/** The data about the flight that PX4 receives when the flight is assembled, like every autopilot of the core. */
export type { AutopilotContext, ParameterChange, RotorGeometry } from "@escapement/core";
