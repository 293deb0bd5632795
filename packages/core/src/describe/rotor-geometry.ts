/** The rotors of a vehicle in the form that control allocation uses. */
import type { Vehicle } from "../multirotor/vehicle.ts";
import type { RotorPlace } from "../autopilot/index.ts";

/** CA_ROTORn_KM of PX4's multicopters: a normalisation of yaw, not a property of the propeller. */
const PX4_TORQUE_RATIO_M = 0.05;

/** Returns positions, thrust axes, and PX4's usual torque ratio with its sign. */
export function rotorPlaces(vehicle: Vehicle): RotorPlace[] {
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
