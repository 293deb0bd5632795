/**
 * Settings of a flight with the PX4 library. All of them are part of the flight definition. The path of the library is
 * a run setting (PX4_LOCKSTEP_LIB).
 */
import { defineParams } from "@escapement/core";
import type { ParamsOf } from "@escapement/core";

// prettier-ignore
export const lockstepParams = defineParams({
  clockOffsetS: { type: "duration", unit: "s", default: 10, about: "PX4's clock minus flight time. It must not be 0, because PX4 treats time 0 as never. PX4's modules read parameters only when their clock has passed 1 s." },
  navigatorHz: { type: "number", unit: "Hz", integer: true, min: 0, max: 1000, default: 25, about: "Rate of PX4's navigator; 0 means every tick." },
  positionHz: { type: "number", unit: "Hz", integer: true, min: 0, max: 1000, default: 125, about: "Rate of PX4's position control; 0 means every tick." },
  flightTaskHz: { type: "number", unit: "Hz", integer: true, min: 0, max: 1000, default: 125, about: "Rate at which PX4 receives the position estimate; its flight tasks run at each estimate. 0 means every tick. PX4's own EKF2 publishes at 100 Hz." },
  attitudeHz: { type: "number", unit: "Hz", integer: true, min: 0, max: 1000, default: 250, about: "Rate of PX4's attitude control; 0 means every tick." },
  rateHz: { type: "number", unit: "Hz", integer: true, min: 0, max: 1000, default: 250, about: "Rate of PX4's rate control; 0 means every tick." },
  allocatorHz: { type: "number", unit: "Hz", integer: true, min: 0, max: 1000, default: 250, about: "Rate of PX4's control allocation; 0 means every tick." },
  strictRates: { type: "boolean", default: true, about: "Whether a rate that the library would round down is an error." },
  missionItems: { type: "choice", options: ["exact", "reader"], default: "exact", about: "How mission items reach PX4: as a MAVLink upload stores them, or through the library's own reader." },
  hoverThrustEstimate: { type: "boolean", default: true, about: "Whether to send PX4 an estimate of the hover thrust, which the library does not compute." },
  initialMode: { type: "choice", options: ["hold", "manual"], default: "hold", about: "PX4's mode until one is requested; the reference flights used manual." },
  airframeParameters: { type: "boolean", default: true, about: "Whether to send PX4 the rotor geometry of the vehicle." },
});
export type LockstepParams = ParamsOf<typeof lockstepParams>;
