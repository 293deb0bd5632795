/**
 * Settings of a flight with stock PX4. All of them are part of the flight definition. Ports, paths and wall-clock time
 * limits are run settings and are defined in `SitlRunOptions`.
 */
import { defineParams } from "@escapement/core";
import type { ParamsOf } from "@escapement/core";

// prettier-ignore
export const sitlParams = defineParams({
  model: { type: "text", default: "none_iris", about: "PX4 airframe for an external simulator (PX4_SIM_MODEL)." },
  clockOffsetS: { type: "duration", unit: "s", default: 1, about: "PX4's clock minus flight time. It must not be 0, because PX4 treats time 0 as never." },
  readyWithinS: { type: "duration", unit: "s", default: 60, about: "Flight time within which PX4 must report that it is ready." },
  batteryPeriodS: { type: "duration", unit: "s", default: 0.1, about: "Period of the battery reports to PX4." },
  groundTruthPeriodS: { type: "duration", unit: "s", default: 0.02, about: "Period at which the true state is sent for PX4's log." },
  airframeParameters: { type: "boolean", default: true, about: "Whether to send PX4 the rotor geometry of the vehicle." },
});
export type SitlParams = ParamsOf<typeof sitlParams>;
