/** Converts the rotors of a vehicle to the form that control allocation uses. */
import type { Vehicle } from "../../multirotor/vehicle.ts";
import type { RotorGeometry } from "../../autopilot/index.ts";

/** CA_ROTORn_KM of PX4's multicopters: a normalisation of yaw, not a property of the propeller. */
const PX4_TORQUE_RATIO_M = 0.05;

/**
 * Returns position, thrust axis, signed torque ratio and channel (from 0) of each rotor. The torque ratio is the
 * vehicle's own if its propulsion level has one, otherwise PX4's default.
 */
export function rotorGeometries(vehicle: Vehicle): RotorGeometry[] {
  const { level, linear, reference } = vehicle.propulsion;
  const ratioM =
    level === "linear" ? linear.torqueRatioM : level === "reference" ? reference.torqueRatioM : PX4_TORQUE_RATIO_M;
  return vehicle.rotors.map(({ positionM, axis, direction, channel }) => {
    const norm = Math.sqrt(axis.reduce((sum, value) => sum + value * value, 0));
    return {
      posBody: positionM,
      axisBody: axis.map((value) => -value / norm),
      torqueRatioM: ratioM * direction,
      channel: channel - 1,
    };
  });
}
