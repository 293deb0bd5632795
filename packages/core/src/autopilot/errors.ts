/** Errors of the autopilots. */
import { defineErrors } from "../errors/index.ts";

export const autopilotErrors = defineErrors("AUTOPILOT", {
  unknownParameter: {
    number: 1,
    title: "an autopilot parameter is unknown",
    explain:
      "The embedded autopilot has the PX4 parameters that its control laws use, under PX4's names. Any other name would have no effect, so it is rejected.",
  },
  badParameter: {
    number: 2,
    title: "the value of an autopilot parameter is out of range",
    explain: "Each parameter has a range in which its control law is defined; switches and modes are whole numbers.",
  },
  badSchedule: {
    number: 3,
    title: "a part of the autopilot cannot run at the requested rate",
    explain:
      "Parts run at whole multiples of the autopilot's tick with a phase counted in ticks, so that no rate drifts. A period between two multiples is rejected rather than rounded.",
  },
  badGeometry: {
    number: 4,
    title: "the rotors cannot control the vehicle",
    explain:
      "Control allocation needs at least one rotor. Each rotor needs a thrust axis, a position in metres and its own motor channel.",
  },
  badEstimate: {
    number: 5,
    title: "the autopilot received an invalid state",
    explain:
      "Estimated position, velocity, acceleration, attitude and rates must be finite and below 1e9 in magnitude, and the attitude must be a unit quaternion. Continuing with other values would hide a defect in the estimator.",
  },
  badMission: {
    number: 6,
    title: "the mission cannot be flown by the embedded autopilot",
    explain: "An item has an unknown command, an impossible position or an invalid parameter.",
  },
  farHoverThrust: {
    number: 8,
    title: "the hover thrust of the vehicle is far from MPC_THR_HOVER",
    explain:
      "The position controller starts from MPC_THR_HOVER, and the hover-thrust estimator stays within HTE_THR_RANGE of this value. A vehicle whose hover thrust is outside that range jumps or sinks at take-off, and then only the controller's integrator holds its height. Set MPC_THR_HOVER to the hover thrust of the vehicle.",
  },
  badOrigin: {
    number: 7,
    title: "the origin of the local frame is not a position",
    explain: "Latitude within ±90°, longitude within ±180° and a finite altitude are needed to place missions.",
  },
});
