/** Types of the data about a flight that an autopilot receives when the flight is assembled. */
export type { AutopilotContext, ParameterChange, RotorGeometry } from "@escapement/core";
